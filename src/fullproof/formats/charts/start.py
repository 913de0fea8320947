"""Steps before the first input: they are unobservable, so they only change the initial state and values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.formats.charts.chart import Effect
from fullproof.language.evaluate import evaluate
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.traversal import free_names
from fullproof.language.types import Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model.statemachine import SmTransition

LONGEST_RUN = 1_000


def initial_values(
    start: Effect, variables: Iterable[Variable], scope: Scope, *, at: Place = NOWHERE
) -> tuple[Variable, ...]:
    """The variables with the initial values that they have once the initial state is entered.

    Before the first input nothing is observable, so assignments on the way to the initial state only change initial
    values. UserError: they read an input, which has no value yet, leave a range, or a signal is sent.
    """
    listed = tuple(variables)
    if start.sends:
        message = f"{start.sends[0][:60]!r} is sent before the first input, where it is unobservable"
        raise UserError(f"entering the initial state sends a signal: {message}", at=at)
    values: dict[str, Value] = {v.name: coerce(v.initial, v.type) for v in listed if v.initial is not None}
    for action in start.actions:
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


def settled(
    initial: str, transitions: Iterable[SmTransition], variables: tuple[Variable, ...], scope: Scope
) -> tuple[str, tuple[Variable, ...]]:
    """The state and the initial values once all transitions without trigger are taken that need no input.

    A guard that refers to an input does not hold before the first one. Where several transitions are enabled, the
    machine stays where it is: ``check`` reports the ambiguity. UserError: a signal is sent, a range is
    left, or the run does not end.
    """
    free = [t for t in transitions if t.trigger is None]
    for _ in range(LONGEST_RUN):
        values: dict[str, Value] = {v.name: v.initial for v in variables if v.initial is not None}
        known = [t for t in free if t.source == initial and not _unset(t, scope, values)]
        enabled = [t for t in known if evaluate(t.guard, scope, values)]
        if len(enabled) != 1:
            return initial, variables
        (taken,) = enabled
        variables = initial_values(Effect(actions=taken.actions, sends=taken.sends), variables, scope, at=taken.at)
        initial = taken.target
    raise UserError(f"livelock before the first input: more than {LONGEST_RUN} transitions", at=free[0].at)


def _unset(t: SmTransition, scope: Scope, values: dict[str, Value]) -> bool:
    names = free_names(t.guard)
    return any(v.name in names and v.name not in values for v in scope.variables)
