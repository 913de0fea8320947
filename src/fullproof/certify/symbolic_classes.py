"""The classes of a symbolic machine, found and checked by queries of the checker's own.

A class is a set of inputs with outputs on which every guard, output expression and atomic proposition of the fault
domain is constant. The classes cover everything and exclude each other. Each of these statements is a question of its
own, asked of the solver after the classes have been found, so that a second solver can answer it as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from fullproof.certify.answers import Open
from fullproof.core.deadline import Deadline
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import conjunction, disjunction, has_values, negation
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Expression, Name
from fullproof.language.types import Value, Variable
from fullproof.smt import Sat, Solver, Unknown, Unsat, open_solver

Signs = tuple[bool, ...]
Values = Mapping[str, Value]
_MOST = 3_000
"""Classes beyond which the finite question is hopeless."""
_SECONDS = 10.0
"""For one question to the solver."""
_TWIN = "$2"
"""The suffix of a second copy of a variable: no name in a model has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainExpressions:
    """The variables of a machine, and all expressions that a system of the fault domain may use."""

    scope: Scope
    inputs: tuple[Variable, ...]
    guards: tuple[Expression, ...]
    outputs: tuple[Expression, ...]
    propositions: tuple[Expression, ...] = ()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Guards, then outputs, then atomic propositions."""
        return self.guards + self.outputs + self.propositions


@dataclass(frozen=True, slots=True)
class PartitionQuestion:
    """A formula that has a solution, or has none, with the name under which it is written out."""

    name: str
    scope: Scope
    formula: Expression
    solvable: bool


class SymbolicClasses:
    """The classes of an alphabet: ``signs[k]`` say which expressions hold in class ``k``."""

    def __init__(
        self,
        alphabet: DomainExpressions,
        signs: Sequence[Signs],
        witnesses: Sequence[Values],
        refuted: Sequence[Signs],
    ) -> None:
        """``refuted`` are signs of the first expressions that no input and output has."""
        self.alphabet, self.signs, self.witnesses = alphabet, tuple(signs), tuple(witnesses)
        self._refuted = tuple(refuted)
        self._guards = [compile_expression(guard, alphabet.scope) for guard in alphabet.guards]
        self._offered: dict[tuple[tuple[str, Value], ...], tuple[int, ...]] = {}

    @property
    def covers_all_signs(self) -> bool:
        """Whether each combination of signs is that of one class, or begins with signs that were refuted.

        None begins another one, and their shares of all combinations add up to all of them.
        """
        paths = sorted((*self.signs, *self._refuted))
        apart = all(later[: len(path)] != path for path, later in pairwise(paths))
        return apart and sum(Fraction(1, 2 ** len(path)) for path in paths) == 1

    @cached_property
    def cells(self) -> tuple[tuple[int, ...], ...]:
        """The classes with the same guards, together."""
        found: dict[Signs, list[int]] = {}
        for k, signs in enumerate(self.signs):
            found.setdefault(signs[: len(self._guards)], []).append(k)
        return tuple(tuple(cell) for cell in found.values())

    def guarded(self, guard: int) -> frozenset[int]:
        """The classes on which a guard holds, whatever the output."""
        return frozenset(k for k, signs in enumerate(self.signs) if signs[guard])

    def admitted(self, guard: int, output: int) -> frozenset[int]:
        """The classes on which a transition with this guard and this output expression can be taken."""
        place = len(self._guards) + output
        return frozenset(k for k, signs in enumerate(self.signs) if signs[guard] and signs[place])

    def offered(self, inputs: Values, solver: Solver) -> tuple[int, ...] | Open:
        """The classes that some output completes an input to."""
        key = tuple(sorted(inputs.items()))
        if key not in self._offered:
            found = []
            for k in self._cell_of(inputs):
                match solver.check_assuming(self._within(inputs, k)):
                    case Sat():
                        found.append(k)
                    case Unknown(reason=reason):
                        return Open(f"the solver could not decide which outputs an input of a test may have ({reason})")
                    case Unsat():
                        pass
            self._offered[key] = tuple(found)
        return self._offered[key]

    def _cell_of(self, inputs: Values) -> list[int]:
        here = tuple(bool(guard(inputs)) for guard in self._guards)
        return [k for k, signs in enumerate(self.signs) if signs[: len(here)] == here]

    def formula(self, k: int) -> Expression:
        """The condition of a class."""
        return signed(self.alphabet.expressions, self.signs[k])

    def _within(self, inputs: Values, k: int) -> Expression:
        return conjunction([has_values(inputs.items()), self.formula(k)])

    def questions(self) -> Iterator[PartitionQuestion]:
        """All that the finite question rests on: the partition, and which classes the inputs of tests offer."""
        scope, expressions = self.alphabet.scope, self.alphabet.expressions
        for number, begun in enumerate(self._refuted, start=1):
            yield PartitionQuestion(f"cover-{number}", scope, signed(expressions[: len(begun)], begun), solvable=False)
        double = [
            conjunction([self.formula(k), disjunction(self.formula(j) for j in range(k))])
            for k in range(1, len(self.signs))
        ]
        if double:
            yield PartitionQuestion("exclude", scope, disjunction(double), solvable=False)
        twins, both = _twins(scope)
        for number, expression in enumerate(expressions, start=1):
            differing = conjunction([expression, negation(substitute(expression, twins))])
            same = [conjunction([self.formula(k), substitute(self.formula(k), twins)]) for k in range(len(self.signs))]
            formula = conjunction([differing, disjunction(same)])
            yield PartitionQuestion(f"constant-{number}", both, formula, solvable=False)
        for number, (key, offered) in enumerate(self._offered.items(), start=1):
            inputs = dict(key)
            for k in self._cell_of(inputs):
                yield PartitionQuestion(
                    f"input-{number}-class-{k + 1}", scope, self._within(inputs, k), solvable=k in offered
                )


def signed(expressions: Sequence[Expression], signs: Signs) -> Expression:
    """The conjunction of some expressions, negated where their sign says so."""
    return conjunction(e if sign else negation(e) for e, sign in zip(expressions, signs, strict=True))


def _twins(scope: Scope) -> tuple[dict[str, Expression], Scope]:
    """A second copy of each variable, and the scope of both."""
    copies = tuple(replace(v, name=v.name + _TWIN) for v in scope.variables)
    names: dict[str, Expression] = {v.name: Name(v.name + _TWIN) for v in scope.variables}
    assumed = (*scope.assumptions, *(substitute(one, names) for one in scope.assumptions))
    return names, Scope((*scope.variables, *copies), scope.constants, assumed)


def find_classes(alphabet: DomainExpressions, deadline: Deadline) -> SymbolicClasses | Open:
    """Find all classes: expression by expression, each sign that can be satisfied together with those before it."""
    solver = open_solver(alphabet.scope, timeout=_SECONDS)
    holds = [compile_expression(e, alphabet.scope) for e in alphabet.expressions]
    match solver.check():
        case Sat(model=values):
            stack: list[tuple[Signs, Values]] = [((), values)]
        case Unsat():
            return Open("no input keeps the assumptions of the model")
        case Unknown(reason=reason):
            return Open(f"the solver could not decide whether there is an input ({reason})")
    signs: list[Signs] = []
    witnesses: list[Values] = []
    refuted: list[Signs] = []
    while stack:
        begun, values = stack.pop()
        if deadline.passed():
            return Open(f"the classes could not be found within {deadline.seconds:g} s")
        if len(begun) == len(holds):
            signs.append(begun)
            witnesses.append(values)
            if len(signs) > _MOST:
                return Open(f"there are more than {_MOST:,} classes")
            continue
        here = bool(holds[len(begun)](values))
        other = (*begun, not here)
        match solver.check_assuming(signed(alphabet.expressions[: len(other)], other)):
            case Sat(model=found):
                stack.append((other, found))
            case Unknown(reason=reason):
                formula = to_text(signed(alphabet.expressions[: len(other)], other))
                return Open(f"the solver could not decide whether {formula} can be satisfied ({reason})")
            case Unsat():
                refuted.append(other)
        stack.append(((*begun, here), values))
    return SymbolicClasses(alphabet, signs, witnesses, refuted)


def answered(question: PartitionQuestion) -> bool | Open:
    """Whether the solver gives the answer that is expected of a question."""
    match open_solver(question.scope, timeout=_SECONDS).check_assuming(question.formula):
        case Sat():
            return question.solvable
        case Unsat():
            return not question.solvable
        case Unknown(reason=reason):
            return Open(f"the solver could not answer the question {question.name} about the partition ({reason})")
