"""Inputs beside the boundaries of guards, different ones in different places, wherever the guarantee leaves a choice.

Any input of a class serves the theorems alike, so which one a test takes is free. It is taken where a typical mistake
in a guard of the current state would show: ``temp < 17`` instead of ``temp < 18`` at 17.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from math import ceil, floor
from typing import TypeAlias

from fullproof.abstract.points import BoundaryPoints
from fullproof.artefacts.notes import MeaningNote
from fullproof.concretise.boundary_words import BoundaryChoice, ShownMistake, States, boundary_words
from fullproof.core.errors import UserError
from fullproof.kinds.sfsm.method_suite import MethodSuite
from fullproof.kinds.sfsm.question import Question
from fullproof.language.compile import compile_expression
from fullproof.language.equations import solved_for
from fullproof.language.printer import to_text
from fullproof.language.syntax import Expression
from fullproof.language.types import RealType, Value
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.mutate.expressions import guard_mistakes
from fullproof.mutate.rewrites import Slip

Inputs: TypeAlias = Mapping[str, Value]
_Condition: TypeAlias = Callable[[Mapping[str, Value]], Value]

_WAYS = 12
"""How many inputs of a class are used at most."""
_POINTS = 1_200
"""How many inputs are examined."""
_GRID = 64
_FINEST = 2**20
"""Numbers that floats do not hold are rounded to multiples of 1/64, or of a power of two as fine as their own
denominator, so that they stay between a threshold and a wrong one: 9.99 beside 10 becomes 9.9921875, not 9.984375.
"""
_MISTAKES = 400
"""How many mistakes in guards are distinguished."""
_ELSEWHERE = 4
"""The part of its weight that a mistake has for a transition that is not beside the input."""
_WEIGHTS = {Slip.STRICTNESS: 100, Slip.BOUNDARY: 100, Slip.OPERATOR: 5, Slip.CONSTANT: 10, Slip.EXCHANGE: 1}
"""Mistakes beside a boundary come first: the others show at most inputs."""


def with_boundary_values(model: Sfsm, made: MethodSuite) -> MethodSuite:
    """The same suite with inputs beside boundaries; as many tests and inputs, and the same guarantee."""
    if made.serves is None:
        return made
    mistakes = _Mistakes.of(model)
    offers = _Offers(model, mistakes)
    ways = [offers.instead_of(given, _bound(made.serves, number)) for number, given in enumerate(made.inputs)]
    if all(len(way) == 1 and way[0] == given for way, given in zip(ways, made.inputs, strict=True)):
        return made
    choice = BoundaryChoice(
        ways=[len(way) for way in ways],
        initial=frozenset({model.states.index(model.initial)}),
        after=lambda states, symbol: mistakes.after(states, ways[symbol][0]),
        shown=lambda states, symbol, way: mistakes.shown(states, ways[symbol][way]),
        answers_differ=lambda one, other, symbol: mistakes.answers_differ(one, other, ways[symbol][0]),
    )
    return replace(made, inputs=tuple(chain.from_iterable(ways)), words=boundary_words(made.words, choice))


def guards_outside(model: Sfsm, question: Question) -> tuple[str, ...]:
    """The note that wrong guards are not in the fault domain, with an example; none where some are, or none can be."""
    domain = question.fault_domain
    if domain.guards or domain.thresholds or question.derived.guards:
        return ()
    for t in model.transitions:
        for slip, wrong in guard_mistakes(model, t.guard):
            if slip is Slip.BOUNDARY:
                example = f"{to_text(wrong)} instead of {to_text(t.guard)}"
                return (MeaningNote(f"wrong guards, such as {example}, are outside of the fault domain; {_ADDED}"),)
    return ()


_ADDED = "--mutate-guards adds typical ones"


def _bound(serves: Callable[[int, Inputs], bool], number: int) -> Callable[[Inputs], bool]:
    return lambda point: serves(number, point)


class _Answer:
    """The output of a transition: its values where these are functions of the input, else the condition itself."""

    def __init__(self, model: Sfsm, transition: SfsmTransition) -> None:
        self._condition = transition.output
        solved = solved_for(transition.output, [v.name for v in model.outputs])
        scope = model.scope
        self._values = None if solved is None else {k: compile_expression(v, scope) for k, v in solved.items()}

    def differs(self, other: _Answer, point: Inputs) -> bool:
        """Whether the two answer an input in different ways."""
        if self._values is None or other._values is None:
            return self._condition != other._condition
        try:
            return any(self._values[k](point) != other._values[k](point) for k in self._values)
        except (ArithmeticError, KeyError, UserError):
            return self._condition != other._condition


@dataclass(frozen=True, slots=True, eq=False)
class _Guard:
    """A guard of a transition, and its mistakes by number."""

    holds: _Condition
    target: int
    mistakes: Mapping[int, _Condition]
    answer: _Answer


@dataclass(frozen=True, slots=True, eq=False)
class _Mistakes:
    """The guards of each state with their typical mistakes; equal guards of different states have different numbers."""

    expressions: tuple[Expression, ...]
    weights: Sequence[int]
    guards: tuple[tuple[_Guard, ...], ...]

    @staticmethod
    def of(model: Sfsm) -> _Mistakes:
        scope = model.input_scope
        place = {state: k for k, state in enumerate(model.states)}
        known = {t.guard: guard_mistakes(model, t.guard) for t in model.transitions}
        share = max(4, _MISTAKES // max(1, len(model.transitions)))
        weights: list[int] = []
        rows: list[list[_Guard]] = [[] for _ in model.states]
        compiled = {
            guard: [(slip, compile_expression(found, scope)) for slip, found in sorted(those, key=lambda one: one[0])]
            for guard, those in known.items()
        }
        for t in model.transitions:
            mine = compiled[t.guard][:share]
            numbered = {len(weights) + k: holds for k, (_, holds) in enumerate(mine)}
            weights += [_WEIGHTS[slip] for slip, _ in mine]
            holds = compile_expression(t.guard, scope)
            rows[place[t.source]].append(_Guard(holds, place[t.target], numbered, _Answer(model, t)))
        near = (found for those in known.values() for slip, found in those if slip is Slip.BOUNDARY)
        return _Mistakes(tuple(dict.fromkeys((*known, *near))), weights, tuple(map(tuple, rows)))

    def after(self, states: States, point: Inputs) -> States:
        """Where the transitions lead whose guards hold."""
        return frozenset(guard.target for state in states for guard in self.guards[state] if guard.holds(point))

    def shown(self, states: States, point: Inputs) -> dict[object, ShownMistake]:
        """The mistakes that would change whether a guard of these states holds, by what a system does instead; with the
        states that it would be in, right and wrong, where the output does not show it.
        """
        found: dict[object, ShownMistake] = {}
        for state in states:
            row = self.guards[state]
            for guard in row:
                for number in self._changed(guard, point):
                    for other, part in self._instead(row, guard, point):
                        right, wrong = (guard, row[other]) if guard.holds(point) else (row[other], guard)
                        if right.answer.differs(wrong.answer, point):
                            found[number, other] = ShownMistake(self.weights[number] // part)
                        elif right.target != wrong.target:
                            pairs = frozenset({(right.target, wrong.target)})
                            found[number, other] = ShownMistake(self.weights[number] // part, pairs)
        return found

    def _instead(self, row: tuple[_Guard, ...], guard: _Guard, point: Inputs) -> list[tuple[int, int]]:
        """Other transitions by number, with the part of the weight: where a guard does not hold, the right one; where
        it holds, any that a wrong system may take instead, of which those beside this input count more.
        """
        others = [(k, one) for k, one in enumerate(row) if one is not guard]
        if not guard.holds(point):
            return [(k, 1) for k, one in others if one.holds(point)]
        return [(k, 1 if self._changed(one, point) else _ELSEWHERE) for k, one in others]

    def answers_differ(self, one: int, other: int, point: Inputs) -> bool:
        """Whether two states answer an input in different ways."""
        ways = [[guard for guard in self.guards[state] if guard.holds(point)] for state in (one, other)]
        if not all(ways):
            return bool(ways[0]) != bool(ways[1])
        return all(a.answer.differs(b.answer, point) for a in ways[0] for b in ways[1])

    def _changed(self, guard: _Guard, point: Inputs) -> list[int]:
        right = guard.holds(point)
        return [number for number, holds in guard.mistakes.items() if holds(point) != right]

    def all_shown(self, point: Inputs) -> frozenset[int]:
        """The same in any state."""
        return frozenset(number for row in self.guards for guard in row for number in self._changed(guard, point))


class _Offers:
    """Inputs beside boundaries, by the guards that hold at them."""

    def __init__(self, model: Sfsm, mistakes: _Mistakes) -> None:
        scope = model.input_scope
        self._mistakes = mistakes
        self._guards = [compile_expression(g, scope) for g in dict.fromkeys(t.guard for t in model.transitions)]
        self._terms = [
            (compile_expression(t.guard, scope), term) for t in model.transitions for term in _terms(model, t)
        ]
        self._by_signs: dict[tuple[bool, ...], list[Inputs]] = {}
        points = BoundaryPoints(mistakes.expressions, scope, model.inputs, ()).inputs()
        step = max(1, len(points) // _POINTS)
        for point in chain.from_iterable(map(_held_by_floats, points[::step])):
            if model.interface.misfit(dict(point)) is None and self._is_safe_with_floats(point):
                self._by_signs.setdefault(self._signs(point), []).append(point)

    def instead_of(self, given: Inputs, serves: Callable[[Inputs], bool]) -> tuple[Inputs, ...]:
        """Inputs that may stand for one, those that show most mistakes first; itself where none shows any."""
        left = [(point, self._mistakes.all_shown(point)) for point in self._by_signs.get(self._signs(given), [])]
        found: list[Inputs] = []
        met: set[int] = set()
        while left and len(found) < _WAYS:
            best = max(range(len(left)), key=lambda k: (self._worth(left[k][1] - met), -k))
            point, shown = left.pop(best)
            if not shown - met:
                break
            if serves(point):
                found.append(point)
                met |= shown
        return tuple(found) or (given,)

    def _worth(self, numbers: frozenset[int]) -> int:
        return sum(self._mistakes.weights[number] for number in numbers)

    def _signs(self, point: Inputs) -> tuple[bool, ...]:
        return tuple(holds(point) is True for holds in self._guards)

    def _is_safe_with_floats(self, point: Inputs) -> bool:
        """Whether a system that computes with floats decides every guard as exact numbers do, and gets the outputs."""
        rough = {name: _rough(value) for name, value in point.items()}
        try:
            return all(holds(rough) == holds(point) for holds in self._guards) and all(
                _rough(term(rough)) == _rough(term(point)) for holds, term in self._terms if holds(point)
            )
        except (ArithmeticError, TypeError, UserError):
            return False


def _terms(model: Sfsm, transition: SfsmTransition) -> list[_Condition]:
    """What outputs of real numbers without a tolerance equal, where that is said."""
    terms = solved_for(transition.output, [v.name for v in model.outputs]) or {}
    exact = [v.name for v in model.outputs if isinstance(v.type, RealType) and not v.tolerance]
    return [compile_expression(terms[name], model.input_scope) for name in exact if name in terms]


def _held_by_floats(point: Inputs) -> Iterable[Inputs]:
    """The input, or those around it whose numbers floats hold exactly: differences of others, such as 200.1 - 200, are
    wrong in the last digits, and so would be the outputs of a right system.
    """
    if all(not isinstance(value, Fraction) or Fraction(float(value)) == value for value in point.values()):
        return (point,)
    return (
        {name: _on_grid(value, rounded) if isinstance(value, Fraction) else value for name, value in point.items()}
        for rounded in (floor, ceil)
    )


def _on_grid(value: Fraction, rounded: Callable[[Fraction], int]) -> Fraction:
    """A multiple of a power of two beside a number."""
    grid = min(_FINEST, max(_GRID, 1 << (value.denominator - 1).bit_length()))
    return Fraction(rounded(value * grid), grid)


def _rough(value: Value) -> Value:
    return float(value) if isinstance(value, Fraction) else value  # type: ignore[return-value]
