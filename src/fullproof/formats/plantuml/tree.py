"""Charts as PlantUML diagrams: states inside states, regions and history."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fullproof.formats.aliases import aliases
from fullproof.formats.charts.regions import is_plain_region, regions_can_be_said
from fullproof.formats.charts.written import ChartQuestions, plain_effect
from fullproof.formats.diagrams.declarations import listed_names
from fullproof.formats.diagrams.text import name_text
from fullproof.formats.document.outline import Outline, ScalarText, chart_keys
from fullproof.formats.plantuml.text import escaped
from fullproof.formats.yaml.writer import outline_lines
from fullproof.language.printer import to_text
from fullproof.language.syntax import TRUE
from fullproof.model.chart import (
    ChartTransition,
    Effect,
    ExitsAndEntries,
    HistoryDepth,
    Names,
    Vertex,
    is_active,
    state_names,
)
from fullproof.model.chart_model import ChartModel, TransitionRank

_SIGNS = {HistoryDepth.SHALLOW: "[H]", HistoryDepth.DEEP: "[H*]"}


def can_be_drawn(chart: ChartModel) -> bool:
    """Whether a diagram can say all that a chart says."""
    asks = ChartQuestions(chart)
    plain = asks.plain_actions and asks.asks_plainly and not asks.waits_for_done and regions_can_be_said(asks)
    return plain and _histories(asks) and all(_arrow_can_be_drawn(arrow, asks) for arrow in chart.arrows)


def _histories(asks: ChartQuestions) -> bool:
    """One of each depth in a state, none of the chart; what [H] means of a state with regions is open."""
    histories = [vertex for vertex in asks.chart.vertices if vertex.history is not None]
    if len({(vertex.parent, vertex.history) for vertex in histories}) < len(histories):
        return False
    for vertex in histories:
        around = None if vertex.parent is None else asks.known[vertex.parent]
        if around is None or (around.parallel and vertex.history is HistoryDepth.SHALLOW):
            return False
    return not any(is_active(vertex.name) in asks.asked for vertex in histories)


def _arrow_can_be_drawn(arrow: ChartTransition, asks: ChartQuestions) -> bool:
    if arrow.source is None or arrow.way is ExitsAndEntries.LOCAL:
        return False
    if arrow.way is ExitsAndEntries.INTERNAL:
        shown = arrow.trigger is not None and arrow.trigger not in ("entry", "exit", "do")
        return shown and not arrow.requirements and (arrow.guard != TRUE or bool(arrow.effect))
    if arrow.completion:
        return _completes(arrow.source, asks)
    return arrow.trigger is not None or not asks.is_composite(arrow.source)


def _completes(name: str, asks: ChartQuestions) -> bool:
    inside = [vertex for vertex in asks.inside.get(name, []) if vertex.history is None]
    if asks.known[name].parallel:
        return all(_completes(vertex.name, asks) for vertex in inside)
    return any(vertex.final for vertex in inside)


class TreeDrawing:
    """The lines of a chart; ``usable`` says which names can be identifiers."""

    def __init__(self, chart: ChartModel, usable: Callable[[str], bool]) -> None:
        self.chart = chart
        self.asks = ChartQuestions(chart)
        drawn = [vertex.name for vertex in chart.vertices if vertex.history is None]
        self.ids = aliases(drawn, usable, "q")
        self.forks = 0
        self.later: list[str] = []

    def lines(self) -> Iterator[str]:
        """All between the first and the last line of the diagram."""
        ranked = self.chart.order is TransitionRank.DOCUMENT
        keys: dict[str, Outline] = {"machine": ScalarText("statemachine")}
        keys |= {"semantics": ScalarText("scxml")} if ranked else {}
        yield from (f"' fullproof: {line}" for line in outline_lines({**keys, **chart_keys(self.chart)}))
        yield from self._block(None, self.chart.initial, self.chart.before, 0)
        for vertex in self.chart.vertices:
            if vertex.history is not None and vertex.initial is not None:
                yield from self._arrow(self._end(vertex.name), vertex.initial, _effect_text(vertex.initial_effect))
        for arrow in self.chart.arrows:
            yield from self._transition(arrow)
        yield from self.later

    def _block(self, around: str | None, initial: Names | None, effect: Effect, level: int) -> Iterator[str]:
        """The states directly inside a state, then the arrow to the initial one."""
        blanks = "  " * level
        for vertex in self.asks.inside.get(around, []):
            if vertex.history is None:
                yield from self._vertex(vertex, level)
        if initial is not None:
            yield from (blanks + line for line in self._arrow("[*]", initial, _effect_text(effect)))

    def _vertex(self, vertex: Vertex, level: int) -> Iterator[str]:
        blanks, identifier = "  " * level, self.ids[vertex.name]
        named = identifier if identifier == vertex.name else f'"{escaped(vertex.name)}" as {identifier}'
        mark = " <<choice>>" if vertex.choice else " <<end>>" if vertex.final else ""
        if not self.asks.is_composite(vertex.name):
            yield f"{blanks}state {named}{mark}\n"
        else:
            yield f"{blanks}state {named} {{\n"
            yield from self._inside(vertex, level + 1)
            yield f"{blanks}}}\n"
        for word, effect in (("entry", vertex.entry), ("exit", vertex.exit)):
            if effect:
                yield f"{blanks}{identifier} : {word} {escaped(_effect_text(effect))}\n"

    def _inside(self, vertex: Vertex, level: int) -> Iterator[str]:
        if not vertex.parallel:
            yield from self._block(vertex.name, vertex.initial, vertex.initial_effect, level)
            return
        regions = [inner for inner in self.asks.inside[vertex.name] if inner.history is None]
        for number, region in enumerate(regions):
            yield "  " * level + "--\n" if number else ""
            if self._is_plain(region):
                yield from self._block(region.name, region.initial, region.initial_effect, level)
            else:
                yield from self._vertex(region, level)
                yield "  " * level + f"[*] --> {self.ids[region.name]}\n"

    def _is_plain(self, region: Vertex) -> bool:
        """Whether a region needs no name."""
        remembers = any(inner.history is not None for inner in self.asks.inside.get(region.name, []))
        asked = is_active(region.name) in self.asks.asked
        return is_plain_region(region, self.asks) and not remembers and not asked

    def _end(self, name: str) -> str:
        vertex = self.asks.known[name]
        if vertex.history is None:
            return self.ids[name]
        assert vertex.parent is not None
        return self.ids[vertex.parent] + _SIGNS[vertex.history]

    def _arrow(self, source: str, target: Names, label: str) -> Iterator[str]:
        """An arrow, through a fork where it has several targets."""
        names = state_names(target)
        to = self._end(names[0])
        if len(names) > 1:
            self.forks += 1
            to = f"fork_{self.forks}"
            while to in self.ids.values():
                to += "_"
            self.later.append(f"state {to} <<fork>>\n")
            self.later += [f"{to} --> {self._end(name)}\n" for name in names]
        yield f"{source} --> {to}" + (f" : {escaped(label)}\n" if label else "\n")

    def _transition(self, arrow: ChartTransition) -> Iterator[str]:
        assert arrow.source is not None
        trigger = "" if arrow.trigger is None else name_text(arrow.trigger)
        guard = "" if arrow.guard == TRUE else f"[{to_text(arrow.guard)}]"
        label = " ".join(part for part in (trigger, guard, _effect_text(arrow.effect)) if part)
        if arrow.way is ExitsAndEntries.INTERNAL:
            yield f"{self.ids[arrow.source]} : {escaped(label)}\n"
            return
        if arrow.requirements:
            yield f"' fullproof: req: {listed_names(arrow.requirements)}\n"
        yield from self._arrow(self.ids[arrow.source], arrow.target, label)


def _effect_text(effect: Effect) -> str:
    """``/ m = 1; send s; raise e``; nothing where nothing is done."""
    plain = plain_effect(effect)
    steps = [f"{a.variable} = {to_text(a.expression)}" for a in plain.assignments]
    steps += [f"send {name_text(signal)}" for signal in plain.sends]
    steps += [f"raise {name_text(event)}" for event in plain.raises]
    return "/ " + "; ".join(steps) if steps else ""
