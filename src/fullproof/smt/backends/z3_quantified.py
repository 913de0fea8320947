"""Queries with one alternation: there are values such that for all others a formula holds.

z3 decides the quantified formula (for linear arithmetic it eliminates quantifiers, elsewhere it may give up); where it
gives up, candidates are refined by counterexamples. In both cases a Sat answer has passed a quantifier-free check that
its values have no counterexample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import z3

from fullproof.core.errors import Bug
from fullproof.language.evaluate import evaluate
from fullproof.language.printer import to_text
from fullproof.language.scope import EnumValue, Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import Comparison, Expression, Name, Unary
from fullproof.language.traversal import free_names
from fullproof.language.types import EnumType, ListType, Value, Variable
from fullproof.smt.answers import Answer, Sat, Unknown, Unsat
from fullproof.smt.backends.z3_models import Irrational, Values, read_model
from fullproof.smt.backends.z3_question import ask, seconds_left, step_budget
from fullproof.smt.backends.z3_translate import Translator

if TYPE_CHECKING:
    from fullproof.smt.backends.z3_backend import Z3Solver

    Opener: TypeAlias = Callable[[Scope, float | None], Z3Solver]

_ROUNDS = 200


class Query:
    """The question, its scope with every variable in it, the time left for it, and an opener of solvers."""

    def __init__(
        self,
        solver: Z3Solver,
        exists: Sequence[Variable],
        forall: Sequence[Variable],
        formula: Expression,
        opener: Opener,
    ) -> None:
        bound = {variable.name for variable in forall}
        asserted = solver.assertions
        if any(free_names(expression) & bound for expression in asserted):
            raise Bug(f"assertions refer to variables that are bound: {', '.join(sorted(bound))}")
        known = {variable.name for variable in solver.scope.variables}
        own = tuple(variable for variable in solver.scope.variables if variable.name not in bound)
        self.outer = own + tuple(variable for variable in exists if variable.name not in known)
        self.inner = tuple(forall)
        self.scope = Scope(self.outer + self.inner, solver.scope.constants)
        self.asserted = asserted
        self.formula = formula
        self.deadline = step_budget(solver.timeout)
        self._opener = opener

    def open_solver(self, scope: Scope) -> Z3Solver:
        """A solver for a question without quantifiers, within the time that is left."""
        return self._opener(scope, seconds_left(self.deadline))

    def restricted(self, values: Values) -> Values:
        """Return the values of the existential variables."""
        return {variable.name: values[variable.name] for variable in self.outer}


def decide_exists_forall(
    solver: Z3Solver, exists: Sequence[Variable], forall: Sequence[Variable], formula: Expression, opener: Opener
) -> Answer:
    """Return Sat with the existential values, Unsat, or Unknown."""
    query = Query(solver, exists, forall, formula, opener)
    answer = _by_quantifier(query)
    if isinstance(answer, Unknown) and not query.deadline.is_over:
        refined = by_refinement(query)
        return answer if isinstance(refined, Unknown) else refined
    return answer


def _by_quantifier(query: Query) -> Answer:
    context = z3.Context()
    translator = Translator(query.scope, context)
    try:
        solver = z3.Solver(ctx=context)
        solver.add(*translator.ranges(query.outer), *(translator.condition(e) for e in query.asserted))
        body = z3.Implies(
            z3.And(z3.BoolVal(True, context), *translator.ranges(query.inner)), translator.condition(query.formula)
        )
        bound = [symbol for variable in query.inner for symbol in translator.parts(variable)]
        solver.add(z3.ForAll(bound, body) if bound else body)
    except z3.Z3Exception as error:
        return Unknown(str(error))
    found = ask(solver, query.deadline)
    if isinstance(found, Unsat | Unknown):
        return found
    values = read_model(found, query.outer, translator.symbols)
    match values:
        case Unknown():
            return values
        case Irrational():
            return Unknown("the solution found is irrational")
    for expression in query.asserted:
        if not evaluate(expression, query.scope, values):
            raise Bug(f"z3's model {values} violates {to_text(expression)}")
    counterexample = _counterexample(query, values)
    match counterexample:
        case Unsat():
            return Sat(values)
        case Sat(model=model):
            raise Bug(f"z3's model {values} fails for {dict(model)}")
        case Unknown():
            return counterexample


def by_refinement(query: Query) -> Answer:
    """Propose values, ask for a counterexample, exclude what it refutes; repeat for a bounded number of rounds."""
    if any(_has_ambiguous_elements(variable, query.scope) for variable in query.inner):
        return Unknown("a list of values that belong to several enum types cannot be put in place of a variable")
    proposer = query.open_solver(query.scope.with_variables(_pins(query.inner)))
    proposer.add(*query.asserted, *(_equal(_pin(y, value), value) for y, value in _enum_values(query.inner)))
    for _ in range(_ROUNDS):
        if query.deadline.is_over:
            return Unknown("the solver's steps are used up", exhausted=True)
        proposal = proposer.check()
        if not isinstance(proposal, Sat):
            return proposal
        values = query.restricted(dict(proposal.model))
        counterexample = _counterexample(query, values)
        if isinstance(counterexample, Unsat):
            return Sat(values)
        if isinstance(counterexample, Unknown):
            return counterexample
        proposer.add(substitute(query.formula, _instance(query.inner, counterexample.model)))
    return Unknown(f"no answer after {_ROUNDS} rounds of refinement")


def _enum_values(variables: Sequence[Variable]) -> list[tuple[Variable, str]]:
    return [(y, value) for y in variables if isinstance(y.type, EnumType) for value in y.type.values]


def _pin(variable: Variable, value: str) -> str:
    return f"{variable.name}={value}"


def _pins(variables: Sequence[Variable]) -> list[Variable]:
    """Return a variable for each value of each enum.

    A value may belong to several enum types in different orders. A variable can only be replaced by another variable.
    """
    return [Variable(name=_pin(y, value), type=y.type) for y, value in _enum_values(variables)]


def _instance(variables: Sequence[Variable], values: Mapping[str, Value]) -> dict[str, Expression]:
    instance: dict[str, Expression] = {}
    for variable in variables:
        value = values[variable.name]
        pinned = isinstance(variable.type, EnumType)
        instance[variable.name] = Name(_pin(variable, str(value))) if pinned else literal(value)
    return instance


def _has_ambiguous_elements(variable: Variable, scope: Scope) -> bool:
    if not isinstance(variable.type, ListType) or not isinstance(variable.type.element, EnumType):
        return False
    meanings = [scope.lookup(value) for value in variable.type.element.values]
    return any(isinstance(meaning, EnumValue) and len(meaning.types) > 1 for meaning in meanings)


def _equal(name: str, value: Value) -> Expression:
    return Comparison((Name(name), literal(value)), ("==",))


def _counterexample(query: Query, values: Values) -> Answer:
    """Ask for inner values that refute the formula at these outer ones: a question without quantifiers."""
    opponent = query.open_solver(query.scope)
    opponent.add(*(_equal(name, value) for name, value in values.items()))
    opponent.add(Unary("not", query.formula))
    return opponent.check()
