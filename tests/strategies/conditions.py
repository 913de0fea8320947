"""Random well-typed expressions over the variables of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from hypothesis import strategies as st

from fullproof.language.syntax import (
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
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Type, Value, Variable


def values_of(type_: Type) -> st.SearchStrategy[Value]:
    """Draw a value within the bounds of a type."""
    match type_:
        case BoolType():
            return st.booleans()
        case EnumType():
            return st.sampled_from(type_.values)
        case IntType():
            return st.integers(_or(type_.low, -30), _or(type_.high, 30))
        case RealType():
            low, high = Fraction(_or(type_.low, -30)), Fraction(_or(type_.high, 30))
            return st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(1)]).map(
                lambda part: low + part * (high - low)
            )


def _or(bound: int | Fraction | None, other: int) -> int | Fraction:
    return other if bound is None else bound


@st.composite
def conditions(
    draw: st.DrawFn,
    variables: Sequence[Variable],
    constants: Mapping[str, Value],
    *,
    wanted: Type = BoolType(),  # noqa: B008 - frozen
    depth: int = 2,
) -> Expression:
    """Draw an expression of the wanted type."""
    if depth and draw(st.integers(0, 5)) == 0:
        condition = draw(conditions(variables, constants, depth=depth - 1))
        then, otherwise = (draw(conditions(variables, constants, wanted=wanted, depth=depth - 1)) for _ in range(2))
        return Conditional(condition, then, otherwise)
    match wanted:
        case BoolType():
            return draw(_booleans(variables, constants, depth))
        case EnumType():
            same = [v.name for v in variables if v.type == wanted]
            return Name(draw(st.sampled_from([*wanted.values, *same])))
        case IntType():
            return draw(_numbers(variables, constants, depth, whole=True))
        case RealType():
            return draw(_numbers(variables, constants, depth, whole=False))


@st.composite
def formulas(draw: st.DrawFn, variables: Sequence[Variable], constants: Mapping[str, Value]) -> Expression:
    """Draw an LTL formula."""
    atoms = conditions(variables, constants, depth=1)
    operator = draw(st.sampled_from(["X", "F", "G", "U", "W", "R", "and", "not", "->", "atom"]))
    if operator == "atom":
        return draw(atoms)
    if operator == "not":
        return Unary("not", Temporal("G", (draw(atoms),)))
    if operator in ("and", "->"):
        return Binary(operator, Temporal("X", (draw(atoms),)), draw(atoms))
    count = 1 if operator in "XFG" else 2
    return Temporal(operator, tuple(draw(atoms) for _ in range(count)))


@st.composite
def _booleans(draw: st.DrawFn, variables: Sequence[Variable], constants: Mapping[str, Value], depth: int) -> Expression:
    known = [v.name for v in variables if isinstance(v.type, BoolType)]
    known += [name for name, value in constants.items() if isinstance(value, bool)]
    enums = [v for v in variables if isinstance(v.type, EnumType)]
    forms = ["literal", *(["name"] if known else []), *(["enum"] if enums else [])]
    forms += ["chain", "chain", "not", "binary"] if depth else []
    match draw(st.sampled_from(forms)):
        case "name":
            return Name(draw(st.sampled_from(known)))
        case "enum":
            variable = draw(st.sampled_from(enums))
            other = draw(conditions(variables, constants, wanted=variable.type, depth=0))
            return Comparison((Name(variable.name), other), (draw(st.sampled_from(["==", "!=", "<", ">="])),))
        case "chain":
            count = draw(st.integers(2, 3))
            operands = tuple(draw(_numbers(variables, constants, depth - 1, whole=False)) for _ in range(count))
            signs = tuple(draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="])) for _ in range(count - 1))
            return Comparison(operands, signs)
        case "not":
            return Unary("not", draw(_booleans(variables, constants, depth - 1)))
        case "binary":
            left, right = (draw(_booleans(variables, constants, depth - 1)) for _ in range(2))
            return Binary(draw(st.sampled_from(["and", "or", "->"])), left, right)
        case _:
            return Boolean(draw(st.booleans()))


@st.composite
def _numbers(
    draw: st.DrawFn, variables: Sequence[Variable], constants: Mapping[str, Value], depth: int, *, whole: bool
) -> Expression:
    allowed = IntType if whole else IntType | RealType
    known = [v.name for v in variables if isinstance(v.type, allowed)]
    known += [
        name
        for name, value in constants.items()
        if not isinstance(value, bool) and (isinstance(value, int) or not whole)
    ]
    forms = ["literal", *(["name", "name"] if known else []), *(["binary", "call", "minus"] if depth > 0 else [])]
    match draw(st.sampled_from(forms)):
        case "name":
            return Name(draw(st.sampled_from(known)))
        case "binary":
            left, right = (draw(_numbers(variables, constants, depth - 1, whole=whole)) for _ in range(2))
            return Binary(draw(st.sampled_from(["+", "-", "*"] if whole else ["+", "-", "*", "/"])), left, right)
        case "call":
            arguments = tuple(draw(_numbers(variables, constants, depth - 1, whole=whole)) for _ in range(2))
            return Call(draw(st.sampled_from(["min", "max"])), arguments)
        case "minus":
            return Unary("-", draw(_numbers(variables, constants, depth - 1, whole=whole)))
        case _:
            if whole or draw(st.booleans()):
                return Integer(draw(st.integers(0, 30)))
            return Decimal(Fraction(draw(st.integers(0, 99)), draw(st.sampled_from([1, 2, 10, 100]))))
