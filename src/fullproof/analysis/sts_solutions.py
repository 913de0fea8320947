"""Values for a switch from the solver, where no guess satisfies its guard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from fullproof.analysis.sts_knowledge import Position
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.language.box import Interval, Lists, Side, box_of
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import conjuncts, has_values
from fullproof.language.lists import EMPTY
from fullproof.language.traversal import free_names
from fullproof.language.types import Value
from fullproof.language.values import coerce
from fullproof.smt import Sat, Solver, open_solver

_KEPT = 10_000
"""How many answers are kept."""
_EFFORT = 0.05
_PATIENCE = 200.0
"""Steps of the solver for one question, as seconds, and how much longer they may take."""


class Solutions:
    """Values for a switch in a state from the solver, cached."""

    def __init__(self, semantics: StsSemantics) -> None:
        self._semantics = semantics
        self._known: dict[tuple[int, tuple[Value, ...]], tuple[Value, ...] | None] = {}
        self._solvers: dict[str, Solver] = {}
        self._plain: dict[int, list[Callable[[Mapping[str, Value]], Value]]] = {}

    def find(self, number: int, position: Position) -> tuple[Value, ...] | None:
        """Some values that satisfy the guard; None where there are none or the solver finds none."""
        key = (number, position.values)
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            given = self._semantics.given(position)
            lacks = any(not holds(given) for holds in self._without_parameters(number))
            self._known[key] = None if lacks else self._solved(number, given)
        return self._known[key]

    def _solved(self, number: int, given: Mapping[str, Value]) -> tuple[Value, ...] | None:
        compiled = self._semantics.compiled[number]
        box = box_of(compiled.switch.guard, compiled.scope, given, compiled.parameters)
        if box is not None:
            return (
                None
                if box.is_empty()
                else tuple(coerce(_member(box.sides[p.name]), p.type) for p in compiled.parameters)
            )
        gate = compiled.switch.gate
        if gate not in self._solvers:
            self._solvers[gate] = open_solver(compiled.scope, timeout=_EFFORT, patience=_PATIENCE)
        answer = self._solvers[gate].check_assuming(compiled.switch.guard, has_values(given.items()))
        return tuple(answer.model[p.name] for p in compiled.parameters) if isinstance(answer, Sat) else None

    def _without_parameters(self, number: int) -> list[Callable[[Mapping[str, Value]], Value]]:
        """The parts of a guard that the state alone decides: where one is false, no solver is needed."""
        if number not in self._plain:
            compiled = self._semantics.compiled[number]
            names = {p.name for p in compiled.parameters}
            parts = [part for part in conjuncts(compiled.switch.guard) if not free_names(part) & names]
            self._plain[number] = [compile_expression(part, compiled.scope) for part in parts]
        return self._plain[number]


def _member(side: Side) -> Value:
    """One value of a set that is not empty: the one nearest to zero, or inside of an open end."""
    if isinstance(side, Lists):
        return EMPTY
    if not isinstance(side, Interval):
        return side.values[0]
    low, high = side.low, side.high
    if (low is None or low < 0) and (high is None or high > 0):
        found = Fraction(0)
    elif low is not None and low >= 0:
        found = low if not side.low_open else (low + 1 if high is None else (low + high) / 2)
    else:
        end = high or Fraction(0)
        found = end if not side.high_open else (end - 1 if low is None else (low + end) / 2)
    return int(found) if side.whole else found
