"""The path condition of a purpose; observed values replace parameters step by step.

Paper 001, definition 12 and algorithm 1: a fresh copy of the parameters for each step, one incremental solver. Copies
of output parameters that occur in their own step only are eliminated beforehand where a rule fits, since their guard is
checked when they arrive: most purposes then need no solver at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fullproof.artefacts.purposes import SwitchLetter
from fullproof.language.elimination import eliminated
from fullproof.language.evaluate import evaluate
from fullproof.language.formulas import conjunction, conjuncts, has_values, in_bounds
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import Binary, Comparison, Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import Value, Variable
from fullproof.language.values import coerce
from fullproof.model.sts import Sts
from fullproof.smt import Answer, Sat, Solver, open_solver

_EFFORT = 0.25
_PATIENCE = 100.0
"""Steps of the solver for one question, as seconds, and how much longer they may take."""


class PathCondition:
    """The joint condition on the values of a path's steps, starting from given values of the variables."""

    def __init__(self, model: Sts, letters: Sequence[SwitchLetter], start: Mapping[str, Value]) -> None:
        self._model = model
        self._start = start
        self._constants = {c.name: c.value for c in model.description.constants}
        self._gates = {gate.name: gate for gate in model.gates}
        self._outputs = {gate.name for gate in model.outputs}
        self.copies: list[tuple[Variable, ...]] = []
        """The parameters of each step, under separate names."""
        steps = self._unroll(letters)
        self.scope = Scope(tuple(copy for copies in self.copies for copy in copies), self._constants)
        self.condition = self._essential(letters, steps)
        self.speaks_of = frozenset(name for part in self.condition for name in free_names(part) if "@" in name)
        self._solver: Solver | None = None
        self._levels = 0

    def restart(self) -> None:
        """Drop all observations."""
        if self._solver is not None:
            for _ in range(self._levels):
                self._solver.pop()
        self._levels = 0

    def matters(self, step: int) -> bool:
        """Whether the values of a step are constrained, by its own guard or a later one."""
        return any(copy.name in self.speaks_of for copy in self.copies[step])

    def check(self, *conditions: Expression) -> Answer:
        """Whether the path can still be completed, under further conditions."""
        if not self.condition and not conditions:
            return Sat({})
        return self._open().check_assuming(*conditions)

    def observe(self, step: int, values: Sequence[Value]) -> Answer:
        """Replace the parameters of a step by its values."""
        if not self.matters(step):
            return Sat({})
        solver = self._open()
        solver.push()
        self._levels += 1
        solver.add(self.equal(step, values))
        return solver.check()

    def equal(self, step: int, values: Sequence[Value]) -> Expression:
        """The condition that a step has these values."""
        pairs = zip((copy.name for copy in self.copies[step]), values, strict=True)
        return has_values((name, value) for name, value in pairs if name in self.speaks_of)

    def at(self, step: int, condition: Expression, known: dict[str, Value]) -> Expression:
        """A condition on the parameters of a step, in the names of this path; the variables before the step are
        known.
        """
        names: dict[str, Expression] = {name: literal(value) for name, value in known.items()}
        for parameter, copy in zip(self._parameters(step), self.copies[step], strict=True):
            names[parameter.name] = Name(copy.name)
        return substitute(condition, names)

    def _parameters(self, step: int) -> list[Variable]:
        return [Variable(name=copy.name.split("@")[0], type=copy.type) for copy in self.copies[step]]

    def _open(self) -> Solver:
        if self._solver is None:
            self._solver = open_solver(self.scope, timeout=_EFFORT, patience=_PATIENCE)
            self._solver.add(*self.condition)
        return self._solver

    def _unroll(self, letters: Sequence[SwitchLetter]) -> list[list[Expression]]:
        """The conditions of each step over the copies; variables with known values are evaluated away."""
        constants = dict(self._start)
        types = {v.name: v.type for v in self._model.variables}
        terms: dict[str, Expression] = {}
        steps = []
        for number, letter in enumerate(letters):
            switch = self._model.transitions[letter.switch]
            parameters = self._gates[switch.gate].parameters
            scope = Scope((*self._model.variables, *parameters), self._constants)
            copies = tuple(Variable(name=f"{p.name}@{number}", type=p.type) for p in parameters)
            self.copies.append(copies)
            names = terms | {p.name: Name(copy.name) for p, copy in zip(parameters, copies, strict=True)}
            guard = switch.guard if letter.condition is None else Binary("and", switch.guard, letter.condition)
            conditions = list(conjuncts(substitute(residual(guard, scope, constants), names)))
            changed_constants, changed_terms = dict(constants), dict(terms)
            for assignment in switch.assignments:
                name = assignment.variable
                rest = residual(assignment.expression, scope, constants)
                changed_constants.pop(name, None)
                changed_terms.pop(name, None)
                if free_names(assignment.expression) & names.keys() and free_names(rest) & names.keys():
                    changed_terms[name] = substitute(rest, names)
                    conditions += in_bounds(changed_terms[name], types[name])
                else:
                    changed_constants[name] = coerce(evaluate(rest, scope, constants), types[name])
            constants, terms = changed_constants, changed_terms
            steps.append(conditions)
        return steps

    def _essential(self, letters: Sequence[SwitchLetter], steps: list[list[Expression]]) -> list[Expression]:
        parts = [part for conditions in steps for part in conditions]
        for number, letter in reversed(list(enumerate(letters))):
            if self._model.transitions[letter.switch].gate not in self._outputs:
                continue
            for copy in self.copies[number]:
                mine = [part for part in parts if copy.name in free_names(part)]
                own = {id(part) for part in steps[number]}
                if not mine or any(id(part) not in own for part in mine):
                    continue
                rest = eliminated([copy], conjunction(mine), self.scope)
                if rest is not None:
                    fresh = list(conjuncts(rest))
                    steps[number] = [*(part for part in steps[number] if part not in mine), *fresh]
                    parts = [*(part for part in parts if part not in mine), *fresh]
        return [part for part in dict.fromkeys(parts) if not self._holds(part)]

    def _holds(self, part: Expression) -> bool:
        if isinstance(part, Comparison) and len(set(part.operands)) == 1 and set(part.operators) <= {"==", "<=", ">="}:
            return True
        return not any("@" in name for name in free_names(part)) and evaluate(part, self.scope, {}) is True
