"""State machines as SCXML: states inside states, ECMAScript conditions, extensions in the namespace of fullproof."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fullproof.formats.aliases import aliases
from fullproof.formats.charts.shown_times import lifted
from fullproof.formats.charts.written import ChartQuestions, flat_chart, tree_of
from fullproof.formats.document.fault_domain import paving_text
from fullproof.formats.scxml.content import WrittenContent
from fullproof.formats.scxml.elements import FP, SCXML
from fullproof.formats.scxml.sayable import in_words_of_scxml
from fullproof.formats.scxml.sent_later import delay_text, sent_later, timer_words
from fullproof.formats.scxml.tags import tag
from fullproof.language.printer import declaration_text, to_text
from fullproof.language.substitute import literal
from fullproof.language.types import EnumType, Variable
from fullproof.model import StateMachine
from fullproof.model.chart import ChartTransition, ExitsAndEntries, Vertex, done_event, is_active, state_names
from fullproof.model.chart_model import ChartModel, TransitionRank
from fullproof.model.common import Description

_IDENTIFIER = re.compile(r"[^\W\d][\w.-]*\Z")
_ASKABLE = re.compile(r"[^\W\d][\w.]*\Z")
_EVENT = re.compile(r"[^\W\d][\w-]*(\.[\w-]+)*\Z")
_NMTOKEN = re.compile(r"[\w.:-]+\Z")


def scxml_lines(model: StateMachine) -> Iterator[str]:
    """Yield the lines of the file; reading it back gives an equivalent model, and the same one if it has no tree."""
    tree = tree_of(model, lambda chart: in_words_of_scxml(chart) is not None)
    said = None if tree is None else in_words_of_scxml(tree)
    chart = said or (lifted(flat_chart(model)) if model.timers else flat_chart(model))
    return _Writer(sent_later(chart) if chart.timers else chart).lines()


class _Writer:
    def __init__(self, chart: ChartModel) -> None:
        self.chart = chart
        self.asks = ChartQuestions(chart)
        variables = (*chart.inputs, *chart.outputs, *chart.variables)
        enums = [variable.type for variable in variables if isinstance(variable.type, EnumType)]
        values = frozenset(value for type_ in enums for value in type_.values)
        data = {v.name for v in variables} | {c.name for c in chart.description.constants}
        asked = self.asks.asked
        names = [vertex.name for vertex in chart.vertices]

        def usable(name: str) -> bool:
            pattern = _ASKABLE if is_active(name) in asked else _IDENTIFIER
            return bool(pattern.match(name)) and name not in data

        self.ids = aliases(names, usable, "s", data)
        signals = (*chart.signals_in, *chart.signals_out, *self.asks.raised)
        self.events = aliases(dict.fromkeys(signals), lambda name: _is_event(name, signals), "e", set())
        done = {done_event(name): f"done.state.{word}" for name, word in self.ids.items()}
        timers = timer_words(chart.timers, lambda name: _is_event(name, signals), signals)
        self.triggers = {**done, **self.events, **timers}
        delays = {timer.name: (timers[timer.name], delay_text(timer)) for timer in chart.timers}
        self.content = WrittenContent(self.ids, self.events, values, delays)
        self.leaving: dict[str | None, list[ChartTransition]] = {}
        for arrow in chart.arrows:
            self.leaving.setdefault(arrow.source, []).append(arrow)

    def lines(self) -> Iterator[str]:
        """The whole file."""
        yield '<?xml version="1.0" encoding="UTF-8"?>\n'
        yield from self._root()
        for name, event in self.events.items():
            if event != name:
                yield tag(1, "fp:signal", ("event", event), ("name", name))
        yield from _description(self.chart.description)
        yield from self._datamodel()
        for arrow in self.leaving.get(None, []):
            yield from self._transition(arrow, 1)
        for vertex in self.asks.inside.get(None, []):
            yield from self._vertex(vertex, 1)
        yield "</scxml>\n"

    def _root(self) -> Iterator[str]:
        chart = self.chart
        ours = chart.order is not TransitionRank.DOCUMENT
        yield tag(
            0,
            "scxml",
            ("xmlns", SCXML),
            ("xmlns:fp", FP),
            ("version", "1.0"),
            ("datamodel", "ecmascript"),
            ("name" if _NMTOKEN.match(chart.name) else "fp:name", chart.name),
            ("initial", self._words(chart.initial)),
            ("fp:semantics", "fullproof" if ours else ""),
            ("fp:in", " ".join(self.events[name] for name in chart.signals_in)),
            ("fp:out", " ".join(self.events[name] for name in chart.signals_out)),
            end=">",
        )

    def _words(self, names: str | tuple[str, ...] | None) -> str:
        return " ".join(self.ids[name] for name in state_names(names))

    def _datamodel(self) -> Iterator[str]:
        chart = self.chart
        entries = [
            tag(2, "data", ("id", c.name), *self.content.code("expr", literal(c.value)), ("fp:role", "constant"))
            for c in chart.description.constants
        ]
        for role, variables in (("input", chart.inputs), ("output", chart.outputs), ("variable", chart.variables)):
            entries += [self._data(role, variable) for variable in variables]
        if entries:
            yield "  <datamodel>\n"
            yield from entries
            yield "  </datamodel>\n"

    def _data(self, role: str, variable: Variable) -> str:
        type_ = declaration_text(replace(variable, initial=None))
        if variable.name in self.chart.unset:  # it is assigned before it is read, and has no role but that
            return tag(2, "data", ("id", variable.name), ("fp:type", type_))
        initial = [] if variable.initial is None else self.content.code("expr", literal(variable.initial))
        return tag(2, "data", ("id", variable.name), *initial, ("fp:role", role), ("fp:type", type_))

    def _vertex(self, vertex: Vertex, level: int) -> Iterator[str]:
        word = self.ids[vertex.name]
        name = [("fp:name", vertex.name)] if word != vertex.name else []
        if vertex.history is not None:
            yield tag(level, "history", ("id", word), *name, ("type", vertex.history.value), end=">")
            yield from self._plain(vertex, level + 1)
            yield f"{'  ' * level}</history>\n"
            return
        kind = "parallel" if vertex.parallel else "final" if vertex.final else "state"
        below = vertex.initial is not None
        attribute = [("initial", self._words(vertex.initial))] if below and not vertex.initial_effect else []
        pairs = [("id", word), *name, *attribute, *self._choice(vertex.name)]
        inside = [*self._inside(vertex, level + 1)]
        yield tag(level, kind, *pairs, end=">" if inside else "/>")
        if inside:
            yield from inside
            yield f"{'  ' * level}</{kind}>\n"

    def _inside(self, vertex: Vertex, level: int) -> Iterator[str]:
        if vertex.initial_effect:
            yield tag(level, "initial", end=">")
            yield from self._plain(vertex, level + 1)
            yield f"{'  ' * level}</initial>\n"
        yield from self.content.block("onentry", vertex.entry, level)
        yield from self.content.block("onexit", vertex.exit, level)
        for arrow in self.leaving.get(vertex.name, []):
            yield from self._transition(arrow, level)
        for inner in self.asks.inside.get(vertex.name, []):
            yield from self._vertex(inner, level)

    def _plain(self, vertex: Vertex, level: int) -> Iterator[str]:
        """The transition to what is entered first, or where nothing is remembered."""
        inside = [*self.content.actions(vertex.initial_effect.steps(), level + 1)]
        yield tag(level, "transition", ("target", self._words(vertex.initial)), end=">" if inside else "/>")
        if inside:
            yield from inside
            yield f"{'  ' * level}</transition>\n"

    def _choice(self, name: str) -> list[tuple[str, str]]:
        choices = self.chart.choices
        if name not in choices:
            return []
        in_order = [vertex.name for vertex in self.chart.vertices if vertex.name in choices]
        return [("fp:choice", "true" if in_order == list(choices) else str(choices.index(name) + 1))]

    def _transition(self, arrow: ChartTransition, level: int) -> Iterator[str]:
        one_word = all(name.split() == [name] for name in arrow.requirements)
        stays = arrow.way is ExitsAndEntries.INTERNAL
        pairs = [
            *([] if arrow.trigger is None else [("event", self.triggers[arrow.trigger])]),
            *self.content.guard(arrow.guard),
            ("target", "" if stays else self._words(arrow.target)),
            ("type", "internal" if arrow.way is ExitsAndEntries.LOCAL else ""),
            *([("fp:req", " ".join(arrow.requirements))] if arrow.requirements and one_word else []),
        ]
        inside = [
            *self.content.actions(arrow.effect.steps(), level + 1),
            *(tag(level + 1, "fp:req", ("name", name)) for name in ([] if one_word else arrow.requirements)),
        ]
        yield tag(level, "transition", *pairs, end=">" if inside else "/>")
        if inside:
            yield from inside
            yield f"{'  ' * level}</transition>\n"


def _description(description: Description) -> Iterator[str]:
    domain = description.fault_domain
    for requirement in description.requirements:
        yield tag(1, "fp:requirement", ("name", requirement.name), ("text", requirement.text), keep=True)
    for entry in description.properties:
        yield tag(1, "fp:property", ("name", entry.name), ("formula", to_text(entry.formula)))
    pairs = [] if domain.extra_states is None else [("extra-states", str(domain.extra_states))]
    pairs += [] if domain.degree is None else [("degree", str(domain.degree))]
    inside = [
        *(tag(2, "fp:guard", ("when", to_text(guard))) for guard in domain.guards),
        *(tag(2, "fp:paving", ("variable", p.variable), ("width", paving_text(p))) for p in domain.paving),
    ]
    if inside:
        yield tag(1, "fp:fault-domain", *pairs, end=">")
        yield from inside
        yield "  </fp:fault-domain>\n"
    elif pairs:
        yield tag(1, "fp:fault-domain", *pairs)


def _is_event(name: str, others: Iterable[str]) -> bool:
    """Whether an event descriptor can be the name: ``a`` also means ``a.b``, so no signal may begin another."""
    if not _EVENT.match(name) or name.split(".", maxsplit=1)[0] in ("error", "done"):
        return False
    return not any(a.startswith(f"{b}.") for other in others for a, b in ((name, other), (other, name)))
