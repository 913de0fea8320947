"""State machines as UML in XMI, as Papyrus reads it, with what UML does not have in a comment."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.formats.charts.regions import is_plain_region, regions_can_be_said
from fullproof.formats.charts.shown_times import TimeWords, shown_tree
from fullproof.formats.charts.texts import signal_text
from fullproof.formats.charts.written import ChartQuestions, flat_chart, plain_effect
from fullproof.formats.document.outline import Outline, ScalarText, chart_keys
from fullproof.formats.scxml.tags import xml_text
from fullproof.formats.yaml.writer import outline_lines
from fullproof.language.durations import duration_to_text
from fullproof.language.printer import to_text
from fullproof.language.syntax import TRUE
from fullproof.model import StateMachine
from fullproof.model.chart import (
    NOTHING,
    ChartTransition,
    Effect,
    ExitsAndEntries,
    HistoryDepth,
    Names,
    Vertex,
    state_names,
)
from fullproof.model.chart_model import ChartModel, TransitionRank

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<uml:Model xmi:version="20131001" xmlns:xmi="http://www.omg.org/spec/XMI/20131001" '
    'xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmi:id="model" name="{name}">\n'
)


def xmi_lines(model: StateMachine) -> Iterator[str]:
    """Yield the lines of the file; reading it back gives the same model."""
    chart = shown_tree(model, _sayable, TimeWords(format="UML")) or flat_chart(model)
    return _XmiWriter(chart).lines()


def _sayable(chart: ChartModel) -> bool:
    asks = ChartQuestions(chart)
    states = all(
        not (vertex.final and (vertex.entry or vertex.exit))
        and not (vertex.history and (vertex.parent is None or asks.known[vertex.parent].parallel))
        for vertex in chart.vertices
    )
    arrows = all(
        arrow.source is not None
        and (arrow.trigger is not None or arrow.way is not ExitsAndEntries.INTERNAL)
        and (arrow.trigger is not None or arrow.completion or not asks.is_composite(arrow.source))
        for arrow in chart.arrows
    )
    plain = asks.plain_actions and asks.asks_plainly and not asks.waits_for_done
    return plain and states and arrows and regions_can_be_said(asks)


def _time_event(identifier: str, duration: str) -> Iterator[str]:
    yield f'  <packagedElement xmi:type="uml:TimeEvent" xmi:id="{identifier}" isRelative="true">\n'
    yield f'    <when xmi:type="uml:TimeExpression" xmi:id="{identifier}w">\n'
    yield f'      <expr xmi:type="uml:LiteralString" xmi:id="{identifier}x" value="{duration}"/>\n'
    yield "    </when>\n  </packagedElement>\n"


class _XmiWriter:
    def __init__(self, chart: ChartModel) -> None:
        self.chart = chart
        self.asks = ChartQuestions(chart)
        self.ids = {vertex.name: f"s{number}" for number, vertex in enumerate(chart.vertices)}
        events = dict.fromkeys(arrow.trigger for arrow in chart.arrows if arrow.trigger is not None)
        self.events = {name: f"e{number}" for number, name in enumerate(events)}
        self.count = 0
        self.reqs: dict[str, Outline] = {}
        self.later: list[str] = []
        """Transitions and forks, which stand in the outermost region."""

    def lines(self) -> Iterator[str]:
        """The whole file."""
        chart = self.chart
        for arrow in chart.arrows:
            self._arrow(arrow)
        body = list(self._region(None, "r", "", 2))
        yield _HEAD.format(name=xml_text(chart.name))
        yield '  <ownedComment xmi:id="c">\n    <body>fullproof:\n'
        for line in outline_lines(self._keys()):
            yield xml_text(line.rstrip("\n")).replace("&quot;", '"') + "\n"
        yield "</body>\n  </ownedComment>\n"
        yield f'  <packagedElement xmi:type="uml:StateMachine" xmi:id="m" name="{xml_text(chart.name)}">\n'
        yield from body
        yield "  </packagedElement>\n"
        times = {timer.name: duration_to_text(timer.duration) for timer in chart.timers}
        for name, identifier in self.events.items():
            if name in times:
                yield from _time_event(identifier, times[name])
                continue
            signal = f'xmi:id="{identifier}s" name="{xml_text(name)}"'
            yield f'  <packagedElement xmi:type="uml:Signal" {signal}/>\n'
            yield f'  <packagedElement xmi:type="uml:SignalEvent" xmi:id="{identifier}" signal="{identifier}s"/>\n'
        yield "</uml:Model>\n"

    def _keys(self) -> dict[str, Outline]:
        ranked = self.chart.order is TransitionRank.DOCUMENT
        found: dict[str, Outline] = {"semantics": ScalarText("scxml" if ranked else "fullproof")}
        found |= chart_keys(self.chart)
        return {**found, "transitions": self.reqs} if self.reqs else found

    def _next(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    # --- states ---

    def _region(self, around: str | None, identifier: str, name: str, level: int) -> Iterator[str]:
        """A region with the states directly inside a state."""
        blanks = "  " * level
        shown = f' name="{xml_text(name)}"' if name else ""
        yield f'{blanks}<region xmi:type="uml:Region" xmi:id="{identifier}"{shown}>\n'
        vertex = None if around is None else self.asks.known[around]
        initial = self.chart.initial if vertex is None else vertex.initial
        effect = self.chart.before if vertex is None else vertex.initial_effect
        first, steps = self._initial(initial, effect, level + 1)
        yield from first
        for inner in self.asks.inside.get(around, []):
            yield from self._vertex(inner, level + 1)
        yield from steps
        if around is None:
            yield from self.later
        yield f"{blanks}</region>\n"

    def _initial(self, initial: Names | None, effect: Effect, level: int) -> tuple[list[str], list[str]]:
        if initial is None:
            return [], []
        identifier = self._next("i")
        start = f'{"  " * level}<subvertex xmi:type="uml:Pseudostate" xmi:id="{identifier}"/>\n'
        return [start], self._steps(identifier, initial, effect, level)

    def _steps(self, source: str, target: Names, effect: Effect, level: int) -> list[str]:
        """The transition from an initial or history pseudostate, through a fork where it has several targets."""
        to = self._fork(state_names(target), level)
        opened = f'{"  " * level}<transition xmi:id="{self._next("t")}" source="{source}" target="{to}"'
        inside = self._effect(effect, "effect", level + 1)
        return [f"{opened}>\n", *inside, f"{'  ' * level}</transition>\n"] if inside else [f"{opened}/>\n"]

    def _fork(self, targets: tuple[str, ...], level: int) -> str:
        """The identifier of a target, or of a fork to several."""
        if len(targets) == 1:
            return self.ids[targets[0]]
        identifier, blanks = self._next("f"), "  " * level
        self.later.append(f'{blanks}<subvertex xmi:type="uml:Pseudostate" xmi:id="{identifier}" kind="fork"/>\n')
        for name in targets:
            ends = f'source="{identifier}" target="{self.ids[name]}"'
            self.later.append(f'{blanks}<transition xmi:id="{self._next("t")}" {ends}/>\n')
        return identifier

    def _vertex(self, vertex: Vertex, level: int) -> Iterator[str]:
        blanks, named = "  " * level, f'xmi:id="{self.ids[vertex.name]}" name="{xml_text(vertex.name)}"'
        if vertex.choice or vertex.history is not None:
            depth = "deepHistory" if vertex.history is HistoryDepth.DEEP else "shallowHistory"
            kind = "choice" if vertex.choice else depth
            yield f'{blanks}<subvertex xmi:type="uml:Pseudostate" {named} kind="{kind}"/>\n'
            if vertex.history is not None and vertex.initial is not None:
                yield from self._steps(self.ids[vertex.name], vertex.initial, vertex.initial_effect, level)
            return
        metaclass = "FinalState" if vertex.final else "State"
        inside = [
            *self._effect(vertex.entry, "entry", level + 1),
            *self._effect(vertex.exit, "exit", level + 1),
            *(self._regions(vertex, level + 1) if self.asks.is_composite(vertex.name) else ()),
        ]
        yield f'{blanks}<subvertex xmi:type="uml:{metaclass}" {named}{">" if inside else "/>"}\n'
        if inside:
            yield from inside
            yield f"{blanks}</subvertex>\n"

    def _regions(self, vertex: Vertex, level: int) -> Iterator[str]:
        if not vertex.parallel:
            yield from self._region(vertex.name, f"{self.ids[vertex.name]}r", "", level)
            return
        for inner in self.asks.inside[vertex.name]:
            identifier = f"{self.ids[inner.name]}r"
            if is_plain_region(inner, self.asks):
                yield from self._region(inner.name, identifier, inner.name, level)
                continue
            blanks = "  " * level
            first, steps = self._initial(inner.name, NOTHING, level + 1)
            yield f'{blanks}<region xmi:type="uml:Region" xmi:id="{identifier}o">\n'
            yield from (*first, *self._vertex(inner, level + 1), *steps)
            yield f"{blanks}</region>\n"

    # --- transitions ---

    def _arrow(self, arrow: ChartTransition) -> None:
        assert arrow.source is not None
        identifier, level = self._next("t"), 3
        to = self._fork(state_names(arrow.target), level)
        pairs = f'source="{self.ids[arrow.source]}" target="{to}" kind="{arrow.way.value}"'
        inside: list[str] = []
        if arrow.trigger is not None:
            event = self.events[arrow.trigger]
            inside.append(f'        <trigger xmi:type="uml:Trigger" xmi:id="{identifier}e" event="{event}"/>\n')
        if arrow.guard != TRUE:
            pairs += f' guard="{identifier}g"'
            body = xml_text(to_text(arrow.guard))
            inside += [
                f'        <ownedRule xmi:type="uml:Constraint" xmi:id="{identifier}g">\n',
                f'          <specification xmi:type="uml:OpaqueExpression" xmi:id="{identifier}s">'
                f"<body>{body}</body></specification>\n",
                "        </ownedRule>\n",
            ]
        inside += self._effect(arrow.effect, "effect", level + 1)
        if arrow.requirements:
            self.reqs[identifier] = [ScalarText(name) for name in arrow.requirements]
        opened = f'      <transition xmi:type="uml:Transition" xmi:id="{identifier}" {pairs}'
        self.later += [f"{opened}>\n", *inside, "      </transition>\n"] if inside else [f"{opened}/>\n"]

    def _effect(self, effect: Effect, word: str, level: int) -> list[str]:
        plain = plain_effect(effect)
        steps = [f"{a.variable} = {to_text(a.expression)}" for a in plain.assignments]
        steps += [f"send {signal_text(signal)}" for signal in plain.sends]
        steps += [f"raise {signal_text(event)}" for event in plain.raises]
        if not steps:
            return []
        head = f'<{word} xmi:type="uml:OpaqueBehavior" xmi:id="{self._next("b")}">'
        return [f"{'  ' * level}{head}<body>{xml_text('; '.join(steps))}</body></{word}>\n"]
