"""Model files in YAML, in the style of hand-written ones: a line for each transition, quotes only where needed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fullproof.core.errors import UserError
from fullproof.formats.document.chart_outline import written_outline
from fullproof.formats.document.outline import Outline, ScalarText, Word
from fullproof.model import Model

_WIDTH = 110
"""Keys with values go on one line where they fit, else on a line each."""

_LONGEST_KEY = 500
"""YAML allows a key on one line 1024 characters; quotes and escapes may double a name."""

_INDICATORS = re.compile(r"""[-?:,\[\]{}#&*!|>'"%@`]|\.\.\.""")
_LOOKS_LIKE_A_VALUE = re.compile(
    r"""(?x) ~ | = | << | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.* | [nN]ull | NULL | [tT]rue | TRUE | [fF]alse | FALSE
    | [-+]? (0x [0-9a-fA-F_]+ | 0[ob] [0-9_]+)
    | [-+]? ([0-9] [0-9_]* (\. [0-9_]*)? | \. [0-9_]+) ([eE] [-+]? [0-9]+)?
    | [-+]? \. (inf | Inf | INF | nan | NaN | NAN)"""
)
"""What readers of YAML 1.2 take for more than a text: null, truth values, numbers, dates; not ``y`` or ``no``."""


def yaml_lines(model: Model) -> Iterator[str]:
    """Yield the lines of the file. The same model gives the same lines."""
    yield from outline_lines(written_outline(model))


def outline_lines(keys: dict[str, Outline]) -> Iterator[str]:
    """Yield the lines of some keys."""
    for key, value in keys.items():
        if key == "states" and isinstance(value, dict):
            yield "states:\n"
            for state, transitions in value.items():
                yield from _state(state, transitions)
        elif key == "transitions" and isinstance(value, list):
            yield "transitions:\n"
            yield from (f"  - {_flow(transition)}\n" for transition in value)
        elif key in ("fault_domain", "properties", "requirements") and isinstance(value, dict):
            yield f"{key}:\n"
            yield from (f"  {_key(name)}: {_flow(entry, nested=False)}\n" for name, entry in value.items())
        else:
            yield from _entry(key, value)


def _state(state: str, value: Outline, level: int = 1) -> Iterator[str]:
    """A state: its transitions alone, or its keys, with the states inside it."""
    blanks = "  " * level
    if not value or isinstance(value, ScalarText):
        yield f"{blanks}{_key(state)}: []\n"
        return
    yield f"{blanks}{_key(state)}:\n"
    if isinstance(value, list):
        yield from (f"{blanks}  - {_flow(transition)}\n" for transition in value)
        return
    for key, inner in value.items():
        if key in ("states", "parallel") and isinstance(inner, dict):
            yield f"{blanks}  {key}:\n"
            for name, record in inner.items():
                yield from _state(name, record, level + 2)
        elif key == "transitions":
            yield from _state(key, inner, level + 1)
        else:
            yield f"{blanks}  {key}: {_flow(inner, nested=False)}\n"


def _entry(key: str, value: Outline) -> Iterator[str]:
    line = f"{key}: {_flow(value, nested=False)}\n"
    if len(line) <= _WIDTH or not isinstance(value, dict):
        yield line
        return
    yield f"{key}:\n"
    for name, entry in value.items():
        yield f"  {_key(name)}: {_flow(entry, nested=False)}\n"


def _flow(value: Outline, *, nested: bool = True) -> str:
    """One line; ``nested`` is false for a text that stands outside all brackets, where commas mean nothing."""
    match value:
        case ScalarText():
            return scalar_text(value, in_brackets=nested)
        case list():
            return "[" + ", ".join(_flow(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{_key(key)}: {_flow(item)}" for key, item in value.items()) + "}"


def _key(name: str) -> str:
    if len(name) > _LONGEST_KEY:
        raise UserError(
            f"a .yaml file cannot hold the name {name[:40]!r}...: it is longer than {_LONGEST_KEY} characters"
        )
    return scalar_text(ScalarText(name), in_brackets=True)


def scalar_text(leaf: ScalarText, *, in_brackets: bool) -> str:
    """The text bare, between single quotes, or (with control characters) between double quotes."""
    text = leaf.text
    if _is_plain(text, in_brackets) and not (leaf.word is Word.NAME and _LOOKS_LIKE_A_VALUE.fullmatch(text)):
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _is_plain(text: str, in_brackets: bool) -> bool:
    """A text that YAML takes as it is: a little stricter than YAML, so that no reader can differ."""
    if not text or not text.isprintable() or text != text.strip() or text == "~":
        return False
    if _INDICATORS.match(text) and not re.match(r"-[0-9A-Za-z_(]", text):
        return False
    if ": " in text or " #" in text or text.endswith(":"):
        return False
    return not (in_brackets and re.search(r"[,\[\]{}]|:(?=[\s,\[\]{}]|$)|^[^ ]*:", text))


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
