"""Queries to the solver: one budget of time for all of them, and a finding for each that stays undecided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import warning
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.language.elimination import eliminated
from fullproof.language.formulas import conjunction, negation
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.types import Variable
from fullproof.smt import open_solver, pushed
from fullproof.smt.answers import Answer, Unknown

_SHOWN = 160


def all_of(parts: Iterable[bool | None]) -> bool | None:
    """False where a part is, else None where a part is open, else True."""
    found = list(parts)
    return False if False in found else None if None in found else True


def _each_of(deadline: Deadline) -> float | None:
    """The budget of a single query, so that a hard one leaves time for others."""
    return None if deadline.seconds is None else deadline.seconds / 4


class Questions:
    """Asks whether formulas can hold together, and records undecided queries."""

    def __init__(self, scope: Scope, deadline: Deadline) -> None:
        self.scope = scope
        self.unknown: list[Finding] = []
        self._solver = open_solver(scope, timeout=_each_of(deadline), patience=1.0)  # by the clock, too
        self._deadline = deadline

    def ask(self, *formulas: Expression, about: str) -> Answer:
        """Whether the formulas can hold together; ``about`` names the place in the finding for an open question."""
        return self._told(self.attempt(*formulas), formulas, about)

    def attempt(self, *formulas: Expression) -> Answer:
        """Like ``ask``, for a query that may stay undecided without a finding."""
        if self._deadline.passed():
            return self._too_late()
        return self._solver.check_assuming(*formulas)

    def ask_without(
        self, variables: Sequence[Variable], *formulas: Expression, impossible: Sequence[Expression], about: str
    ) -> Answer:
        """Whether ``formulas`` can hold while no values of ``variables`` satisfy any of ``impossible``."""
        rests = [eliminated(variables, formula, self.scope) for formula in impossible]
        plain = [negation(rest) for rest in rests if rest is not None]
        hard = [negation(formula) for formula, rest in zip(impossible, rests, strict=True) if rest is None]
        if not hard:
            return self.ask(*formulas, *plain, about=about)
        if self._deadline.passed():
            return self._told(self._too_late(), formulas, about)
        with pushed(self._solver):
            self._solver.add(*formulas, *plain)
            answer = self._solver.check_exists_forall((), variables, conjunction(hard))
        return self._told(answer, (*formulas, *plain, *hard), about)

    def _too_late(self) -> Unknown:
        return Unknown(f"the {self._deadline.seconds:g} s for this check are over")

    def _told(self, answer: Answer, formulas: Sequence[Expression], about: str) -> Answer:
        if isinstance(answer, Unknown):
            self.unknown.append(open_question(about, formulas, answer.reason))
        return answer


def open_question(about: str, formulas: Sequence[Expression], reason: str) -> Finding:
    """The finding for a question that the solver could not answer."""
    try:
        text = to_text(conjunction(formulas))
    except UserError:  # a number too long to be written
        text = "a formula too long to be shown"
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
    return warning("solver-unknown", about, f"the solver could not decide whether this can hold: {shown} ({reason})")
