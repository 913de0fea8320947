"""Signs of expressions as facts: the values a variable may have, equations for outputs, and other conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from fullproof.abstract.number_sets import NumberSet
from fullproof.abstract.polynomials import (
    Polynomial,
    has_irrational_roots_only,
    polynomial_of,
    replaced,
    solutions,
    solved_for,
    sum_of,
)
from fullproof.core.errors import Bug
from fullproof.language.compile import compile_expression
from fullproof.language.evaluate import COMPARE
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import disjunction
from fullproof.language.syntax import MIRRORED, OPPOSITE, Binary, Boolean, Comparison, Expression, Name, Unary
from fullproof.language.traversal import free_names
from fullproof.language.type_inference import comparison_type
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, Value, Variable


@dataclass(frozen=True, slots=True)
class ValueChoices:
    """Some values of a bool or an enum, in their order."""

    values: tuple[Value, ...]

    def __and__(self, other: ValueChoices) -> ValueChoices:
        """The values in both."""
        return ValueChoices(tuple(value for value in self.values if value in other.values))

    def __contains__(self, value: object) -> bool:
        return value in self.values

    def condition(self, name: str) -> Expression:
        """The set as a condition on a variable."""
        return disjunction(_is(name, value) for value in self.values)


Values: TypeAlias = NumberSet | ValueChoices


def is_disjoint(one: Values, other: Values) -> bool:
    """Whether two sets of values of the same variable have nothing in common."""
    if isinstance(one, NumberSet) and isinstance(other, NumberSet):
        return (one & other).is_empty()
    return isinstance(one, ValueChoices) and isinstance(other, ValueChoices) and not (one & other).values


@dataclass(slots=True)
class Facts:
    """The facts that a conjunction states."""

    scope: Scope
    sets: dict[str, Values] = field(default_factory=dict)
    equations: dict[str, Expression] = field(default_factory=dict)
    """``y == x / 100`` for an output whose values are put into the other facts."""
    others: list[Expression] = field(default_factory=list)

    def universe(self, name: str) -> Values:
        """All values of a variable."""
        return universe_of(self.scope.variable(name))

    def narrow(self, name: str, values: Values) -> None:
        """Restrict a variable to these values."""
        known = self.sets.get(name, self.universe(name))
        self.sets[name] = known & values  # type: ignore[operator]


def facts_of(literals: Iterable[tuple[Expression, bool]], scope: Scope, outputs: Sequence[str]) -> Facts:
    """The facts that the signs of some expressions state together. Needs: some values have these signs.

    A variable with only one possible value is substituted in all conditions, which may restrict the others further.
    """
    parts = [part for expression, sign in literals for part in conjuncts(expression, sign)]
    pinned: dict[str, Value] = {}
    while True:
        facts = _facts(parts, scope, [name for name in outputs if name not in pinned], pinned)
        more = {name: value for name, values in facts.sets.items() if (value := _only(values)) is not None}
        if more.keys() <= pinned.keys():
            return facts
        pinned |= more


def has_no_rational_solution(literals: Sequence[Expression], scope: Scope) -> bool:
    """Whether equations demand a root that is not a rational number, as ``x * x == 2`` does.

    All values are rationals, but a solver works with all reals and cannot give such an answer.
    """
    parts = [part for literal in literals for part in conjuncts(literal, True)]
    known = _Equations(scope)
    known.solve(parts, [v.name for v in scope.variables if isinstance(v.type, IntType | RealType)])
    for part in known.rest:
        if isinstance(part, Comparison) and part.operators == ("==",):
            difference = known.difference(part)
            if difference is not None and has_irrational_roots_only(difference):
                return True
    return False


def _only(values: Values) -> Value | None:
    """The only member of a set; None for an enum value, whose enum type may be unclear."""
    if isinstance(values, ValueChoices):
        return values.values[0] if len(values.values) == 1 and isinstance(values.values[0], bool) else None
    points = values.points(most=1)
    return values.number(points[0]) if points else None


def _facts(parts: Sequence[Expression], scope: Scope, outputs: Sequence[str], pinned: Mapping[str, Value]) -> Facts:
    facts = Facts(scope)
    for name, value in pinned.items():
        whole = isinstance(scope.variable(name).type, IntType)
        is_number = not isinstance(value, bool | str)
        facts.narrow(
            name, NumberSet.related("==", Fraction(value), whole=whole) if is_number else ValueChoices((value,))
        )
    known = _Equations(scope)
    known.solve([piece for part in parts for piece in conjuncts(residual(part, scope, pinned), True)], outputs)
    for name, (term, origin) in known.solved.items():
        if not term.variables:
            whole = isinstance(scope.variable(name).type, IntType)
            facts.narrow(name, NumberSet.related("==", term.coefficient(), whole=whole))
        elif term.degree == 1:
            facts.equations[name] = Comparison((Name(name), sum_of(term)), ("==",))
        else:
            facts.equations[name] = origin
    for part in known.rest:
        _state(part, facts, known)
    return facts


def _state(part: Expression, facts: Facts, known: _Equations) -> None:
    names = known.variables_of(part)
    if names is not None and not names:
        return  # it holds, since some values satisfy all
    if names is not None and len(names) == 1:
        (name,) = names
        variable = facts.scope.variable(name)
        numbers = known.numbers(part, variable, sign=True)
        if numbers is not None:
            facts.narrow(name, numbers & universe_of(variable))  # type: ignore[operator]
            return
    mine = free_names(part) & {variable.name for variable in facts.scope.variables}
    if len(mine) == 1:
        (name,) = mine
        every = universe_of(facts.scope.variable(name))
        if isinstance(every, ValueChoices):
            holds = compile_expression(part, facts.scope)
            facts.narrow(name, ValueChoices(tuple(value for value in every.values if holds({name: value}))))
            return
    kept = known.tidy(part)
    if kept not in facts.others:
        facts.others.append(kept)


def conjuncts(expression: Expression, sign: bool) -> Iterator[Expression]:
    """The conjuncts of an expression or of its negation, with negations moved into comparisons."""
    match expression:
        case Boolean():
            return
        case Unary(operator="not"):
            yield from conjuncts(expression.operand, not sign)
        case Binary(operator="and") if sign:
            yield from conjuncts(expression.left, True)
            yield from conjuncts(expression.right, True)
        case Binary(operator="or") if not sign:
            yield from conjuncts(expression.left, False)
            yield from conjuncts(expression.right, False)
        case Binary(operator="->") if not sign:
            yield from conjuncts(expression.left, True)
            yield from conjuncts(expression.right, False)
        case Comparison() if sign:
            yield from _links(expression)
        case Comparison() if len(expression.operators) == 1:
            yield Comparison(expression.operands, (OPPOSITE[expression.operators[0]],))
        case _:
            yield expression if sign else Unary("not", expression)


def universe_of(variable: Variable) -> Values:
    """All values of a type."""
    match variable.type:
        case BoolType():
            return ValueChoices((False, True))
        case EnumType(values=values):
            return ValueChoices(values)
        case IntType(low=low, high=high):
            return NumberSet.within(low, high, whole=True)
        case RealType(low=low, high=high):
            return NumberSet.within(low, high, whole=False)
        case ListType():
            raise Bug("only a machine of kind sts has lists")


class _Equations:
    """Outputs that equations determine, and conditions with these outputs substituted."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.solved: dict[str, tuple[Polynomial, Expression]] = {}
        self.rest: list[Expression] = []
        """The parts that were not used to solve anything."""
        self._outputs: Sequence[str] = ()

    def solve(self, parts: Sequence[Expression], outputs: Sequence[str]) -> None:
        """Solve equations for outputs as far as possible."""
        self._outputs, self.rest = outputs, list(parts)
        for name in reversed(outputs):
            for part in self.rest:
                term = self._term(part, name)
                if term is not None and self._put(name, term, part):
                    self.rest.remove(part)
                    break

    def tidy(self, part: Expression) -> Expression:
        """Simplify linear conditions, such as ``y != 2 + (x - 200) / 100`` to ``y != x / 100``."""
        difference = self.difference(part) if isinstance(part, Comparison) else None
        if not isinstance(part, Comparison) or difference is None or difference.degree != 1:
            return part
        name = next((n for n in reversed(self._outputs) if n in difference.variables), min(difference.variables))
        term = solved_for(difference, name)
        assert term is not None  # a line
        operator = part.operators[0]
        operator = operator if difference.coefficient((name, 1)) > 0 else MIRRORED[operator]
        return Comparison((Name(name), sum_of(term)), (operator,))

    def _term(self, part: Expression, name: str) -> Polynomial | None:
        if not isinstance(part, Comparison) or part.operators != ("==",):
            return None
        difference = self.difference(part)
        return None if difference is None else solved_for(difference, name)

    def _put(self, name: str, term: Polynomial, origin: Expression) -> bool:
        """Substitute a solved variable, unless the terms of others become too long."""
        updated: dict[str, tuple[Polynomial, Expression]] = {name: (term, origin)}
        for other, (known, how) in self.solved.items():
            longer = replaced(known, name, term)
            if longer is None:
                return False
            updated[other] = (longer, how)
        self.solved = updated
        return True

    def difference(self, link: Comparison) -> Polynomial | None:
        """Left minus right of a comparison of two numbers, with the solved outputs put in."""
        if len(link.operators) != 1 or not isinstance(comparison_type(link, self._scope), IntType | RealType):
            return None
        result = polynomial_of(Binary("-", *link.operands), self._scope)
        for name, (term, _) in self.solved.items():
            result = None if result is None else replaced(result, name, term)
        return result

    def variables_of(self, part: Expression) -> frozenset[str] | None:
        """What a condition refers to; None where it is more than comparisons of polynomials."""
        found: set[str] = set()
        for link in _leaves(part):
            difference = self.difference(link) if isinstance(link, Comparison) else None
            if difference is None:
                return None
            found |= difference.variables
        return frozenset(found)

    def numbers(self, part: Expression, variable: Variable, *, sign: bool) -> NumberSet | None:
        """Where a condition on one variable holds, or does not."""
        whole = isinstance(variable.type, IntType)
        match part:
            case Unary(operator="not"):
                return self.numbers(part.operand, variable, sign=not sign)
            case Binary(operator="->"):
                return self.numbers(Binary("or", Unary("not", part.left), part.right), variable, sign=sign)
            case Binary():
                left = self.numbers(part.left, variable, sign=sign)
                right = self.numbers(part.right, variable, sign=sign)
                if left is None or right is None:
                    return None
                return left & right if (part.operator == "and") == sign else left | right
            case Comparison():
                return self._chain(part, sign, whole)
            case _:
                return None

    def _chain(self, chain: Comparison, sign: bool, whole: bool) -> NumberSet | None:
        result = NumberSet.within(None, None, whole=whole)
        for link in _links(chain):
            difference = self.difference(link)
            if difference is None:
                return None
            if not difference.variables:
                holds = COMPARE[link.operators[0]](difference.coefficient(), 0)
                result = result if holds else result & result.complement()
                continue
            numbers = solutions(difference, link.operators[0], whole=whole)
            if numbers is None:
                return None
            result &= numbers
        return result if sign else result.complement()


def _leaves(part: Expression) -> Iterator[Expression]:
    match part:
        case Unary(operator="not"):
            yield from _leaves(part.operand)
        case Binary(operator="and" | "or" | "->"):
            yield from _leaves(part.left)
            yield from _leaves(part.right)
        case Comparison():
            yield from _links(part)
        case _:
            yield part


def _links(chain: Comparison) -> Iterator[Comparison]:
    for left, operator, right in zip(chain.operands, chain.operators, chain.operands[1:], strict=False):
        yield Comparison((left, right), (operator,))


def _is(name: str, value: Value) -> Expression:
    if isinstance(value, bool):
        return Name(name) if value else Unary("not", Name(name))
    return Comparison((Name(name), Name(str(value))), ("==",))
