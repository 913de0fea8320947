"""Queries to the solver: answered without it where that is easy, cached, and within one budget of time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from fullproof.core.deadline import Deadline
from fullproof.language.formulas import FALSE, conjuncts, opposite
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.traversal import free_names
from fullproof.language.types import Variable
from fullproof.smt import Answer, Sat, Solver, Unknown, Unsat, open_solver, pushed

_SOLVERS = 40
_REMEMBERED = 50_000
_EACH = 5.0

Variables = tuple[Variable, ...]


@lru_cache(maxsize=1024)
def scope_of(variables: Variables) -> Scope:
    """The scope of some variables; the same ones are needed again and again."""
    return Scope(variables)


class IocoQuestions:
    """All queries of one comparison. The reasons for undecided queries are kept in ``reasons``."""

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.reasons: dict[str, None] = {}
        self._deadline = Deadline(seconds, now=clock)
        self._solvers: dict[Variables, Solver] = {}
        self._answers: dict[tuple[Variables, frozenset[Expression]], Answer] = {}

    @property
    def is_over(self) -> bool:
        """Whether the time is spent."""
        return self._deadline.passed()

    def give_up(self, reason: str) -> None:
        """Record why a query stays undecided."""
        self.reasons.setdefault(reason)

    def late(self) -> None:
        """Record that the time is over."""
        self.give_up(f"the {self._deadline.seconds:g} s for this comparison are over")

    def possible(self, variables: Variables, formulas: Iterable[Expression]) -> bool | None:
        """Whether the formulas can hold together; None where the solver could not decide, and the reason is
        recorded.
        """
        parts = flat(formulas)
        if FALSE in parts or any(opposite(part) in parts for part in parts):
            return False
        if not parts:
            return True
        if self.is_over:
            self.late()
            return None
        spoken_of = frozenset().union(*(free_names(part) for part in parts))
        match self._remembered(tuple(v for v in variables if v.name in spoken_of), parts):
            case Sat():
                return True
            case Unsat():
                return False
            case Unknown(reason):
                self.give_up(f"the solver could not decide whether a step is possible: {reason}")
                return None

    def solve(self, variables: Variables, formulas: Iterable[Expression]) -> Answer:
        """Values for all variables such that the formulas hold."""
        return self._remembered(variables, flat(formulas))

    def never(
        self, variables: Variables, formulas: Iterable[Expression], forall: Sequence[Variable], body: Expression
    ) -> Answer:
        """Values such that the formulas hold, and ``body`` for all values of ``forall``."""
        if self.is_over:
            return Unknown("the time is over")
        with pushed(self._solver(variables)) as solver:
            solver.add(*formulas)
            return solver.check_exists_forall((), forall, body)

    def _remembered(self, variables: Variables, parts: dict[Expression, None]) -> Answer:
        key = variables, frozenset(parts)
        known = self._answers.get(key)
        if known is None:
            if self.is_over:
                return Unknown("the time is over")
            known = self._solver(variables).check_assuming(*parts)
            if len(self._answers) >= _REMEMBERED:
                self._answers.clear()
            self._answers[key] = known
        return known

    def _solver(self, variables: Variables) -> Solver:
        solver = self._solvers.get(variables)
        if solver is None:
            if len(self._solvers) >= _SOLVERS:
                del self._solvers[next(iter(self._solvers))]
            solver = self._solvers[variables] = open_solver(scope_of(variables), timeout=_EACH)
        return solver


@dataclass(frozen=True, slots=True)
class SignedCase:
    """One way in which conditions can be true and false together."""

    signs: frozenset[Expression]
    """The conditions that are true."""
    conditions: tuple[Expression, ...] = field(default=())
    """What holds exactly then, beside the base."""


def sign_vectors(
    asking: IocoQuestions, variables: Variables, base: Sequence[Expression], conditions: Iterable[Expression]
) -> Iterator[SignedCase]:
    """All ways in which the conditions can be true and false together where ``base`` holds, which is possible.

    A combination that the solver can neither exclude nor confirm is left out, and ``asking`` records the reason.
    """
    waiting = [(SignedCase(frozenset()), tuple(dict.fromkeys(conditions)))]
    while waiting:
        leaf, left = waiting.pop()
        if not left:
            yield leaf
            continue
        condition, rest = left[0], left[1:]
        yes = asking.possible(variables, (*base, *leaf.conditions, condition))
        # One of the two is possible, since the assertions so far are satisfiable.
        no = True if yes is False else asking.possible(variables, (*base, *leaf.conditions, opposite(condition)))
        if no:
            waiting.append((SignedCase(leaf.signs, (*leaf.conditions, opposite(condition))), rest))
        if yes or (yes is None and no is False):
            waiting.append((SignedCase(leaf.signs | {condition}, (*leaf.conditions, condition)), rest))


def flat(formulas: Iterable[Expression]) -> dict[Expression, None]:
    """The parts of all conjunctions, each once."""
    return dict.fromkeys(part for formula in formulas for part in conjuncts(formula))
