"""Numbered conditions, and cached queries about them to one solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fullproof.core.errors import UserError
from fullproof.language.compile import compile_expression
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction, disjunction
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import Comparison, Expression, Name, Unary
from fullproof.language.types import Value, Variable
from fullproof.smt import Answer, Sat, Unknown, Unsat, open_solver, pushed

_SHOWN = 200


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A query that the solver left undecided: it must not be treated as yes or no."""

    formula: str
    reason: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The set of values at which, of the given conditions, exactly these hold, and one of its values."""

    holding: frozenset[int]
    witness: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class ConditionCells:
    """All satisfiable cells, or those found until the solver could not decide whether there are more."""

    cells: tuple[Cell, ...]
    open: OpenQuestion | None = None


class Conditions:
    """Conditions over the variables of a scope. Numbers stand for them, since trees are slow to hash."""

    def __init__(self, scope: Scope, *, timeout: float | None) -> None:
        self.scope = scope
        self._solver = open_solver(scope, timeout=timeout)
        self._numbers: dict[Expression, int] = {}
        self._expressions: list[Expression] = []
        self._values: dict[tuple[tuple[str, Value], ...], int] = {}
        self._closures: dict[int, Callable[[Mapping[str, Value]], Value]] = {}
        self._asked: dict[tuple[frozenset[int], frozenset[int]], Answer] = {}
        self._cells: dict[tuple[frozenset[int], tuple[frozenset[int], ...], frozenset[int]], ConditionCells] = {}
        self._lacking: dict[tuple[frozenset[int], frozenset[int]], Answer] = {}

    def number(self, expression: Expression) -> int:
        """The number of a condition; equal trees have equal numbers."""
        known = self._numbers.get(expression)
        if known is None:
            known = self._numbers[expression] = len(self._expressions)
            self._expressions.append(expression)
        return known

    def values(self, given: Mapping[str, Value]) -> int:
        """The condition that these variables have these values."""
        key = tuple(given.items())
        if key not in self._values:
            self._values[key] = self.number(conjunction(_has_value(name, value) for name, value in key))
        return self._values[key]

    def any_of(self, numbers: Iterable[int]) -> int:
        """The condition that one of them holds."""
        return self.number(disjunction(self._expressions[number] for number in sorted(numbers)))

    def holds(self, number: int, values: Mapping[str, Value]) -> bool:
        """Evaluate a condition exactly; values of its own variables suffice."""
        if number not in self._closures:
            self._closures[number] = compile_expression(self._expressions[number], self.scope)
        return bool(self._closures[number](values))

    def ask(self, true: frozenset[int], false: frozenset[int]) -> Answer:
        """Whether some values satisfy all of ``true`` and none of ``false``."""
        if true & false:
            return Unsat()
        key = (true, false)
        if key not in self._asked:
            self._asked[key] = self._solver.check_assuming(*self._literals(true, false))
        return self._asked[key]

    def ask_without(self, true: frozenset[int], none: frozenset[int], variables: Sequence[Variable]) -> Answer:
        """Whether values satisfy ``true`` such that no values of ``variables`` satisfy any of ``none`` with the rest.

        A Sat model has values for the variables too, which satisfy ``true``.
        """
        key = (true, none)
        if key not in self._lacking:
            fresh = {variable.name: Name(variable.name + "'") for variable in variables}
            bound = [_renamed(variable) for variable in variables]
            never = conjunction(Unary("not", substitute(self._expressions[k], fresh)) for k in sorted(none))
            with pushed(self._solver):
                self._solver.add(*self._literals(true, frozenset()))
                self._lacking[key] = self._solver.check_exists_forall((), bound, never)
        return self._lacking[key]

    def cells(
        self, true: frozenset[int], *groups: frozenset[int], watched: frozenset[int] = frozenset()
    ) -> ConditionCells:
        """The satisfiable combinations of the conditions of all groups and of the watched ones.

        At least one condition of each group holds, and all of ``true``. One question per combination found, and one
        more: the cost does not depend on how many are conceivable.
        """
        key = (true, groups, watched)
        if key not in self._cells:
            self._cells[key] = self._enumerate(true, groups, watched)
        return self._cells[key]

    def open_question(self, true: Iterable[int], false: Iterable[int], reason: str) -> OpenQuestion:
        """A query as readable text."""
        try:
            text = to_text(conjunction(self._literals(frozenset(true), frozenset(false))))
        except UserError:  # a number too long to be written
            text = "a formula too long to be shown"
        return OpenQuestion(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...", reason)

    def _literals(self, true: frozenset[int], false: frozenset[int]) -> list[Expression]:
        held = [self._expressions[number] for number in sorted(true)]
        return held + [Unary("not", self._expressions[number]) for number in sorted(false)]

    def _enumerate(
        self, true: frozenset[int], groups: Sequence[frozenset[int]], watched: frozenset[int]
    ) -> ConditionCells:
        """Cells by the first condition of the first group that holds: what was tried before is then just false."""
        everything = sorted(watched.union(*groups))
        found: list[Cell] = []
        doubt: OpenQuestion | None = None
        with pushed(self._solver):
            self._solver.add(*self._literals(true, frozenset()))
            self._solver.add(*(self._expressions[self.any_of(group)] for group in groups[1:]))
            if not groups:
                doubt = self._branch(everything, found)
                return ConditionCells(tuple(found), doubt)
            for number in sorted(groups[0]):
                with pushed(self._solver):
                    self._solver.add(self._expressions[number])
                    open_here = self._branch(everything, found)
                doubt = doubt or open_here
                self._solver.add(Unary("not", self._expressions[number]))
                everything.remove(number)
        return ConditionCells(tuple(found), doubt)

    def _branch(self, numbers: Sequence[int], found: list[Cell]) -> OpenQuestion | None:
        """Find all cells under what is asserted, each by one question, and one more to see that there are no others."""
        while True:
            match self._solver.check():
                case Sat(values):
                    holding = frozenset(number for number in numbers if self.holds(number, values))
                    found.append(Cell(holding, values))
                    self._solver.add(Unary("not", self._cell_formula(holding, numbers)))
                case Unsat():
                    return None
                case Unknown(reason):
                    return self.open_question(numbers, (), reason)

    def _cell_formula(self, holding: frozenset[int], everything: Iterable[int]) -> Expression:
        return conjunction(self._literals(holding, frozenset(everything) - holding))


def _has_value(name: str, value: Value) -> Expression:
    if isinstance(value, bool):
        return Name(name) if value else Unary("not", Name(name))
    return Comparison((Name(name), literal(value)), ("==",))


def _renamed(variable: Variable) -> Variable:
    return Variable(name=variable.name + "'", type=variable.type)
