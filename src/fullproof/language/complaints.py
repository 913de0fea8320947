"""What to say about text that is not an expression: what stands there, what could, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Callable

from fullproof.core.errors import Place, UserError
from fullproof.language.limits import MAX_DEPTH

FUNCTIONS = ("abs", "min", "max", "floor")
RESERVED = ("and", "or", "not", "if", "then", "else", "true", "false")

_FOREIGN_SIGNS = {
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
    "[]": "G",
    "&": "and",
    "|": "or",
    "!": "not",
    "~": "not",
    "¬": "not",
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
_FOREIGN_WORDS = {
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
_WORD = re.compile(r"\w+")


def check_parentheses(text: str, place: Callable[[int], Place]) -> None:
    """Refuse nesting deeper than the walkers go."""
    depth = 0
    for match in re.finditer(r"[()]", text):
        depth += 1 if match.group() == "(" else -1
        if depth > MAX_DEPTH:
            raise UserError(f"parentheses are nested more than {MAX_DEPTH} deep", at=place(match.start()))


def complaint(text: str, offset: int, accepts: set[str], place: Callable[[int], Place]) -> UserError:
    """Return the error for text that stops making sense at ``offset``, where ``accepts`` could have stood."""
    wants_value = "NAME" in accepts or "NUMBER" in accepts
    unclosed, unopened = _unbalanced(text)
    if offset >= len(text.rstrip()):
        if unclosed is not None:
            return UserError("'(' is never closed", at=place(unclosed))
        if not text.strip():
            return UserError("the text is empty; expected an expression", at=place(0))
        return UserError(f"the text ends too early; expected {_expected(accepts)}", at=place(len(text.rstrip())))
    if text[offset] == ")" and unopened == offset:
        return UserError("')' without '('", at=place(offset))
    sign, start = _foreign_sign(text, offset)
    if sign:
        return UserError(
            f"unexpected {text[start : start + len(sign)]!r}; did you mean {_FOREIGN_SIGNS[sign]}?", at=place(start)
        )
    return UserError(_about_word(text, offset, accepts, wants_value), at=place(offset))


def _about_word(text: str, offset: int, accepts: set[str], wants_value: bool) -> str:
    match = _WORD.match(text, offset)
    word = match.group() if match else text[offset]
    shown = word if len(word) <= 30 else word[:27] + "..."
    if wants_value:
        if word == "not":
            return "'not' binds weaker than what stands before it; put it in parentheses: (not ...)"
        if word == ".":
            return "unexpected '.'; a number starts with a digit, as in 0.5"
        return f"unexpected {shown!r}; expected {_expected(accepts)}"
    if word == "." and text[offset - 1 : offset].isdecimal():
        return "unexpected '.'; a number ends with a digit, as in 5.0"
    if word == "(":
        before = re.search(r"\w+\s*\Z", text[:offset])
        called = before.group().strip() if before else ""
        if called and not called[0].isdecimal():
            return f"{called!r} is not a function; expected one of {', '.join(FUNCTIONS)}"
    if word.lower() in _FOREIGN_WORDS and word not in RESERVED:
        return f"unexpected {shown!r}; did you mean {_FOREIGN_WORDS[word.lower()]}?"
    if word[0].isdecimal() and not word.isdecimal():
        return f"unexpected {shown!r}; a name starts with a letter"
    return f"unexpected {shown!r}; expected {_expected(accepts)}"


def _expected(accepts: set[str]) -> str:
    if "BOOL" in accepts:
        return "bool, int, real or enum"
    if "THEN" in accepts:
        return "an operator or 'then'"
    if "ELSE" in accepts:
        return "an operator or 'else'"
    if accepts == {"NAME"}:
        return "a name"
    if accepts == {"LPAR"}:
        return "'('"
    if "NAME" in accepts or "NUMBER" in accepts:
        return "a value"
    if "COMMA" in accepts and "RPAR" in accepts:
        return "an operator, ',' or ')'"
    if "RPAR" in accepts:
        return "an operator or ')'"
    if "DOTS" in accepts:
        return "a range such as 0..10"
    if "EQUAL" in accepts and "PLUS" not in accepts:
        return "'='"
    return "an operator or the end"


def _foreign_sign(text: str, offset: int) -> tuple[str, int]:
    """Return the foreign sign at or just around the offset (the lexer may have accepted its first half)."""
    for start in (offset - 2, offset - 1, offset):
        for sign in _FOREIGN_SIGNS:
            if start >= 0 and start + len(sign) > offset and text.startswith(sign, start):
                return sign, start
    return "", offset


def _unbalanced(text: str) -> tuple[int | None, int | None]:
    """Return the innermost '(' that is never closed and the first ')' that was never opened."""
    stack: list[int] = []
    for match in re.finditer(r"[()]", text):
        if match.group() == "(":
            stack.append(match.start())
        elif stack:
            stack.pop()
        else:
            return None, match.start()
    return (stack[-1] if stack else None), None
