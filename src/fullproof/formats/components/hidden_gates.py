"""Hidden gates: a step that carries values becomes internal steps that carry none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from fullproof.core.errors import UserError
from fullproof.language.elimination import eliminated
from fullproof.language.evaluate import evaluate
from fullproof.language.formulas import FALSE, conjunction, conjuncts, in_bounds
from fullproof.language.lists import listed
from fullproof.language.scope import ConstantValue, EnumValue, Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import TRUE, Comparison, Expression, Name, Unary
from fullproof.language.traversal import free_names
from fullproof.language.type_inference import infer
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, Type, Value, Variable
from fullproof.language.values import count_of
from fullproof.model.sts import TAU, Assignment, Switch

MOST = 256
"""A hidden step whose values have to be listed becomes at most this many internal steps."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A guard in parts, and assignments, over variables and what is left of the parameters."""

    parts: tuple[Expression, ...]
    assignments: tuple[Assignment, ...]

    def speaks_of(self, name: str) -> bool:
        return any(name in free_names(part) for part in self.parts) or self.assigns(name)

    def assigns(self, name: str) -> bool:
        return any(name in free_names(a.expression) for a in self.assignments)

    def where(self, name: str, term: Expression, *more: Expression) -> _Step:
        """The step where a parameter is a term, under further conditions."""
        terms = {name: term}
        return _Step(
            tuple(substitute(part, terms) for part in (*self.parts, *more)),
            tuple(replace(a, expression=substitute(a.expression, terms)) for a in self.assignments),
        )

    def at_value(self, parameter: Variable, value: Value, scope: Scope) -> _Step:
        """The step where a parameter has a value; conditions on nothing else are decided."""
        decided = [part for part in self.parts if _variables(part, scope) == {parameter.name}]
        holds = all(evaluate(part, scope, {parameter.name: value}) for part in decided)
        left = [part for part in self.parts if part not in decided] if holds else [FALSE]
        return _Step(tuple(left), self.assignments).where(parameter.name, literal(value))


def hidden(switch: Switch, parameters: Sequence[Variable], scope: Scope) -> list[Switch]:
    """The internal steps that a switch becomes: one for all values of its parameters that it may carry.

    A parameter that an equation determines is replaced by its value, one that no variable stores is eliminated from the
    guard, the values of another one are listed. ``scope`` has the variables, the parameters and the constants.
    """
    steps = [_Step(tuple(conjuncts(switch.guard)), switch.assignments)]
    for parameter in parameters:
        steps = [_solved(step, parameter, scope) for step in steps]
    for parameter in parameters:
        steps = [found for step in steps for found in _without(step, parameter, scope, switch)]
        if len(steps) > MOST:
            raise UserError(f"gate {switch.gate} cannot be hidden: it may carry too many values", at=switch.at)
    found = []
    for step in steps:
        parts = _folded(step.parts, scope)
        if FALSE not in parts:
            found.append(replace(switch, gate=TAU, guard=conjunction(parts), assignments=step.assignments))
    return found


def _solved(step: _Step, parameter: Variable, scope: Scope) -> _Step:
    """The step with the parameter replaced by what an equation says it is."""
    for place, part in enumerate(step.parts):
        term = _term(part, parameter, scope)
        if term is not None:
            others = _Step((*step.parts[:place], *step.parts[place + 1 :]), step.assignments)
            if isinstance(parameter.type, EnumType) and isinstance(term, Name) and term.name in parameter.type.values:
                return others.at_value(parameter, term.name, scope)
            return others.where(parameter.name, term, *_bounds(term, parameter.type, scope))
    return step


def _bounds(term: Expression, type_: Type, scope: Scope) -> list[Expression]:
    if isinstance(term, Name) and term.name in scope:
        meaning = scope.lookup(term.name)
        if isinstance(meaning, Variable) and meaning.type == type_:
            return []
    return in_bounds(term, type_)


def _term(part: Expression, parameter: Variable, scope: Scope) -> Expression | None:
    match part:
        case Name(name=name) if name == parameter.name:
            return TRUE
        case Unary(operator="not", operand=Name(name=name)) if name == parameter.name:
            return FALSE
        case Comparison(operators=("==",), operands=(left, right)):
            for side, term in ((left, right), (right, left)):
                if side == Name(parameter.name) and parameter.name not in free_names(term):
                    return term if _fits(term, parameter.type, scope) else None
    return None


def _fits(term: Expression, type_: Type, scope: Scope) -> bool:
    """Whether every value of the term is one of the type, bounds aside."""
    if isinstance(type_, EnumType):
        if isinstance(term, Name) and isinstance(scope.lookup(term.name), EnumValue):
            return term.name in type_.values
        return infer(term, scope) == type_
    kind = infer(term, scope)
    match type_:
        case BoolType():
            return isinstance(kind, BoolType)
        case IntType():
            return isinstance(kind, IntType)
        case RealType():
            return isinstance(kind, IntType | RealType)
        case ListType():
            return isinstance(kind, ListType)  # the guard compares them, so that the elements are alike


def _without(step: _Step, parameter: Variable, scope: Scope, switch: Switch) -> Iterator[_Step]:
    if not step.speaks_of(parameter.name):
        yield step
        return
    if not step.assigns(parameter.name):
        mine = [part for part in step.parts if parameter.name in free_names(part)]
        rest = eliminated([parameter], conjunction(mine), scope)
        if rest is not None:
            others = tuple(part for part in step.parts if parameter.name not in free_names(part))
            yield _Step((*others, *conjuncts(rest)), step.assignments)
            return
    count = count_of(parameter.type)
    if count is None or count > MOST:
        message = (
            f"gate {switch.gate} cannot be hidden: no equation says what {parameter.name} is, and it has too many"
            f" values to be listed (at most {MOST})"
        )
        raise UserError(message, at=switch.at)
    for value in _values(parameter.type):
        yield step.at_value(parameter, value, scope)


def _values(type_: Type) -> Sequence[Value]:
    match type_:
        case BoolType():
            return (False, True)
        case EnumType(values=values):
            return values
        case IntType(low=int(low), high=int(high)):
            return range(low, high + 1)
        case ListType(element=element, most=most):
            each = _values(element)
            return [listed(items) for length in range(most + 1) for items in product(each, repeat=length)]
        case _:
            return ()


def _folded(parts: Sequence[Expression], scope: Scope) -> list[Expression]:
    """The parts without those that are literally true; one that is literally false replaces all."""
    kept = []
    for part in parts:
        names = free_names(part)
        if any(not isinstance(scope.lookup(name), ConstantValue) for name in names):
            kept.append(part)
        elif not evaluate(part, scope, {}):
            return [FALSE]
    return kept


def _variables(part: Expression, scope: Scope) -> set[str]:
    return {name for name in free_names(part) if isinstance(scope.lookup(name), Variable)}
