"""Conditions and values of SCXML files: from a part of ECMAScript to expressions.

``&& || ! === == !== != < <= > >= + - * / % ** ?:``, ``Math.abs``, ``min``, ``max``, ``floor``, ``pow``, numbers, truth
values, names, texts ('red') for the values of enums, and ``In('state')``. Numbers are exact here, and ``%`` has the
sign of its right side.
"""

from __future__ import annotations

import re
from typing import cast

from fullproof.core.errors import UserError
from fullproof.formats.scxml.tokens import ScxmlToken, tokens
from fullproof.formats.scxml.tree import Attribute
from fullproof.language.complaints import RESERVED
from fullproof.language.limits import MAX_DEPTH
from fullproof.language.literals import number_literal
from fullproof.language.shallow_trees import joined_as_written
from fullproof.language.syntax import (
    MIRRORED,
    Binary,
    BinaryOperator,
    Boolean,
    Call,
    Comparison,
    Conditional,
    Expression,
    Function,
    Integer,
    Name,
    Unary,
)
from fullproof.language.traversal import depth
from fullproof.model.chart import is_active

_ORDER = {sign: sign for sign in ("<", "<=", ">", ">=")}
_LEVELS: tuple[dict[str, str], ...] = (
    {"||": "or"}, {"&&": "and"}, {"===": "==", "==": "==", "!==": "!=", "!=": "!="}, _ORDER,
    {"+": "+", "-": "-"}, {"*": "*", "/": "/", "%": "%"},
)  # fmt: skip
"""The operators between two operands by how tightly they bind, with those of expressions."""
_NESTED = 50
_STATEMENT = re.compile(r"\s*(?P<name>[^\W\d][\w$]*)\s*(?P<sign>=(?!=)|[-+*/%]=|\+\+(?=\s*;?\s*\Z)|--(?=\s*;?\s*\Z))")
"""Parentheses inside parentheses: each takes ten frames of Python's 1000."""
_FUNCTIONS = ("abs", "min", "max", "floor", "pow")


def read_expression(source: Attribute) -> Expression:
    """The expression, not yet checked for its types."""
    reader = _Reader(tokens(source))
    if reader.here.kind == "end":
        raise UserError("an expression is missing", at=reader.here.at)
    found = reader.conditional()
    if reader.here.kind != "end":
        raise UserError(f"unexpected {reader.here.text[:20]!r} after an expression", at=reader.here.at)
    if depth(found) > MAX_DEPTH:
        raise UserError(f"nested more than {MAX_DEPTH} deep", at=found.at)
    return found


def texts_in(source: Attribute) -> set[str]:
    """The texts in quotes."""
    return {token.text[1:-1] for token in tokens(source) if token.kind == "string"}


def read_list(source: Attribute) -> list[Expression] | None:
    """The elements of ``[1, 2]``; None where it is no list."""
    text = source.text
    if not text.lstrip().startswith("[") or not text.rstrip().endswith("]"):
        return None
    begin, found = text.index("[") + 1, list[Expression]()
    inner = text[begin : text.rindex("]")]
    for part in inner.split(",") if inner.strip() else []:
        found.append(read_expression(_part(source, begin, part)))
        begin += len(part) + 1
    return found


def _part(source: Attribute, begin: int, text: str) -> Attribute:
    return Attribute(text, lambda offset: source.place(begin + offset))


def read_statements(source: Attribute) -> list[tuple[str, Expression, Attribute]]:
    """The assignments of a script: ``x = 1; y += x; n++``, each with its name, its value and its source."""
    found: list[tuple[str, Expression, Attribute]] = []
    begin = 0
    for line in re.split(r"(?<=[;\n])", source.text):
        statement = _part(source, begin, line)
        begin += len(line)
        bare = line.strip().rstrip(";").rstrip()
        if not bare:
            continue
        match = _STATEMENT.match(line)
        if match is None:
            message = f"unexpected {bare[:40]!r} in a script, expected an assignment such as x = 1; and nothing else"
            raise UserError(message, at=statement.place(len(line) - len(line.lstrip())))
        name = Name(match["name"], at=statement.place(match.start("name")))
        sign, value = match["sign"], cast("Expression", Integer(1))
        if sign in ("++", "--"):
            statement, sign = _part(statement, 0, ""), sign[0]
        else:
            size = len(line.rstrip().rstrip(";"))
            statement = _part(statement, match.end(), line[match.end() : size])
            value = read_expression(statement)
            sign = sign.removesuffix("=")
        if sign:
            value = Binary(cast("BinaryOperator", sign), name, value, at=name.at)
        found.append((name.name, value, statement))
    return found


class _Reader:
    def __init__(self, listed: list[ScxmlToken]) -> None:
        self.tokens = listed
        self.position = 0
        self.deep = 0

    @property
    def here(self) -> ScxmlToken:
        return self.tokens[self.position]

    def sign(self, *texts: str) -> ScxmlToken | None:
        """Take one of some signs, where it stands here."""
        token = self.here
        if token.kind == "sign" and token.text in texts:
            self.position += 1
            return token
        return None

    def expect(self, text: str, why: str) -> None:
        if self.sign(text) is None:
            found = repr(self.here.text[:20]) if self.here.kind != "end" else "the end"
            raise UserError(f"expected {text!r} {why}, found {found}", at=self.here.at)

    def go_deeper(self) -> None:
        self.deep += 1
        if self.deep > _NESTED:
            raise UserError(f"nested more than {_NESTED} deep", at=self.here.at)

    def conditional(self) -> Expression:
        self.go_deeper()
        condition = self.binary()
        if self.sign("?") is not None:
            then = self.conditional()
            self.expect(":", "between the two values after '?'")
            condition = Conditional(condition, then, self.conditional(), at=condition.at)
        self.deep -= 1
        return condition

    def binary(self, level: int = 0) -> Expression:
        """Operators of a level, from the left; those of higher levels bind more tightly."""
        if level == len(_LEVELS):
            return self.unary()
        signs, parts = _LEVELS[level], [self.binary(level + 1)]
        while token := self.sign(*signs):
            operator, right = signs[token.text], self.binary(level + 1)
            if operator in ("and", "or"):
                parts.append(right)
            elif operator in MIRRORED:
                parts = [Comparison((parts[0], right), (operator,), at=parts[0].at)]
            else:
                parts = [Binary(cast("BinaryOperator", operator), parts[0], right, at=parts[0].at)]
            if operator in _ORDER and (again := self.sign(*_ORDER)):
                message = (
                    f"a second {again.text!r}: in ECMAScript it would compare a truth value; join comparisons by &&"
                )
                raise UserError(message, at=again.at)
        return parts[0] if len(parts) == 1 else joined_as_written("or" if level == 0 else "and", parts)

    def unary(self) -> Expression:
        signs: list[ScxmlToken] = []
        while token := self.sign("!", "-", "+"):
            signs.append(token)
        if len(signs) > MAX_DEPTH:
            raise UserError(f"nested more than {MAX_DEPTH} deep", at=signs[0].at)
        found = self.power()
        for token in reversed(signs):
            if token.text != "+":
                found = Unary("not" if token.text == "!" else "-", found, at=token.at)
        return found

    def power(self) -> Expression:
        base = self.atom()
        if self.sign("**") is None:
            return base
        self.go_deeper()
        exponent = self.unary()
        self.deep -= 1
        return Binary("**", base, exponent, at=base.at)

    def atom(self) -> Expression:
        token = self.here
        self.position += 1
        match token.kind:
            case "number":
                return number_literal(token.text, at=token.at)
            case "string":
                return _value(token)
            case "name":
                return self.named(token)
        if token.text == "(":
            found = self.conditional()
            self.expect(")", "after an expression in parentheses")
            return found
        self.position -= 1
        what = f"unexpected {token.text!r}" if token.text else "the expression ends too early"
        raise UserError(f"{what}, expected a value", at=token.at)

    def named(self, token: ScxmlToken) -> Expression:
        if token.text in ("true", "false"):
            return Boolean(token.text == "true", at=token.at)
        name = token.text
        if self.sign(".") is not None:
            following = self.here
            self.position += 1
            if name != "Math" or following.text not in _FUNCTIONS:
                raise UserError(_no_member(name, following), at=token.at)
            name = following.text
            if not (self.here.kind == "sign" and self.here.text == "("):
                raise UserError(f"expected '(' after Math.{name}", at=self.here.at)
        if self.sign("(") is None:
            if name in RESERVED:
                raise UserError(f"{name!r} is a word of another language, expected && || ! or ?:", at=token.at)
            return Name(name, at=token.at)
        if name == "In":
            return self.asked(token)
        if name not in _FUNCTIONS:
            known = ", ".join(f"Math.{function}" for function in _FUNCTIONS)
            raise UserError(f"unknown function {name[:40]!r}, expected one of {known}", at=token.at)
        arguments = [self.conditional()]
        while self.sign(",") is not None:
            arguments.append(self.conditional())
        self.expect(")", f"after the arguments of {name}")
        if name == "pow":
            if len(arguments) != 2:
                raise UserError("Math.pow takes two arguments", at=token.at)
            return Binary("**", arguments[0], arguments[1], at=token.at)
        return Call(cast("Function", name), tuple(arguments), at=token.at)

    def asked(self, token: ScxmlToken) -> Expression:
        """``In('state')``"""
        state = self.here
        if state.kind != "string":
            raise UserError("expected a state in quotes, as in In('idle')", at=state.at)
        self.position += 1
        self.expect(")", "after the state of In")
        return Name(is_active(state.text[1:-1]), at=token.at)


def _no_member(name: str, following: ScxmlToken) -> str:
    whole = f"{name}.{following.text}"[:60]
    if name == "_event":
        return f'{whole!r}: events carry no values here; an input is a <data> with fp:role="input"'
    return f"unknown {whole!r}: a value has no parts here"


def _value(token: ScxmlToken) -> Expression:
    text = token.text[1:-1]
    if not text.isidentifier() or text in RESERVED:
        raise UserError(f"{text[:60]!r} cannot be a value of an enum, expected a name", at=token.at)
    return Name(text, at=token.at)
