"""Limits of guards that lie elsewhere in a system, as causes of a failure: sought where values were tried."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from fullproof.artefacts.execution import Execution
from fullproof.kinds.suspects import SuspectFaults
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Name
from fullproof.language.types import IntType, RealType, Value, Variable
from fullproof.model import Sfsm, StateMachine
from fullproof.model.inputs import SignalEvent
from fullproof.mutate.limits import GuardLimit, limits_of, moved

M = TypeVar("M", Sfsm, StateMachine)

_NEAR = 3
"""How far a limit of something other than an input is moved."""
_MOST = 60
"""Numbers that are tried for one limit."""


class MovedLimit(NamedTuple, Generic[M]):
    """A fault in words, the machine with it, and the wrong and the right number."""

    text: str
    machine: M
    replaced: tuple[str, str]


def moved_limits(model: M, asked: SuspectFaults, scope: Scope) -> Iterator[MovedLimit[M]]:
    """Each limit elsewhere, in the guards of one state and in all.

    Between two values that were tried, limits behave alike so far: those beside them and in the middle stand for all
    of them. Further tests separate these, so that a search that is repeated halves what is left. At an end of the range
    of an input, where no value may have been tried, a limit stands for guards that hold always or never.
    """
    tried = {v.name: _tried(asked.kept, v) for v in model.inputs}
    failing = {v.name: _values(asked.failing, v.name) for v in model.inputs}
    own = {s: limits_of((t.guard for t in model.transitions if t.source == s), scope) for s in model.states}
    for state, limits in own.items():
        for limit in limits:
            for number in _elsewhere(limit, tried, failing):
                yield _with(model, limit, number, state, scope)
    for limit in dict.fromkeys(limit for limits in own.values() for limit in limits):
        if sum(limit in limits for limits in own.values()) > 1:
            for number in _elsewhere(limit, tried, failing):
                yield _with(model, limit, number, None, scope)


def _with(model: M, limit: GuardLimit, number: Fraction, state: str | None, scope: Scope) -> MovedLimit[M]:
    transitions = tuple(
        dataclasses.replace(t, guard=moved(t.guard, limit, number, scope)) if state in (None, t.source) else t
        for t in model.transitions
    )
    wrong, right = (value_to_text(int(n) if n.denominator == 1 else n) for n in (number, limit.number))
    where = "everywhere" if state is None else f"in {state}"
    text = f"limit {wrong} instead of {right} for {to_text(limit.about)} {where}"
    return MovedLimit(text, dataclasses.replace(model, transitions=transitions), (wrong, right))


def _elsewhere(
    limit: GuardLimit, tried: Mapping[str, Sequence[Fraction]], failing: Mapping[str, Sequence[Fraction]]
) -> Sequence[Fraction]:
    """The numbers to try for a limit, the nearest first."""
    if not isinstance(limit.about, Name) or limit.about.name not in tried:
        return [limit.number + sign * k for k in range(1, _NEAR + 1) for sign in (1, -1)]
    values = tried[limit.about.name]
    numbers = {v + d for v in values for d in (-1, 0, 1)} | {
        Fraction(int(low + high) // 2 + d) for low, high in pairwise(values) if high - low > _NEAR for d in (0, 1)
    }
    wrong = failing[limit.about.name]
    # Where the limit is passed by no value of a failing execution, it explains no failure.
    passed = [n for n in numbers if n != limit.number and _is_between(wrong, *sorted((n, limit.number)))]
    return sorted(passed, key=lambda n: abs(n - limit.number))[:_MOST]


def _tried(executions: Iterable[Execution], variable: Variable) -> list[Fraction]:
    """The numbers that an input had, and the ends of its range."""
    values, of = _values(executions, variable.name), variable.type
    ends = (of.low, of.high) if isinstance(of, IntType | RealType) else ()
    return sorted({*values, *(Fraction(end) for end in ends if end is not None)})


def _is_between(values: Iterable[Fraction], low: Fraction, high: Fraction) -> bool:
    return any(low <= value <= high for value in values)


def _values(executions: Iterable[Execution], name: str) -> list[Fraction]:
    """The numbers that an input had in some executions, in order."""
    found: set[Fraction] = set()
    for execution in executions:
        for step in execution.steps:
            value = _given(step.input, name)
            if type(value) in (int, Fraction):
                found.add(Fraction(value))  # type: ignore[arg-type]
    return sorted(found)


def _given(symbol: object, name: str) -> Value | None:
    if isinstance(symbol, SignalEvent):
        return symbol.values.get(name)
    return symbol.get(name) if isinstance(symbol, Mapping) else None
