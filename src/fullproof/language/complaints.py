"""Error messages for text that is not an expression: what was found, what was expected, what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Callable

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.limits import MAX_DEPTH

FUNCTIONS = ("abs", "min", "max", "floor", "len", "append", "rest")
RESERVED = ("and", "or", "not", "if", "then", "else", "true", "false")
TYPES = ("bool", "int", "real", "enum", "string", "list")

# Operators of other languages, longer ones first, and their names in this language.
_INFIX = {
    "<=>": "== (between truth values)",
    "<->": "== (between truth values)",
    "==>": "-> (implies)",
    "===": "==",
    "!==": "!=",
    "&&": "and",
    "||": "or",
    "=>": "-> (implies) or >=",
    "=<": "<=",
    "<>": "!=",
    "//": "floor(a / b)",
    "/\\": "and",
    "\\/": "or",
    ":=": "=",
    "&": "and",
    "|": "or",
    "∧": "and",
    "∨": "or",
    "→": "->",
    "⇒": "->",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "·": "*",
    "×": "*",
    "÷": "/",
    "−": "-",
    "–": "-",
    "^": "**",
    "?": "if c then a else b",
    "=": "==",
}
_PREFIX = {"[]": "G", "<>": "F", "!": "not", "~": "not", "¬": "not", "−": "-", "–": "-"}
_WORDS = {
    "implies": "->",
    "iff": "==",
    "equals": "==",
    "is": "==",
    "mod": "%",
    "div": "floor(a / b)",
    "until": "U",
    "unless": "W",
    "release": "R",
    **{word: word for word in RESERVED},
}
_TYPE_WORDS = {
    "boolean": "bool",
    "integer": "int",
    "float": "real",
    "double": "real",
    "number": "real",
    "str": "string",
    "text": "string",
}
_WORD = re.compile(r"\w+")
_PARENTHESES = re.compile(r'[()]|"(?:[^"\\]|\\.)*"')
"""Parentheses, and strings, inside of which parentheses do not count."""


def check_parentheses(text: str, place: Callable[[int], Place]) -> None:
    """Refuse nesting deeper than the recursive walkers support."""
    depth = 0
    for match in _PARENTHESES.finditer(text):
        if match.group()[0] == '"':
            continue
        depth += 1 if match.group() == "(" else -1
        if depth > MAX_DEPTH:
            raise UserError(f"parentheses are nested more than {MAX_DEPTH} deep", at=place(match.start()))


def complaint(text: str, offset: int, accepts: set[str], place: Callable[[int], Place]) -> UserError:
    """Return the error for text that cannot be parsed at ``offset``, where one of ``accepts`` was expected."""
    end = len(text.rstrip())
    unclosed, unopened = _unbalanced(text)
    if offset >= end and unclosed is not None:
        return UserError("'(' is never closed", at=place(unclosed))
    if offset >= end:
        problem = "ends too early" if end else "is empty"
        return UserError(f"the text {problem}; expected {_expected(accepts)}", at=place(end))
    if text[offset] == '"' and _PARENTHESES.match(text, offset) is None:
        return UserError("the string is never closed", at=place(offset))
    if text[offset] == "'" and ("NAME" in accepts or "NUMBER" in accepts):
        return UserError('unexpected "\'"; strings stand in double quotes', at=place(offset))
    if unopened == offset:
        return UserError("')' without '('", at=place(offset))
    for start in (offset - 1, offset):
        if text[start : start + 2] == "==" and _is_binding(text, start, offset, accepts):
            return UserError("unexpected '=='; did you mean =?", at=place(start))
    wants_value = "NAME" in accepts or "NUMBER" in accepts
    sign, start = _foreign_sign(text, offset, wants_value=wants_value)
    if sign:
        if sign == "=" and "~" in text[:start]:
            message = "an initial value stands before the tolerance, as in real = 0 ~ 0.1"
            return UserError(message, at=place(start))
        meant = (_PREFIX if wants_value and start == offset else _INFIX)[sign]
        return UserError(f"unexpected {sign!r}; did you mean {meant}?", at=place(start))
    match = _WORD.match(text, offset)
    word = match.group() if match else text[offset]
    return UserError(_about_word(word, text[:offset], accepts), at=place(offset))


def _is_binding(text: str, start: int, offset: int, accepts: set[str]) -> bool:
    """Return whether ``=`` is accepted in the place of this ``==``: it was refused as a whole, or after its first
    half.
    """
    if start == offset:
        return "EQUAL" in accepts
    return "NUMBER" in accepts and text[:start].rstrip()[-1:] not in ("", "=", "<", ">", "!")


def _about_word(word: str, before: str, accepts: set[str]) -> str:
    shown = word if len(word) <= 30 else word[:27] + "..."
    wants_value = "NAME" in accepts or "NUMBER" in accepts
    if "BOOL" in accepts and word == "list":
        return "a list holds values of type bool, int, enum or string, no lists"
    if "BOOL" in accepts:
        return _about_type(shown)
    if word[0].isdecimal() and not word.isdecimal():
        return f"{shown!r} is neither a number nor a name"
    if word == "." and (wants_value or before[-1:].isdecimal()):
        return "unexpected '.'; a number has digits on both sides of its point, as in 0.5 and 5.0"
    if word in RESERVED and "NAME" in accepts and "NUMBER" not in accepts:
        return f"{word!r} is a word of the language and cannot be a name"
    if word == "not" and wants_value:
        return "'not' binds weaker than what stands before it; put it in parentheses: (not ...)"
    if word == "(" and not wants_value:
        called = re.search(r"([^\W\d]\w*)\s*\Z", before)
        if called:
            return f"{called[1]!r} is not a function; expected one of {', '.join(FUNCTIONS)}"
    if word.lower() in _WORDS and word not in RESERVED and not wants_value:
        return f"unexpected {shown!r}; did you mean {_WORDS[word.lower()]}?"
    return f"unexpected {shown!r}; expected {_expected(accepts)}"


def _about_type(word: str) -> str:
    meant = _TYPE_WORDS.get(word.lower())
    hint = f"; did you mean {meant!r}?" if meant else did_you_mean(word, TYPES)
    return f"unknown type {word!r}{hint}"


def _expected(accepts: set[str]) -> str:
    """Return the most informative part of what is accepted here."""
    ending = "the end" if "$END" in accepts else "')'" if "RPAR" in accepts else "']'" if "RSQB" in accepts else ""
    for terminal, words in (
        ("LIST", "bool, int, real, enum, string or list"),
        ("BOOL", "bool, int, enum or string"),
        ("OF", "'of', as in list of bool max 3"),
        ("MOST", "'max' and a number, as in list of bool max 3"),
        ("NUMBER", "a value"),
        ("NAME", "a name"),
        ("LPAR", "'('"),
        ("THEN", "an operator or 'then'"),
        ("ELSE", "an operator or 'else'"),
        ("DOTS", "a range such as 0..10"),
    ):
        if terminal in accepts:
            return words
    options = ["an operator"] if "PLUS" in accepts or "AND" in accepts else []
    options += [
        f"'{sign}'" for terminal, sign in (("COMMA", ","), ("EQUAL", "="), ("TILDE", "~")) if terminal in accepts
    ]
    return " or ".join(option for option in (", ".join(options), ending) if option)


def _foreign_sign(text: str, offset: int, *, wants_value: bool) -> tuple[str, int]:
    """Return the foreign operator at the offset or around it: the lexer may have accepted its first half."""
    for start in (offset - 2, offset - 1, offset):
        for sign in _PREFIX if wants_value and start == offset else _INFIX:
            if start >= 0 and start + len(sign) > offset and text.startswith(sign, start):
                return sign, start
    return "", offset


def _unbalanced(text: str) -> tuple[int | None, int | None]:
    """Return the innermost '(' that is never closed and the first ')' that was never opened."""
    stack: list[int] = []
    for match in _PARENTHESES.finditer(text):
        if match.group()[0] == '"':
            continue
        if match.group() == "(":
            stack.append(match.start())
        elif stack:
            stack.pop()
        else:
            return None, match.start()
    return (stack[-1] if stack else None), None
