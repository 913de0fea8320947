"""Names and expressions as SysML v2 writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fullproof.core.errors import UserError
from fullproof.language.printer import value_to_text
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

_WORDS = """
about abstract accept action actor after alias all allocate allocation analysis and as assert assign assoc assume
at attribute behavior bind binding bool by calc case chains class classifier comment composite concern conjugate
conjugates conjugation connect connection connector const constant constraint crosses datatype decide def default
defined dependency derived differences disjoining disjoint do doc else end entry enum event exhibit exit expose
expr false feature featured featuring filter first flow for fork frame from function hastype if implies import in
include individual inout interaction interface intersects inv inverse inverting istype item join language library
locale loop member merge message meta metaclass metadata multiplicity namespace new nonunique not null objective
occurrence of or ordered out package parallel part perform port portion predicate private protected public
redefines redefinition ref references render rendering rep require requirement return satisfy send snapshot
specialization specializes stakeholder standard state step struct subclassifier subject subset subsets subtype
succession terminate then timeslice to transition true type typed typing unions until use var variant variation
verification verify via view viewpoint when while xor
"""
KEYWORDS = frozenset(_WORDS.split())
"""The words of SysML and KerML that cannot be names as they are."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}

# How tightly each construct binds in SysML: its unary operators more than all others.
_CONDITIONAL, _IMPLIES, _OR, _AND, _EQUALITY, _RELATION, _SUM, _PRODUCT, _POWER, _UNARY, _ATOM = range(11)
_BINARY = {
    "->": (_IMPLIES, "implies"), "or": (_OR, "or"), "and": (_AND, "and"), "+": (_SUM, "+"), "-": (_SUM, "-"),
    "*": (_PRODUCT, "*"), "/": (_PRODUCT, "/"), "%": (_PRODUCT, "%"), "**": (_POWER, "**"),
}  # fmt: skip


def quoted(name: str) -> str:
    """A name as it is, or between quotes where it is none or a word of the language."""
    if _PLAIN.match(name) and name not in KEYWORDS:
        return name
    if "\0" in name:
        raise UserError(f"a .sysml file cannot hold the name {name!r}: it has the character U+0000")
    return "'" + "".join(_ESCAPES.get(character, character) for character in name) + "'"


def expression_text(expression: Expression, values: Mapping[str, str]) -> str:
    """The expression; ``values`` are the full names of enumeration values. Chains of comparisons are written out."""
    return _text(expression, _CONDITIONAL, values)


def _text(node: Expression, least: int, values: Mapping[str, str]) -> str:
    level, text = _render(node, values)
    return text if level >= least else f"({text})"


def _render(node: Expression, values: Mapping[str, str]) -> tuple[int, str]:
    match node:
        case Name():
            return _ATOM, values.get(node.name) or quoted(node.name)
        case Boolean() | Integer() | Decimal():
            return _literal(node)
        case Binary():
            level, sign = _BINARY[node.operator]
            left, right = (level + 1, level + 1) if node.operator in ("->", "**") else (level, level + 1)
            return level, f"{_text(node.left, left, values)} {sign} {_text(node.right, right, values)}"
        case Comparison():
            return _comparison(node, values)
        case Unary():
            sign = "-" if node.operator == "-" else "not "
            return _UNARY, f"{sign}{_text(node.operand, _ATOM, values)}"
        case Call():
            return _call(node, values)
        case Conditional():
            condition, then, otherwise = (
                _text(part, _IMPLIES, values) for part in (node.condition, node.then, node.otherwise)
            )
            return _CONDITIONAL, f"if {condition} ? {then} else {otherwise}"
        case Temporal():
            raise UserError(f"{node.operator} is a temporal operator, which SysML does not have", at=node.at)


def _literal(node: Boolean | Integer | Decimal) -> tuple[int, str]:
    text = value_to_text(node.value)
    if isinstance(node, Decimal) and not set(text) & set("./e"):
        text += ".0"
    level = _PRODUCT if "/" in text else _UNARY if text.startswith("-") else _ATOM
    return level, text.replace("/", " / ")


def _comparison(node: Comparison, values: Mapping[str, str]) -> tuple[int, str]:
    parts = []
    for left, operator, right in zip(node.operands, node.operators, node.operands[1:], strict=False):
        level = _EQUALITY if operator in ("==", "!=") else _RELATION
        parts.append(f"{_text(left, level + 1, values)} {operator} {_text(right, level + 1, values)}")
    if len(parts) > 1:
        return _AND, " and ".join(parts)
    return level, parts[0]


def _call(node: Call, values: Mapping[str, str]) -> tuple[int, str]:
    arguments = [_text(argument, _CONDITIONAL, values) for argument in node.arguments]
    if len(arguments) == 1 and node.function in ("min", "max"):
        return _ATOM, f"({arguments[0]})"
    text = arguments[0]
    if len(arguments) == 1:
        return _ATOM, f"{node.function}({text})"
    for argument in arguments[1:]:  # SysML's min and max have two arguments
        text = f"{node.function}({text}, {argument})"
    return _ATOM, text
