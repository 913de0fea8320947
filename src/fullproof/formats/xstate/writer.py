"""State machines as JSON for XState 5, with what it does not have under ``meta.fullproof``.

Conditions and assignments are texts of our language, as names of guards and actions, which need code elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from fullproof.core.errors import UserError
from fullproof.formats.charts.shown_times import TimeWords, shown_tree
from fullproof.formats.charts.texts import ASSIGNS
from fullproof.formats.charts.written import ChartQuestions, flat_chart, plain_effect
from fullproof.formats.document.outline import chart_keys, plain_values
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.shallow_trees import joined_as_written
from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.language.types import Variable
from fullproof.model import StateMachine
from fullproof.model.chart import (
    ChartTransition,
    Effect,
    ExitsAndEntries,
    HistoryDepth,
    Vertex,
    done_event,
    is_active,
    state_names,
)
from fullproof.model.chart_model import ChartModel, TransitionRank


def xstate_lines(model: StateMachine) -> Iterator[str]:
    """Yield the lines of the file; reading it back gives the same model."""
    chart = shown_tree(model, _sayable, _WORDS) or flat_chart(model)
    yield json.dumps(_XstateWriter(chart).machine(), ensure_ascii=False, indent=2) + "\n"


def _sayable(chart: ChartModel) -> bool:
    asks = ChartQuestions(chart)
    initials = [chart.initial, *(vertex.initial for vertex in chart.vertices if vertex.history is None)]
    children = all(len(state_names(names)) < 2 for names in initials) and all(
        asks.known[name].parent == vertex.name and asks.known[name].history is None
        for vertex in chart.vertices
        if vertex.history is None
        for name in state_names(vertex.initial)
    )
    tops = all(asks.known[name].parent is None for name in state_names(chart.initial))
    histories = all(not vertex.initial_effect for vertex in chart.vertices if vertex.history)
    lonely = any(vertex.history and vertex.parent is None for vertex in chart.vertices)
    final = any(vertex.final and vertex.parent is None and vertex.exit for vertex in chart.vertices)
    return asks.plain_actions and asks.asks_plainly and children and tops and histories and not (lonely or final)


_WORDS = TimeWords(format="XState", fits=lambda seconds: "/" not in value_to_text(seconds * 1000))
"""Delays are numbers of milliseconds."""


class _XstateWriter:
    def __init__(self, chart: ChartModel) -> None:
        self.chart = chart
        self.asks = ChartQuestions(chart)
        self.done = {done_event(vertex.name): vertex.name for vertex in chart.vertices}
        self.timers = {timer.name: value_to_text(timer.duration * 1000) for timer in chart.timers}
        self.identifier = chart.name or "(machine)"

    def machine(self) -> dict[str, Any]:
        """The whole file."""
        chart = self.chart
        found: dict[str, Any] = {"id": chart.name} if chart.name else {}
        (initial,) = state_names(chart.initial)
        before = self._actions(chart.before)
        found["initial"] = {"target": initial, "actions": before} if before else initial
        context = {v.name: self._value(v) for v in (*chart.outputs, *chart.variables)}
        if context:
            found["context"] = context
        found["meta"] = {"fullproof": self._ours()}
        found |= self._transitions(None)
        found["states"] = {vertex.name: self._node(vertex) for vertex in self.asks.inside.get(None, [])}
        return found

    def _ours(self) -> dict[str, Any]:
        ranked = self.chart.order is TransitionRank.DOCUMENT
        return {"semantics": "scxml" if ranked else "fullproof", **plain_values(chart_keys(self.chart))}

    def _value(self, variable: Variable) -> Any:
        value = variable.initial
        if isinstance(value, bool | int):
            return value
        return float(value) if value is not None and not isinstance(value, str) else value

    def _node(self, vertex: Vertex) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if vertex.history is not None:
            deep = vertex.history is HistoryDepth.DEEP
            targets = [self._target(vertex.name, name) for name in state_names(vertex.initial)]
            return {"type": "history", "history": "deep" if deep else "shallow", "target": _one(targets)}
        if vertex.final or vertex.parallel:
            found["type"] = "final" if vertex.final else "parallel"
        if vertex.choice:
            found["meta"] = {"fullproof": {"choice": True}}
        initial = state_names(vertex.initial)
        if initial:
            first = self._actions(vertex.initial_effect)
            found["initial"] = {"target": initial[0], "actions": first} if first else initial[0]
        for word, effect in (("entry", vertex.entry), ("exit", vertex.exit)):
            if actions := self._actions(effect):
                found[word] = actions
        found |= self._transitions(vertex.name)
        inside = self.asks.inside.get(vertex.name, [])
        if inside:
            found["states"] = {inner.name: self._node(inner) for inner in inside}
        return found

    def _transitions(self, source: str | None) -> dict[str, Any]:
        arrows = [arrow for arrow in self.chart.arrows if arrow.source == source]
        always = [self._transition(arrow) for arrow in arrows if arrow.trigger is None]
        on: dict[str, list[dict[str, Any]]] = {}
        after: dict[str, list[dict[str, Any]]] = {}
        for arrow in arrows:
            if arrow.trigger in self.timers:
                after.setdefault(self.timers[arrow.trigger], []).append(self._transition(arrow))
            elif arrow.trigger is not None:
                on.setdefault(self._event(arrow.trigger), []).append(self._transition(arrow))
        named = {"always": always, "on": on, "after": after}
        return {word: listed for word, listed in named.items() if listed}

    def _event(self, trigger: str) -> str:
        if trigger in self.done:
            path = ".".join((self.identifier, *self.asks.path(self.done[trigger])))
            return f"xstate.done.state.{path}"
        if "*" in trigger or not trigger or trigger.startswith("xstate."):
            raise UserError(f"an XState machine cannot hold the event {trigger[:60]!r}")
        return trigger

    def _transition(self, arrow: ChartTransition) -> dict[str, Any]:
        found: dict[str, Any] = {}
        targets = state_names(arrow.target)
        if arrow.way is not ExitsAndEntries.INTERNAL and targets:
            found["target"] = _one([self._target(arrow.source, name) for name in targets])
            inside = arrow.source is not None and all(self.asks.within(name, arrow.source) for name in targets)
            if arrow.way is ExitsAndEntries.EXTERNAL and inside:
                found["reenter"] = True
        guard = self._guard(arrow)
        if guard != TRUE:
            found["guard"] = to_text(guard)
        if actions := self._actions(arrow.effect):
            found["actions"] = actions
        if arrow.requirements:
            found["meta"] = {"fullproof": {"req": list(arrow.requirements)}}
        return found

    def _guard(self, arrow: ChartTransition) -> Expression:
        """The guard; that of a completion also asks for the final states."""
        if not arrow.completion or arrow.source is None:
            return arrow.guard
        complete = self._complete(arrow.source)
        return complete if arrow.guard == TRUE else joined_as_written("and", [complete, arrow.guard])

    def _complete(self, name: str) -> Expression:
        inside = [vertex for vertex in self.asks.inside.get(name, []) if vertex.history is None]
        if self.asks.known[name].parallel:
            return joined_as_written("and", [self._complete(vertex.name) for vertex in inside])
        finals: list[Expression] = [Name(is_active(vertex.name)) for vertex in inside if vertex.final]
        return joined_as_written("or", finals) if finals else Name("false")

    def _target(self, source: str | None, name: str) -> str:
        """A sibling by its name, any other state by its path from the machine."""
        parent = None if source is None else self.asks.known[source].parent
        if source is not None and self.asks.known[name].parent == parent and not name.startswith("#"):
            return _escaped(name)
        return "#" + ".".join(map(_escaped, (self.identifier, *self.asks.path(name))))

    def _actions(self, effect: Effect) -> list[Any]:
        plain = plain_effect(effect)
        for signal in plain.sends:
            if ASSIGNS.match(signal) or signal.startswith("xstate."):
                raise UserError(f"an XState machine cannot hold the signal {signal[:60]!r}: it would be another action")
        raised = [{"type": "xstate.raise", "event": {"type": self._event(event)}} for event in plain.raises]
        assigned = [f"{a.variable} = {to_text(a.expression)}" for a in plain.assignments]
        return [*assigned, *plain.sends, *raised]


def _one(targets: list[str]) -> str | list[str]:
    return targets[0] if len(targets) == 1 else targets


def _escaped(name: str) -> str:
    return re.sub(r"([\\.])", r"\\\1", name)
