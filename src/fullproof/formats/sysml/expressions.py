"""Expressions of SysML v2 to those of model files, with the places of every part.

The tree of the parser decides what belongs together, as the two languages differ: in SysML, ``not a == b`` is
``(not a) == b`` and ``-a ** 2`` is ``(-a) ** 2``.
"""

from __future__ import annotations

from typing import cast

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.sysml.tree import Node, Rule, SysmlToken, child, children, first, name_text, place_of, shown
from fullproof.language.limits import MAX_DEPTH
from fullproof.language.literals import number_literal
from fullproof.language.syntax import (
    Binary,
    BinaryOperator,
    Boolean,
    Call,
    Comparison,
    ComparisonOperator,
    Conditional,
    Expression,
    Function,
    Name,
    Unary,
)

_ARITHMETIC: dict[str, BinaryOperator] = {
    "+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "**": "**", "^": "**",
    "and": "and", "&": "and", "or": "or", "|": "or", "implies": "->",
}  # fmt: skip
_COMPARING: dict[str, ComparisonOperator] = {
    "==": "==", "!=": "!=", "===": "==", "!==": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
}  # fmt: skip
_FUNCTIONS = ("abs", "min", "max", "floor")


def read_expression(rule: Rule) -> Expression:
    """The expression; UserError with its place where model files have nothing of the kind."""
    if _levels(rule) > MAX_DEPTH:
        raise UserError(f"nested more than {MAX_DEPTH} deep", at=place_of(rule))
    return _read(rule)


def _levels(rule: Rule) -> int:
    """How deep operators and parentheses are nested; counted without recursion."""
    deepest = 0
    stack: list[tuple[Node, int]] = [(rule, 0)]
    while stack:
        node, level = stack.pop()
        if isinstance(node, Rule):
            level += node.name == "ownedExpression"
            deepest = max(deepest, level)
            stack.extend((part, level) for part in node.children)
    return deepest


def _refused(node: Node, expected: str) -> UserError:
    return UserError(f"{shown(node)} is not supported, expected {expected}", at=place_of(node))


def _read(rule: Rule) -> Expression:
    """Any rule of expressions: those that only wrap another are passed through."""
    while len(rule.children) == 1 and isinstance(rule.children[0], Rule) and rule.name != "qualifiedName":
        rule = rule.children[0]
    match rule.name:
        case "ownedExpression":
            return _operation(rule)
        case "baseExpression":
            return _base(rule)
        case "qualifiedName":
            return _named(rule)
        case "literalInteger" | "literalReal" | "literalBoolean":
            return _literal(rule)
        case _:
            raise _refused(rule, "an expression of names, numbers and operators")


def _operation(rule: Rule) -> Expression:
    parts = rule.children
    at = place_of(rule)
    if len(parts) == 2 and isinstance(parts[0], SysmlToken) and isinstance(parts[1], Rule):
        operand = _read(parts[1])
        match parts[0].text:
            case "not":
                return Unary("not", operand, at=at)
            case "-":
                return Unary("-", operand, at=at)
            case "+":
                return operand
    if len(parts) == 3 and isinstance(parts[1], SysmlToken):
        return _binary(cast("Rule", parts[0]), parts[1], parts[2])
    if isinstance(parts[0], SysmlToken) and parts[0].text == "if":
        condition, then, otherwise = (_read(part) for part in children(rule, "ownedExpression"))
        return Conditional(condition, then, otherwise, at=at)
    raise _refused(rule, "an expression of names, numbers and operators")


def _binary(left: Rule, sign: SysmlToken, right: Node) -> Expression:
    operator = sign.text
    at = place_of(left)
    if not isinstance(right, Rule) or operator not in {*_ARITHMETIC, *_COMPARING, "xor"}:
        raise _refused(sign, "an operator such as + - * / % ** == != < <= > >= and or xor implies")
    operands = (_read(left), _read(right))
    if operator in _COMPARING:
        return Comparison(operands, (_COMPARING[operator],), at=at)
    if operator == "xor":
        return Comparison(operands, ("!=",), at=at)
    return Binary(_ARITHMETIC[operator], *operands, at=at)


def _base(rule: Rule) -> Expression:
    arguments = child(rule, "argumentList")
    if isinstance(rule.children[0], SysmlToken) and rule.children[0].text == "(":
        inner = child(rule, "sequenceExpressionList")
        if inner is not None and len(inner.children) == 1:
            return _read(inner)
        raise _refused(rule, "one expression between parentheses")
    name = child(rule, "qualifiedName")
    if name is not None and arguments is not None and len(children(rule, "qualifiedName")) == 1:
        return _call(name, arguments)
    raise _refused(rule, "an attribute, a number or a call such as max(a, b)")


def _call(name: Rule, arguments: Rule) -> Expression:
    function = last_name(name)
    if function not in _FUNCTIONS:
        message = f"unknown function {function[:60]!r}{did_you_mean(function[:60], _FUNCTIONS)}"
        raise UserError(message, at=place_of(name))
    listed = [part for part in _arguments(arguments) if part.name == "ownedExpression"]
    if not listed or (function in ("abs", "floor") and len(listed) != 1):
        raise _refused(name, f"{function} with {'one argument' if function in ('abs', 'floor') else 'arguments'}")
    return Call(cast("Function", function), tuple(_read(part) for part in listed), at=place_of(name))


def _named(rule: Rule) -> Expression:
    return Name(last_name(rule), at=place_of(rule))


def _literal(rule: Rule) -> Expression:
    text, at = first(rule).text, place_of(rule)
    return Boolean(text == "true", at=at) if rule.name == "literalBoolean" else number_literal(text, at=at)


def last_name(rule: Rule) -> str:
    """The last part of a qualified name: ``Mode::low`` is ``low``."""
    return name_text(first(children(rule, "name")[-1]))


def _arguments(rule: Rule) -> list[Rule]:
    """The expressions of a call, wherever the grammar has put them."""
    found: list[Rule] = []
    for part in rule.children:
        if isinstance(part, Rule):
            found += [part] if part.name == "ownedExpression" else _arguments(part)
    return found
