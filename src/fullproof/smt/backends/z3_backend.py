"""z3 behind the solver port. Every model is checked before it is returned (docs/adr/003-checked-models.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from fullproof.core.budget import Budget
from fullproof.core.errors import Bug
from fullproof.language.compile import compile_expression
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.types import Value, Variable
from fullproof.language.values import in_range
from fullproof.smt.answers import Answer, Sat, Unknown, Unsat
from fullproof.smt.backends.z3_models import Irrational, read_model
from fullproof.smt.backends.z3_quantified import decide_exists_forall
from fullproof.smt.backends.z3_question import PATIENCE, ask, half_of, reason_of, step_budget
from fullproof.smt.backends.z3_translate import Translator

PRECISIONS = (1, 3, 6, 12, 24, 48)  # decimal digits to which an irrational value is rounded, in this order
_REMEMBERED = 10_000


class Z3Solver:
    """One z3 solver in a context of its own: that costs 2 ms, and answers do not depend on what ran before."""

    def __init__(self, scope: Scope, *, timeout: float | None, patience: float = PATIENCE) -> None:
        self._scope = scope
        self._timeout = timeout
        self._patience = patience
        self._context = z3.Context()
        self._translator = Translator(scope, self._context)
        self._solver = z3.Solver(ctx=self._context)
        self._solver.add(*self._translator.ranges(scope.variables))
        self._levels: list[list[Expression]] = [[]]
        self._failures: list[str] = [""]  # per level: why z3 rejected an assertion
        self._closures: dict[Expression, Any] = {}
        self.add(*scope.assumptions)

    @property
    def scope(self) -> Scope:
        """The variables and constants the assertions may refer to."""
        return self._scope

    @property
    def timeout(self) -> float | None:
        """The seconds one check may take."""
        return self._timeout

    @property
    def assertions(self) -> list[Expression]:
        """What is asserted on all levels, beside the ranges of the variables."""
        return [expression for level in self._levels for expression in level]

    def add(self, *expressions: Expression) -> None:
        """Assert conditions until the matching ``pop``."""
        for expression in expressions:
            try:
                self._solver.add(self._translator.condition(expression))
            except z3.Z3Exception as error:
                self._failures[-1] = reason_of(error)
            except RecursionError:  # the parser never builds such a tree, but substitution may
                self._failures[-1] = "a condition is nested too deeply"
            self._levels[-1].append(expression)

    def smt_lib(self) -> str:
        """All assertions as an SMT-LIB text that asks for a solution."""
        if self._failures[-1]:
            raise Bug(f"an assertion was rejected: {self._failures[-1]}")
        return f"(set-logic ALL)\n{self._solver.to_smt2()}"

    def push(self) -> None:
        """Open a level."""
        self._solver.push()
        self._levels.append([])
        self._failures.append(self._failures[-1])

    def pop(self) -> None:
        """Drop what was asserted since the last ``push``."""
        if len(self._levels) == 1:
            raise Bug("pop without push")
        self._solver.pop()
        self._levels.pop()
        self._failures.pop()

    def check(self) -> Answer:
        """Decide the conjunction of all assertions: incrementally, and by z3's tactics where that gives up."""
        if self._failures[-1]:
            return Unknown(self._failures[-1])
        deadline = step_budget(self._timeout, patience=self._patience)
        answer = self._decide(self._solver, half_of(deadline, patience=self._patience))
        if not isinstance(answer, Unknown):
            return answer
        fresh = z3.Solver(ctx=self._context)
        fresh.add(self._solver.assertions())
        second = self._decide(fresh, deadline)
        return answer if isinstance(second, Unknown) else second

    def check_assuming(self, *expressions: Expression) -> Answer:
        """Decide the assertions together with ``expressions``, which do not stay."""
        self.push()
        try:
            self.add(*expressions)
            return self.check()
        finally:
            self.pop()

    def check_exists_forall(
        self, exists: Sequence[Variable], forall: Sequence[Variable], formula: Expression
    ) -> Answer:
        """Decide a query with one alternation; a Sat model has passed a second query without quantifiers."""
        return decide_exists_forall(
            self, exists, forall, formula, lambda scope, seconds: Z3Solver(scope, timeout=seconds)
        )

    def _decide(self, solver: Any, deadline: Budget) -> Answer:
        found = ask(solver, deadline)
        if isinstance(found, Unsat | Unknown):
            return found
        values = read_model(found, self._scope.variables, self._translator.symbols)
        if isinstance(values, Unknown):
            return values
        if isinstance(values, Irrational):
            return self._near(solver, values, deadline)
        wrong = self._violated(values)
        if wrong:
            raise Bug(f"z3's model {values} violates {wrong}")
        return Sat(values)

    def _near(self, solver: Any, irrational: Irrational, deadline: Budget) -> Answer:
        """Look for a rational model near an irrational one: round it, or pin rounded values and solve for the rest."""
        for digits in PRECISIONS:
            values = irrational.rounded(digits)
            if not self._violated(values):
                return Sat(values)
        for digits in PRECISIONS:
            values = irrational.rounded(digits)
            solver.push()
            try:
                for name in irrational.algebraic:
                    solver.add(self._translator.symbols[name] == self._translator.number(values[name]))
                    answer = self._rational_model(solver, deadline)
                    if not isinstance(answer, Unknown):
                        return answer
            finally:
                solver.pop()
        return Unknown(f"no rational solution found near an irrational {', '.join(irrational.algebraic)}")

    def _rational_model(self, solver: Any, deadline: Budget) -> Sat | Unknown:
        found = ask(solver, deadline)
        if isinstance(found, Unsat | Unknown):
            return Unknown("pinned too tightly")
        values = read_model(found, self._scope.variables, self._translator.symbols)
        if isinstance(values, Irrational | Unknown) or self._violated(values):
            return Unknown("still irrational")
        return Sat(values)

    def _violated(self, values: Mapping[str, Value]) -> str:
        """Return the range or assertion that the values violate, by exact evaluation, or the empty string."""
        for variable in self._scope.variables:
            if not in_range(values[variable.name], variable.type):
                return f"the range of {variable.name}"
        return next((to_text(e) for e in self.assertions if not self._closure(e)(values)), "")

    def _closure(self, expression: Expression) -> Any:
        if expression not in self._closures:
            if len(self._closures) >= _REMEMBERED:
                self._closures.clear()
            self._closures[expression] = compile_expression(expression, self._scope)
        return self._closures[expression]
