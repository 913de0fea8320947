"""Charts as diagrams of PlantUML and Mermaid: states inside states, regions and history.

PlantUML has signs for history and final states, and finds states by their names wherever an arrow stands. Mermaid draws
an arrow in the block where it stands, so it is written in the innermost one that holds both ends; its final states have
no names, and comments say which states are history states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fullproof.formats.aliases import aliases
from fullproof.formats.charts.regions import is_plain_region, regions_can_be_said
from fullproof.formats.charts.times import shown_time
from fullproof.formats.charts.written import ChartQuestions, plain_effect
from fullproof.formats.diagrams.declarations import listed_names
from fullproof.formats.diagrams.text import name_text
from fullproof.formats.document.outline import Outline, ScalarText, chart_keys
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """How a kind of diagrams writes what a chart says."""

    comment: str
    """The beginning of a line with keys of the model file."""
    usable: Callable[[str], bool]
    """Which names can be identifiers."""
    escaped: Callable[[str], str]
    has_signs: bool
    """Whether it has ``[H]`` and ``<<end>>``, and arrows may stand anywhere."""


def can_be_drawn(chart: ChartModel, notation: Notation) -> bool:
    """Whether a diagram can say all that a chart says."""
    asks = ChartQuestions(chart)
    plain = asks.plain_actions and asks.asks_plainly and not asks.waits_for_done and regions_can_be_said(asks)
    drawn = plain and _histories(asks) and all(_arrow_can_be_drawn(arrow, asks) for arrow in chart.arrows)
    return drawn and (notation.has_signs or (_plain_finals(asks) and _arrows_have_blocks(asks)))


def _plain_finals(asks: ChartQuestions) -> bool:
    """At most one final state in each state, which does nothing; arrows lead to it, from inside and to nothing else."""
    finals = [vertex for vertex in asks.chart.vertices if vertex.final]
    if len({vertex.parent for vertex in finals}) < len(finals):
        return False
    names = {vertex.name for vertex in finals}
    if names - {name for arrow in asks.chart.arrows for name in state_names(arrow.target)}:
        return False
    begun = {name for vertex in asks.chart.vertices for name in state_names(vertex.initial)}
    if names & (begun | set(state_names(asks.chart.initial))):
        return False
    if any(vertex.entry or vertex.exit or is_active(vertex.name) in asks.asked for vertex in finals):
        return False
    for arrow in asks.chart.arrows:
        targets = state_names(arrow.target)
        for name in names.intersection(targets):
            if len(targets) > 1 or _block_of(arrow, asks) != asks.known[name].parent:
                return False
    return True


def _arrows_have_blocks(asks: ChartQuestions) -> bool:
    """Whether no arrow leads from inside one state to inside another, and the order that counts is kept."""
    depths: dict[str | None, int] = {}
    for arrow in asks.chart.arrows:
        block = _block_of(arrow, asks)
        ends = {arrow.source, *state_names(arrow.target)}
        if all(name is not None and asks.known[name].parent != block for name in ends):
            return False
        depth = 0 if block is None else len(asks.path(block))
        if asks.chart.order is TransitionRank.DOCUMENT and depth > depths.get(arrow.source, depth):
            return False
        depths[arrow.source] = depth
    return True


def _block_of(arrow: ChartTransition, asks: ChartQuestions) -> str | None:
    """The innermost state around both ends of an arrow that is drawn as a block of its own."""
    assert arrow.source is not None
    block = asks.known[arrow.source].parent
    while block is not None and (
        asks.known[block].parallel
        or any(name == block or not asks.within(name, block) for name in state_names(arrow.target))
    ):
        block = asks.known[block].parent
    return block


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
    if arrow.source is None or arrow.way is ExitsAndEntries.LOCAL or not state_names(arrow.target):
        return False
    if arrow.way is ExitsAndEntries.INTERNAL:
        shown = arrow.trigger is not None and arrow.trigger not in ("entry", "exit", "do")
        return shown and not arrow.requirements
    if arrow.completion:
        return _completes(arrow.source, asks)
    return arrow.trigger is not None or not asks.is_composite(arrow.source)


def _completes(name: str, asks: ChartQuestions) -> bool:
    inside = [vertex for vertex in asks.inside.get(name, []) if vertex.history is None]
    if asks.known[name].parallel:
        return all(_completes(vertex.name, asks) for vertex in inside)
    return any(vertex.final for vertex in inside)


class TreeDrawing:
    """The lines of a chart."""

    def __init__(self, chart: ChartModel, notation: Notation) -> None:
        self.chart = chart
        self.notation = notation
        self.asks = ChartQuestions(chart)
        self.timers = {timer.name: timer for timer in chart.timers}
        self.constants = {constant.name: constant.value for constant in chart.description.constants}
        signs = notation.has_signs
        drawn = [v.name for v in chart.vertices if (v.history is None if signs else not v.final)]
        self.ids = aliases(drawn, notation.usable, "q")
        self.forks = 0
        self.arrows: dict[str | None, list[str]] = {}
        """The lines of arrows by the block in which they stand."""

    def lines(self) -> Iterator[str]:
        """All between the first and the last line of the diagram."""
        ranked = self.chart.order is TransitionRank.DOCUMENT
        keys: dict[str, Outline] = {"machine": ScalarText("statemachine")}
        keys |= {"semantics": ScalarText("scxml")} if ranked else {}
        keys |= {} if self.notation.has_signs else self._unsigned()
        keys |= chart_keys(self.chart)
        yield from (f"{self.notation.comment}{line}" for line in outline_lines(keys))
        for vertex in self.chart.vertices:
            if vertex.history is not None and vertex.initial is not None:
                block = None if self.notation.has_signs else vertex.parent
                lines = self._arrow(self._end(vertex.name), vertex.initial, _effect_text(vertex.initial_effect))
                self.arrows.setdefault(self._drawn_block(block), []).extend(lines)
        for arrow in self.chart.arrows:
            block = None if self.notation.has_signs else _block_of(arrow, self.asks)
            self.arrows.setdefault(block, []).extend(self._transition(arrow))
        yield from self._block(None, self.chart.initial, self.chart.before, 0)

    def _unsigned(self) -> dict[str, Outline]:
        """What has no sign: history states, and names of choice points, which are drawn without a text."""
        found: dict[str, Outline] = {}
        histories: dict[str, Outline] = {
            self.ids[v.name]: ScalarText(v.history.value + self._of(v))
            for v in self.chart.vertices
            if v.history is not None
        }
        names: dict[str, Outline] = {
            self.ids[v.name]: ScalarText(v.name) for v in self.chart.vertices if v.choice and self.ids[v.name] != v.name
        }
        found |= {"histories": histories} if histories else {}
        return found | ({"names": names} if names else {})

    def _of(self, vertex: Vertex) -> str:
        """The state that a history state is for, where it has no room in it."""
        outside = self._drawn_block(vertex.parent) != vertex.parent and vertex.parent is not None
        return f" of {self.ids[vertex.parent]}" if outside and vertex.parent is not None else ""

    def _drawn_block(self, block: str | None) -> str | None:
        """The block of a history state's arrow: a parallel state has none but those of its regions."""
        while block is not None and self.asks.known[block].parallel:
            block = self.asks.known[block].parent
        return block

    def _block(self, around: str | None, initial: Names | None, effect: Effect, level: int) -> Iterator[str]:
        """The states directly inside a state, the arrow to the initial one, then the arrows of the block."""
        blanks = "  " * level
        for vertex in self._listed(around):
            yield from self._vertex(vertex, level)
        if initial is not None:
            yield from (blanks + line for line in self._arrow("[*]", initial, _effect_text(effect)))
        yield from (blanks + line for line in self.arrows.get(around, []))

    def _listed(self, around: str | None) -> list[Vertex]:
        """The states of a block, and history states of states with regions in it."""
        if self.notation.has_signs:
            return [vertex for vertex in self.asks.inside.get(around, []) if vertex.history is None]
        histories = [v for v in self.chart.vertices if v.history is not None and self._drawn_block(v.parent) == around]
        return [*(v for v in self.asks.inside.get(around, []) if v.history is None and not v.final), *histories]

    def _vertex(self, vertex: Vertex, level: int) -> Iterator[str]:
        signs = self.notation.has_signs
        blanks, identifier = "  " * level, self.ids[vertex.name]
        same = identifier == vertex.name or (vertex.choice and not signs)
        named = identifier if same else f'"{self.notation.escaped(vertex.name)}" as {identifier}'
        mark = " <<choice>>" if vertex.choice else " <<end>>" if vertex.final else ""
        if not self.asks.is_composite(vertex.name):
            word = "" if same and not mark and not signs else "state "
            yield f"{blanks}{word}{named}{mark}\n"
        else:
            yield f"{blanks}state {named} {{\n"
            yield from self._inside(vertex, level + 1)
            yield f"{blanks}}}\n"
        for act, effect in (("entry", vertex.entry), ("exit", vertex.exit)):
            if effect:
                yield f"{blanks}{identifier} : {act} {self.notation.escaped(_effect_text(effect))}\n"

    def _inside(self, vertex: Vertex, level: int) -> Iterator[str]:
        if not vertex.parallel:
            yield from self._block(vertex.name, vertex.initial, vertex.initial_effect, level)
            return
        regions = [inner for inner in self.asks.inside[vertex.name] if inner.history is None]
        for number, region in enumerate(regions):
            if number:
                yield "  " * level + "--\n"
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
        if vertex.final and not self.notation.has_signs:
            return "[*]"
        if vertex.history is None or not self.notation.has_signs:
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
            yield f"state {to} <<fork>>\n"
        yield f"{source} --> {to}" + (f" : {self.notation.escaped(label)}\n" if label else "\n")
        if len(names) > 1:
            yield from (f"{to} --> {self._end(name)}\n" for name in names)

    def _transition(self, arrow: ChartTransition) -> Iterator[str]:
        assert arrow.source is not None
        trigger = "" if arrow.trigger is None else self._trigger(arrow.trigger, arrow.source)
        guard, effect = "" if arrow.guard == TRUE else f"[{to_text(arrow.guard)}]", _effect_text(arrow.effect)
        if arrow.way is ExitsAndEntries.INTERNAL and not guard and not effect:
            guard = "[true]"  # a name alone would be the description of the state
        label = " ".join(part for part in (trigger, guard, effect) if part)
        if arrow.way is ExitsAndEntries.INTERNAL:
            yield f"{self.ids[arrow.source]} : {self.notation.escaped(label)}\n"
            return
        if arrow.requirements:
            yield f"{self.notation.comment}req: {listed_names(arrow.requirements)}\n"
        yield from self._arrow(self.ids[arrow.source], arrow.target, label)

    def _trigger(self, trigger: str, source: str) -> str:
        if trigger not in self.timers:
            return name_text(trigger)
        timer = self.timers[trigger]
        return f"{'every' if timer.periodic else 'after'}({shown_time(timer, source, self.constants)})"


def _effect_text(effect: Effect) -> str:
    """``/ m = 1; send s; raise e``; nothing where nothing is done."""
    plain = plain_effect(effect)
    steps = [f"{a.variable} = {to_text(a.expression)}" for a in plain.assignments]
    steps += [f"send {name_text(signal)}" for signal in plain.sends]
    steps += [f"raise {name_text(event)}" for event in plain.raises]
    return "/ " + "; ".join(steps) if steps else ""
