"""Trees, values and declarations back to text that parses to the same, with no more parentheses than needed."""

from __future__ import annotations

from fractions import Fraction

from fullproof.core.errors import UserError
from fullproof.language.shallow_trees import LONGEST_CHAIN
from fullproof.language.strings import StringValue, quoted
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
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, StringType, Type, Value, Variable

# How tightly each construct binds; a child that binds more loosely than its place demands gets parentheses.
_CONDITIONAL, _IMPLIES, _UNTIL, _OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _MINUS, _POWER, _ATOM = range(12)
_BINARY: dict[str, tuple[int, int, int]] = {  # own level, what the left and the right operand must have at least
    "->": (_IMPLIES, _UNTIL, _IMPLIES),
    "or": (_OR, _OR, _AND),
    "and": (_AND, _AND, _NOT),
    "+": (_SUM, _SUM, _PRODUCT),
    "-": (_SUM, _SUM, _PRODUCT),
    "*": (_PRODUCT, _PRODUCT, _MINUS),
    "/": (_PRODUCT, _PRODUCT, _MINUS),
    "%": (_PRODUCT, _PRODUCT, _MINUS),
    "**": (_POWER, _ATOM, _MINUS),
}


def to_text(expression: Expression) -> str:
    """Return text that parses to the same tree.

    Trees that the parser never builds (a negative Integer, a Decimal such as 1/3) become text of the same value. A
    conditional inside an operator always gets parentheses: the grammar does not need them at the right end, readers do.
    """
    return _text(expression, _CONDITIONAL)


def _text(node: Expression, least: int) -> str:
    level, text = _render(node)
    return text if level >= least else f"({text})"


def _render(node: Expression) -> tuple[int, str]:
    match node:
        case Name():
            return _ATOM, node.name
        case Boolean() | Integer() | Decimal():
            return _literal(node)
        case Binary():
            level, left, right = _BINARY[node.operator]
            left = _ATOM if _chain_length(node) > LONGEST_CHAIN else left
            return level, f"{_text(node.left, left)} {node.operator} {_text(node.right, right)}"
        case Comparison():
            parts = [_text(node.operands[0], _SUM)]
            for operator, operand in zip(node.operators, node.operands[1:], strict=True):
                parts += [operator, _text(operand, _SUM)]
            return _COMPARISON, " ".join(parts)
        case Unary(operator="-"):
            return _MINUS, f"-{_text(node.operand, _MINUS)}"
        case Unary():
            return _NOT, f"not {_text(node.operand, _NOT)}"
        case Call():
            return _call(node)
        case Conditional():
            c, a, b = (_text(part, _CONDITIONAL) for part in (node.condition, node.then, node.otherwise))
            return _CONDITIONAL, f"if {c} then {a} else {b}"
        case Temporal():
            # X, F and G always get parentheses: without them `X -1 < y` would refer to a variable X.
            if len(node.operands) == 1:
                return _NOT, f"{node.operator}({_text(node.operands[0], _CONDITIONAL)})"
            left_side, right_side = (_around_until(operand) for operand in node.operands)
            return _UNTIL, f"{left_side} {node.operator} {right_side}"


def _call(node: Call) -> tuple[int, str]:
    match node:
        case Call(function="at", arguments=(items, index, *_)):  # the default follows from the type and is not printed
            return _ATOM, f"{_text(items, _ATOM)}[{_text(index, _CONDITIONAL)}]"
        case Call(function="in", arguments=(item, items)):
            return _COMPARISON, f"{_text(item, _SUM)} in {_text(items, _SUM)}"
    arguments = ", ".join(_text(argument, _CONDITIONAL) for argument in node.arguments)
    return _ATOM, f"[{arguments}]" if node.function == "list" else f"{node.function}({arguments})"


def _chain_length(node: Binary) -> int:
    """Return how many parts would be read as one chain of ``and`` or ``or``, if no parentheses broke it."""
    operator, count, left = node.operator, 2, node.left
    while operator in ("and", "or") and isinstance(left, Binary) and left.operator == operator:
        count, left = count + 1, left.left
    return count


def _around_until(node: Expression) -> str:
    """Give every infix operand of U, W, R parentheses: ``a < b W c < d`` parses, but is hard to read."""
    text = _text(node, _CONDITIONAL)
    infix = isinstance(node, Binary | Comparison | Conditional) or (
        isinstance(node, Temporal) and len(node.operands) > 1
    )
    return f"({text})" if infix else text


def _literal(node: Boolean | Integer | Decimal) -> tuple[int, str]:
    text = value_to_text(node.value)
    if isinstance(node.value, StringValue):
        return _ATOM, text
    if isinstance(node, Decimal) and "/" not in text and not set(text) & set(".e"):
        text += ".0"
    if "/" in text:
        return (_PRODUCT, text.replace("/", " / "))
    return (_MINUS if text.startswith("-") else _ATOM), text


def value_to_text(value: Value) -> str:
    """Return ``true``, ``3``, ``0.25``, ``20/3``, ``"a"`` or the name of an enum value: exact, an expression of it."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case StringValue():
            return quoted(value.text)
        case int():
            _check_length(value)
            return str(value)
        case Fraction():
            _check_length(value.numerator, value.denominator)
            return _fraction_text(value)


def _check_length(*parts: int) -> None:
    if sum(part.bit_length() for part in parts) > 14_000:  # Python refuses to write more than 4300 digits
        raise UserError("a number has too many digits to be written")


def _fraction_text(value: Fraction) -> str:
    sign = "-" if value < 0 else ""
    numerator, denominator = abs(value.numerator), value.denominator
    twos = (denominator & -denominator).bit_length() - 1
    fives, rest = 0, denominator >> twos
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    if rest != 1:
        return f"{sign}{numerator}/{denominator}"
    places = max(twos, fives)
    return sign + _decimal_text(str(numerator * 10**places // denominator), places)


def _decimal_text(digits: str, places: int) -> str:
    """Return the number with the last ``places`` digits behind the point, in scientific form where there are many
    zeros.
    """
    significant = digits.rstrip("0")
    if len(digits) - len(significant) > 15 or places - len(digits) > 8:
        exponent = len(digits) - places - 1
        return f"{significant[0]}{'.' if significant[1:] else ''}{significant[1:]}e{exponent}"
    if not places:
        return digits
    return f"{digits[:-places]}.{digits[-places:]}" if len(digits) > places else f"0.{digits.zfill(places)}"


def type_to_text(type_: Type) -> str:
    """Return ``real 0..400`` and the like."""
    match type_:
        case BoolType():
            return "bool"
        case StringType():
            return "string"
        case EnumType():
            return f"enum {', '.join(type_.values)}"
        case IntType() | RealType():
            word = "int" if isinstance(type_, IntType) else "real"
            if type_.low is None and type_.high is None:
                return word
            low, high = ("" if bound is None else value_to_text(bound) for bound in (type_.low, type_.high))
            return f"{word} {low}..{high}"
        case ListType():
            return f"list of {type_to_text(type_.element)} max {type_.most}"


def declaration_text(variable: Variable) -> str:
    """Return text that ``parse_declaration`` reads as the same variable."""
    text = type_to_text(variable.type)
    if variable.initial is not None:
        text += f" = {value_to_text(variable.initial)}"
    if variable.tolerance is not None:
        text += f" ~ {value_to_text(variable.tolerance)}"
    return text
