"""Expressions that differ from a given one by one typical mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from fractions import Fraction

from fullproof.core.errors import UserError
from fullproof.language.evaluate import evaluate
from fullproof.language.scope import ConstantValue, EnumValue, Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import (
    Binary,
    BinaryOperator,
    Boolean,
    Call,
    Comparison,
    ComparisonOperator,
    Conditional,
    Decimal,
    Expression,
    Function,
    Integer,
    Name,
    Temporal,
    Unary,
)
from fullproof.language.traversal import children, free_names
from fullproof.language.type_inference import comparison_type
from fullproof.language.types import BoolType, EnumType, IntType, Variable


class Slip(IntEnum):
    """The kinds of mistakes, the most typical first."""

    STRICTNESS = 1
    BOUNDARY = 2
    OPERATOR = 3
    CONSTANT = 4
    EXCHANGE = 5


Variant = tuple[Slip, Expression]

_STRICTNESS: dict[ComparisonOperator, ComparisonOperator] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_MIRRORED: dict[ComparisonOperator, tuple[ComparisonOperator, ...]] = {
    "<": (">",),
    "<=": (">=",),
    ">": ("<",),
    ">=": ("<=",),
    "==": ("!=", "<=", ">="),
    "!=": ("==",),
}
_UNORDERED: dict[ComparisonOperator, ComparisonOperator] = {"==": "!=", "!=": "=="}
_SWAPPED: dict[BinaryOperator, BinaryOperator] = {
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "%": "/",
    "**": "*",
    "and": "or",
    "or": "and",
    "->": "and",
}
_CALLED: dict[Function, Function] = {"min": "max", "max": "min"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriter:
    """The context of rewriting: the names and constants of the model, and how far a boundary moves."""

    scope: Scope
    constants: tuple[Expression, ...]
    """Names and literals that may be mistaken for one another."""
    epsilon: Callable[[frozenset[str]], Fraction]
    """By how much a real boundary of these variables moves."""
    equations: frozenset[str] = frozenset()
    """Variables whose equations stay equations: a wrong output is one wrong value, not any value."""

    def variants(self, node: Expression) -> Iterator[Variant]:
        """Every expression with one mistake; not all of them are well typed."""
        yield from self._here(node)
        parts = children(node)
        for place, part in enumerate(parts):
            if isinstance(node, Binary) and node.operator == "**" and place == 1:
                continue  # exponents must be small constants
            for slip, other in self.variants(part):
                yield slip, _with_children(node, (*parts[:place], other, *parts[place + 1 :]))

    def _here(self, node: Expression) -> Iterator[Variant]:
        match node:
            case Comparison():
                yield from self._comparison(node)
            case Binary(operator="and") if free_names(node) & self.equations:
                return  # "or" would leave one of the outputs open
            case Binary():
                yield Slip.OPERATOR, replace(node, operator=_SWAPPED[node.operator])
            case Call(function="min" | "max" as function):
                yield Slip.OPERATOR, replace(node, function=_CALLED[function])
            case Unary():
                yield Slip.OPERATOR, node.operand
            case Conditional():
                yield Slip.OPERATOR, replace(node, then=node.otherwise, otherwise=node.then)
            case Name():
                yield from self._name(node)
            case Integer() | Decimal():
                yield from ((Slip.CONSTANT, other) for other in self.constants if not self._same_value(node, other))

    def _name(self, node: Name) -> Iterator[Variant]:
        match self.scope.lookup(node.name):
            case Variable(type=BoolType()):
                yield Slip.OPERATOR, Unary("not", node)
            case ConstantValue():
                yield from ((Slip.CONSTANT, other) for other in self.constants if not self._same_value(node, other))
            case EnumValue(types=types):
                values = dict.fromkeys(value for type_ in types for value in type_.values)
                yield from ((Slip.CONSTANT, Name(value)) for value in values if value != node.name)

    def _same_value(self, one: Expression, other: Expression) -> bool:
        return one == other or evaluate(one, self.scope, {}) == evaluate(other, self.scope, {})

    def _comparison(self, node: Comparison) -> Iterator[Variant]:
        try:
            type_ = comparison_type(node, self.scope)
        except UserError:
            return
        for k, operator in enumerate(node.operators):
            for slip, other in self._operators(node, k, operator, ordered=not isinstance(type_, BoolType)):
                yield slip, replace(node, operators=(*node.operators[:k], other, *node.operators[k + 1 :]))
        if isinstance(type_, BoolType | EnumType):
            return
        variables = self.variables_of(node)
        step = Fraction(1) if isinstance(type_, IntType) else self.epsilon(variables)
        for k in self._movable(node.operands):
            for moved in (_moved(node.operands[k], step), _moved(node.operands[k], -step)):
                yield Slip.BOUNDARY, replace(node, operands=(*node.operands[:k], moved, *node.operands[k + 1 :]))

    def _operators(
        self, node: Comparison, k: int, operator: ComparisonOperator, *, ordered: bool
    ) -> Iterator[tuple[Slip, ComparisonOperator]]:
        sides = node.operands[k : k + 2]
        if operator == "==" and any(isinstance(side, Name) and side.name in self.equations for side in sides):
            return
        if not ordered:
            yield Slip.OPERATOR, _UNORDERED[operator]
            return
        if operator in _STRICTNESS:
            yield Slip.STRICTNESS, _STRICTNESS[operator]
        yield from ((Slip.OPERATOR, other) for other in _MIRRORED[operator])

    def variables_of(self, node: Expression) -> frozenset[str]:
        """The variables it refers to."""
        return free_names(node) & {variable.name for variable in self.scope.variables}

    def _movable(self, operands: Sequence[Expression]) -> list[int]:
        """The boundaries: operands without variables, else the last operand that is more than a variable."""
        fixed = [k for k, operand in enumerate(operands) if not self.variables_of(operand)]
        if fixed:
            return fixed
        compound = [k for k, operand in enumerate(operands) if not isinstance(operand, Name)]
        return [compound[-1] if compound else len(operands) - 1]


def _moved(operand: Expression, step: Fraction) -> Expression:
    """``operand + step``; a number stays a number."""
    whole = step.denominator == 1
    match operand:
        case Integer(value=value) | Decimal(value=value):
            total = value + step
            return literal(int(total) if isinstance(value, int) and whole else total)
        case Unary(operator="-", operand=Integer() | Decimal() as number):
            total = step - number.value
            return literal(int(total) if isinstance(number.value, int) and whole else total)
    size = literal(int(abs(step)) if whole else abs(step))
    return Binary("+" if step > 0 else "-", operand, size)


def _with_children(node: Expression, parts: tuple[Expression, ...]) -> Expression:
    match node:
        case Unary():
            return replace(node, operand=parts[0])
        case Binary():
            return replace(node, left=parts[0], right=parts[1])
        case Comparison() | Temporal():
            return replace(node, operands=parts)
        case Call():
            return replace(node, arguments=parts)
        case Conditional():
            return replace(node, condition=parts[0], then=parts[1], otherwise=parts[2])
        case Boolean() | Integer() | Decimal() | Name():
            return node
