"""Steps before the first input: they are unobservable, so they only change the initial state and values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.formats.charts.hierarchy import Flat
from fullproof.language.evaluate import evaluate
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.traversal import free_names
from fullproof.language.types import Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model.chart import ConditionalActions, Effect, StartedTimer
from fullproof.model.chart_model import ChartModel
from fullproof.model.statemachine import SmTransition
from fullproof.model.sts import Assignment

LONGEST_RUN = 1_000


def initial_values(
    start: Effect, variables: Iterable[Variable], scope: Scope, *, at: Place = NOWHERE
) -> tuple[Variable, ...]:
    """The variables with the initial values that they have once the initial state is entered.

    Before the first input nothing is observable, so assignments on the way to the initial state only change initial
    values. UserError: they read an input, which has no value yet, or leave a range.
    """
    listed = tuple(variables)
    values: dict[str, Value] = {v.name: coerce(v.initial, v.type) for v in listed if v.initial is not None}
    for action in start.actions:
        if isinstance(action, StartedTimer):
            continue
        assert isinstance(action, Assignment)  # conditional actions are steps of the machine
        variable = scope.variable(action.variable, at=at)
        place = action.expression.at if action.expression.at.line is not None else at
        unset = [v.name for v in scope.variables if v.name not in values and v.name in free_names(action.expression)]
        if unset:
            raise UserError(f"entering the initial state reads {unset[0]!r}, which has no value yet", at=place)
        value = coerce(evaluate(action.expression, scope, values), variable.type)
        if not in_range(value, variable.type):
            text = f"{variable.name} = {value_to_text(value)} leaves {type_to_text(variable.type)}"
            raise UserError(f"entering the initial state: {text}", at=place)
        values[variable.name] = value
    return tuple(replace(v, initial=values.get(v.name)) for v in listed)


@dataclass(frozen=True, slots=True)
class Begun:
    """A machine before its first input."""

    state: str
    values: tuple[Variable, ...]
    """Outputs and variables with the values that they have by then."""
    running: tuple[str, ...] = ()
    """The timers that run."""
    sent: tuple[str, ...] = ()
    """The signals that were sent, which belong to no answer."""


def begun(chart: ChartModel, entered: Effect, initial: str) -> Begun:
    """The machine in its initial state, which was entered by these actions."""
    actions, sent = chart.before.actions + entered.actions, chart.before.sends + entered.sends
    values = initial_values(Effect(actions=actions), chart.outputs + chart.variables, chart.scope, at=chart.at)
    running = tuple(action.timer for action in actions if isinstance(action, StartedTimer))
    return Begun(initial, values, running, sent)


def assigned_first(chart: ChartModel) -> ChartModel:
    """The chart with other initial values for what is assigned before the initial states are entered."""
    steps = chart.before.steps()
    if any(isinstance(step, ConditionalActions) for step in steps):
        return chart
    assigned = Effect(actions=tuple(step for step in steps if isinstance(step, Assignment)))
    values = initial_values(assigned, chart.outputs + chart.variables, chart.scope, at=chart.at)
    return replace(
        chart,
        outputs=values[: len(chart.outputs)],
        variables=values[len(chart.outputs) :],
        before=Effect(actions=tuple(step for step in steps if not isinstance(step, Assignment))),
    )


def settled(
    first: Begun,
    leaving: Callable[[str], Iterable[SmTransition]],
    scope: Scope,
    passes: Callable[[str], bool] | None = None,
) -> Begun:
    """The machine once all transitions without trigger are taken that need no input.

    A guard that refers to an input does not hold before the first one. Where several transitions are enabled, the
    machine stays where it is: ``check`` reports the ambiguity. Where ``passes`` is given, only states are left
    that it holds for. UserError: a range is left, or the run does not end.
    """
    free: list[SmTransition] = []
    initial, variables, running, sent = first.state, first.values, first.running, first.sent
    for _ in range(LONGEST_RUN):
        if passes is not None and not passes(initial):
            return Begun(initial, variables, running, sent)
        free = [t for t in leaving(initial) if t.trigger is None]
        values: dict[str, Value] = {v.name: v.initial for v in variables if v.initial is not None}
        known = [t for t in free if not _unset(t, scope, values)]
        enabled = [t for t in known if evaluate(t.guard, scope, values)]
        if len(enabled) != 1:
            return Begun(initial, variables, running, sent)
        (taken,) = enabled
        variables = initial_values(Effect(actions=taken.actions), variables, scope, at=taken.at)
        sent += taken.sends
        initial = taken.target
        kept = (name for name in running if name not in taken.starts + taken.stops)
        running = (*kept, *taken.starts)
    raise UserError(f"livelock before the first input: more than {LONGEST_RUN} transitions", at=free[0].at)


def _unset(t: SmTransition, scope: Scope, values: dict[str, Value]) -> bool:
    names = free_names(t.guard)
    return any(v.name in names and v.name not in values for v in scope.variables)


def require_set(unset: frozenset[str], start: Effect, flat: Flat, *, at: Place) -> None:
    """UserError where a variable without initial value may be read before it is assigned."""
    if not unset:
        return
    assigned = tuple(action for action in start.actions if isinstance(action, Assignment))
    open_in = {flat.initial: _unset_after(unset, assigned, at)}
    leaving: dict[str, list[SmTransition]] = {}
    for t in flat.transitions:
        leaving.setdefault(t.source, []).append(t)
    waiting = [flat.initial]
    while waiting:
        state = waiting.pop()
        for t in leaving.get(state, []):
            _require(free_names(t.guard) & open_in[state], t.at)
            after = _unset_after(open_in[state], t.actions, t.at)
            if not after <= open_in.get(t.target, frozenset()) or t.target not in open_in:
                open_in[t.target] = open_in.get(t.target, frozenset()) | after
                waiting.append(t.target)


def _unset_after(unset: frozenset[str], actions: Iterable[Assignment], at: Place) -> frozenset[str]:
    for action in actions:
        _require(free_names(action.expression) & unset, action.expression.at if action.expression.at.line else at)
        unset -= {action.variable}
    return unset


def _require(read: frozenset[str], at: Place) -> None:
    if read:
        message = f"{min(read)!r} may be read before it has a value; give it one by expr"
        raise UserError(message, at=at)
