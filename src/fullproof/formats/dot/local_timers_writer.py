"""Mealy machines with local timers as LearnLib reads them: the written side of ``local_timers``.

What it can say: locations without data, each input and timeout with one edge and its outputs, timers that start when
their location is entered and stop when it is left, and loops that start some of them again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from string import ascii_lowercase

from fullproof.core.errors import UserError
from fullproof.formats.charts.owned_timers import OwnedTimers
from fullproof.formats.charts.shown_times import lifted, without_unheard
from fullproof.formats.charts.written import flat_chart
from fullproof.formats.dot.local_timers import is_timeout, outputs_of
from fullproof.formats.dot.reader import NAMELESS, START
from fullproof.formats.dot.tokens import quote
from fullproof.formats.mealy import split_label
from fullproof.language.printer import value_to_text
from fullproof.language.syntax import TRUE
from fullproof.model.chart import ChartTransition, ExitsAndEntries, SentSignal, StartedTimer, state_names
from fullproof.model.chart_model import ChartModel
from fullproof.model.statemachine import StateMachine


def local_timer_lines(model: StateMachine) -> Iterator[str]:
    """Yield the lines of the file. UserError: the format cannot express the machine."""
    chart = without_unheard(lifted(flat_chart(model)))
    _require_plain(chart)
    return _Writer(chart).lines()


def _refusal(what: str) -> UserError:
    return UserError(f"a .dot file with local timers cannot hold {what}")


def _require_plain(chart: ChartModel) -> None:
    for variable in (*chart.inputs, *chart.outputs, *chart.variables):
        raise _refusal(f"data ({variable.name})")
    if chart.choices:
        raise _refusal(f"the choice point {chart.choices[0]!r}")
    for timer in chart.timers:
        if timer.duration == 0:
            raise _refusal(f"a timer that expires at once ({timer.name})")
    for arrow in chart.arrows:
        if arrow.trigger is None or arrow.guard != TRUE:
            raise _refusal(f"a transition of {arrow.source!r} without a trigger, or with a guard")
    for name in (*chart.signals_in, *chart.signals_out):
        if is_timeout(name) or (name in chart.signals_out and outputs_of(name) != (name,)) or name != name.strip():
            raise _refusal(f"the signal {name!r}")
    both = sorted({*chart.signals_in} & {*chart.signals_out})
    if both:
        raise _refusal(f"{both[0]!r} both as an input and as an output")


class _Writer:
    def __init__(self, chart: ChartModel) -> None:
        self.chart = chart
        self.owned = OwnedTimers(chart)
        for timer in chart.timers:
            if timer.name not in self.owned.owners:
                raise _refusal(f"the timer {timer.name!r}, which belongs to no location")
        self.words: dict[str, str] = {}
        for vertex in chart.vertices:
            if vertex.name.startswith(START):
                raise _refusal(f"the state {vertex.name!r}: {START}... marks the initial state")
            self.words |= _short_names([timer.name for timer in self.owned.of(vertex.name)], f"{vertex.name}.")

    def lines(self) -> Iterator[str]:
        """The whole file."""
        chart = self.chart
        yield f"digraph {quote(chart.name)} {{\n"
        if chart.name in NAMELESS:
            yield f"    name={quote(chart.name)};\n"
        heard = {arrow.trigger for arrow in chart.arrows}
        sent = {signal for arrow in chart.arrows for signal in _sent(arrow)}
        for key, names, used in (("inputs", chart.signals_in, heard), ("outputs", chart.signals_out, sent)):
            if not used.issuperset(names):
                yield f"    {key}={quote(json.dumps(names, ensure_ascii=False))};\n"
        for vertex in chart.vertices:
            timers = self.owned.of(vertex.name)
            times = ",".join(f"{self.words[t.name]}={value_to_text(t.duration)}" for t in timers)
            # Where no location had the attribute, the file would be a Mealy machine, in which inputs are not lost.
            said = times or not chart.timers
            yield f"    {quote(vertex.name)}{f' [timers={quote(times)}]' if said else ''};\n"
        yield f'    {START}0 [label="" shape="none"];\n'
        yield f"    {START}0 -> {quote(state_names(chart.initial)[0])};\n"
        for arrow in chart.arrows:
            yield self.edge(arrow)
        yield "}\n"

    def edge(self, arrow: ChartTransition) -> str:
        """One edge with its label, and with the timers that a loop starts again."""
        assert arrow.source is not None and arrow.trigger is not None
        (target,) = state_names(arrow.target)
        again = self.again(arrow)
        symbol = f"to[{self.words[arrow.trigger]}]" if arrow.trigger in self.words else arrow.trigger
        output = "|".join(_sent(arrow)) or "void"
        label = f"{symbol} / {output}"
        text = f"label={quote(label)}"
        if split_label(label) != (symbol, output):
            text += f" input={quote(symbol)} output={quote(output)}"
        text += f" resets={quote(','.join(self.words[name] for name in again))}" if again else ""
        return f"    {quote(arrow.source)} -> {quote(target)} [{text}];\n"

    def again(self, arrow: ChartTransition) -> list[str]:
        """The timers that a loop starts again; one that expires starts by itself."""
        if arrow.source != arrow.target:
            return []
        mine = self.owned.of(arrow.source)
        started = {action.timer for action in arrow.effect.actions if isinstance(action, StartedTimer)}
        if arrow.way is ExitsAndEntries.EXTERNAL:
            started |= {timer.name for timer in mine}
        for timer in mine:
            if timer.name == arrow.trigger and not timer.periodic and timer.name not in started:
                raise _refusal(f"the timer {timer.name!r}, which expires once and stays in its location")
        return [timer.name for timer in mine if timer.name in started and started != {arrow.trigger}]


def _short_names(names: list[str], before: str) -> dict[str, str]:
    """Names of timers in their location: as they were read, else a, b, c and so on."""
    kept = {name: name.removeprefix(before) for name in names}
    kept = {name: short for name, short in kept.items() if short.isalnum()}
    kept = kept if len(set(kept.values())) == len(kept) else {}
    letters = (letter + more for more in ("", *ascii_lowercase) for letter in ascii_lowercase)
    free = (word for word in letters if word not in kept.values())
    return {name: kept[name] if name in kept else next(free) for name in names}


def _sent(arrow: ChartTransition) -> list[str]:
    return [step.signal for step in arrow.effect.steps() if isinstance(step, SentSignal)]
