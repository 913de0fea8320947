"""Expressions as z3 terms, with the total arithmetic of fullproof.language.arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import z3

from fullproof.core.errors import Bug
from fullproof.language.exponents import exponent_of
from fullproof.language.scope import ConstantValue, EnumValue, Scope
from fullproof.language.syntax import (
    LIST_FUNCTIONS,
    Binary,
    Boolean,
    Call,
    Comparison,
    Conditional,
    Decimal,
    Expression,
    Integer,
    Name,
    Temporal,
    Unary,
)
from fullproof.language.type_inference import comparison_type, expect_boolean, list_type
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, Type, Value, Variable
from fullproof.smt.backends import z3_lists
from fullproof.smt.backends.z3_lists import Bundle


class Translator:
    """From expressions over a scope to terms of one z3 context; enum values are their ranks."""

    def __init__(self, scope: Scope, context: Any) -> None:
        self.scope = scope
        self._context = context
        self.symbols = {variable.name: self._symbol(variable) for variable in scope.variables}
        self._known: dict[Expression, Any] = {}

    def _symbol(self, variable: Variable) -> Any:
        match variable.type:
            case BoolType():
                return z3.Bool(variable.name, self._context)
            case RealType():
                return z3.Real(variable.name, self._context)
            case IntType() | EnumType():
                return z3.Int(variable.name, self._context)
            case ListType():
                return z3_lists.symbol(variable.name, variable.type, self._context)

    def parts(self, variable: Variable) -> tuple[Any, ...]:
        """The symbols of a variable: several for a list."""
        symbol = self.symbols[variable.name]
        return symbol.symbols if isinstance(symbol, Bundle) else (symbol,)

    def ranges(self, variables: Iterable[Variable]) -> list[Any]:
        """Return the conditions that the variables' types put on their symbols."""
        conditions = []
        for variable in variables:
            symbol = self.symbols[variable.name]
            match variable.type:
                case EnumType(values=values):
                    conditions += [symbol >= 0, symbol < len(values)]
                case IntType(low=low, high=high) | RealType(low=low, high=high):
                    conditions += [] if low is None else [symbol >= self.number(low)]
                    conditions += [] if high is None else [symbol <= self.number(high)]
                case ListType():
                    conditions += z3_lists.conditions(symbol, variable.type)
        return conditions

    def condition(self, expression: Expression) -> Any:
        """Return the term of a condition; ill-typed ones are errors as everywhere."""
        if expression not in self._known:
            expect_boolean(expression, self.scope)
            if len(self._known) > 10_000:
                self._known.clear()
            self._known[expression] = self._term(expression)
        return self._known[expression]

    def number(self, value: Value) -> Any:
        """Return the numeral, an Int for an int and a Real for a Fraction."""
        match value:
            case bool():
                return z3.BoolVal(value, self._context)
            case int():
                return z3.IntVal(value, self._context)
            case Fraction():
                return z3.RealVal(f"{value.numerator}/{value.denominator}", self._context)
            case str():
                raise Bug(f"enum value {value!r} where a number is needed")

    def _term(self, node: Expression, enum: EnumType | None = None) -> Any:
        match node:
            case Boolean() | Integer() | Decimal():
                return self.number(node.value)
            case Name():
                return self._name(node, enum)
            case Unary():
                operand = self._term(node.operand)
                return z3.Not(operand) if node.operator == "not" else -operand
            case Binary():
                return self._binary(node)
            case Comparison():
                if node not in self._known:  # literals recur in many conditions
                    self._known[node] = self._chain(node)
                return self._known[node]
            case Call():
                return self._list_call(node, enum) if node.function in LIST_FUNCTIONS else self._call(node)
            case Conditional():
                branches = [self._term(node.then, enum), self._term(node.otherwise, enum)]
                if isinstance(branches[0], Bundle):
                    return z3_lists.chosen(self._term(node.condition), *branches)
                then, otherwise = _same_sort(branches)
                return z3.If(self._term(node.condition), then, otherwise)
            case Temporal():
                raise Bug("a temporal formula is not a condition on a single state")

    def _name(self, node: Name, enum: EnumType | None) -> Any:
        meaning = self.scope.lookup(node.name, at=node.at)
        match meaning:
            case Variable():
                return self.symbols[node.name]
            case ConstantValue(value=value):
                return self.number(value)
            case EnumValue(value=value, types=types):
                return self.number((enum or types[0]).values.index(value))

    def _binary(self, node: Binary) -> Any:
        if node.operator in ("and", "or"):
            parts = [self._term(part) for part in _flat(node)]
            return z3.And(*parts) if node.operator == "and" else z3.Or(*parts)
        left = self._term(node.left)
        if node.operator == "**":
            return self._power(left, exponent_of(node, self.scope))
        right = self._term(node.right)
        match node.operator:
            case "->":
                return z3.Implies(left, right)
            case "/":
                return self._divide(left, right)
            case "%":
                return self._modulo(left, right)
        left, right = _same_sort([left, right])
        match node.operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right

    def _divide(self, left: Any, right: Any) -> Any:
        left, right = _real(left), _real(right)
        divisor = _numeral(right)
        if divisor is None:
            return z3.If(right == 0, self.number(Fraction(0)), left / right)
        return left / right if divisor else self.number(Fraction(0))

    def _modulo(self, left: Any, right: Any) -> Any:
        divisor = _numeral(right)
        if divisor == 0:
            return left
        if left.is_int() and right.is_int():
            # z3's mod is never negative; ours has the sign of the divisor.
            if divisor is not None:
                return left % right if divisor > 0 else -((-left) % (-right))
            signed = z3.If(right > 0, left % right, -((-left) % (-right)))
            return z3.If(right == 0, left, signed)
        left, right = _real(left), _real(right)
        rest = left - right * z3.ToReal(z3.ToInt(left / right))
        return rest if divisor is not None else z3.If(right == 0, left, rest)

    def _power(self, base: Any, exponent: int) -> Any:
        if exponent == 0:
            return self.number(1 if base.is_int() else Fraction(1))
        # A product, since z3 leaves 0 ** 0 open and gives up earlier on its own power operator.
        product = base if abs(exponent) == 1 else z3.Product([base] * abs(exponent))
        return product if exponent > 0 else self._divide(self.number(Fraction(1)), product)

    def _chain(self, node: Comparison) -> Any:
        type_ = comparison_type(node, self.scope)
        enum = _enum_in(type_)
        operands = [self._term(operand, enum) for operand in node.operands]
        links = []
        for left, operator, right in zip(operands, node.operators, operands[1:], strict=False):
            if isinstance(left, Bundle):
                same = z3_lists.equal(left, right)
                links.append(same if operator == "==" else z3.Not(same))
                continue
            a, b = (left, right) if enum or isinstance(type_, BoolType) else _same_sort([left, right])
            links.append(_compare(a, operator, b))
        return links[0] if len(links) == 1 else z3.And(*links)

    def _list_call(self, node: Call, enum: EnumType | None) -> Any:
        if enum is None or node.function in ("in", "len"):  # no context says which enum is meant
            enum = _enum_in(list_type(node, self.scope))
        arguments = [self._term(argument, enum) for argument in node.arguments]
        match node.function:
            case "list":
                return z3_lists.literal(arguments, self._context)
            case "len":
                return arguments[0].length
            case "at":
                return z3_lists.element_at(*arguments)
            case "in":
                return z3_lists.contains(arguments[1], arguments[0])
            case "append":
                return z3_lists.appended(*arguments)
            case _:
                return z3_lists.rest(arguments[0])

    def _call(self, node: Call) -> Any:
        arguments = [self._term(argument) for argument in node.arguments]
        match node.function:
            case "abs":
                return z3.If(arguments[0] >= 0, arguments[0], -arguments[0])
            case "floor":
                return arguments[0] if arguments[0].is_int() else z3.ToInt(arguments[0])
        first, *others = _same_sort(arguments)
        for other in others:
            first = z3.If(other < first if node.function == "min" else other > first, other, first)
        return first


def _enum_in(type_: Type) -> EnumType | None:
    element = type_.element if isinstance(type_, ListType) else type_
    return element if isinstance(element, EnumType) else None


def _flat(node: Binary) -> list[Expression]:
    """The parts of a conjunction or disjunction, from left to right."""
    parts: list[Expression] = []
    stack: list[Expression] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, Binary) and part.operator == node.operator:
            stack += [part.right, part.left]
        else:
            parts.append(part)
    return parts


def _compare(left: Any, operator: str, right: Any) -> Any:
    match operator:
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


def _same_sort(terms: Sequence[Any]) -> list[Any]:
    """Turn ints into reals where some of the numbers are reals."""
    if any(z3.is_real(term) for term in terms):
        return [_real(term) for term in terms]
    return list(terms)


def _real(term: Any) -> Any:
    return term if z3.is_real(term) else z3.ToReal(term)


def _numeral(term: Any) -> Fraction | None:
    """Return the value of a term that is a number, after simplification."""
    simple = z3.simplify(term)
    if z3.is_int_value(simple):
        return Fraction(simple.as_long())
    if z3.is_rational_value(simple):
        return Fraction(simple.numerator_as_long(), simple.denominator_as_long())
    return None
