"""Strings as whole numbers, so that all code that compares, solves or stores numbers also handles strings.

Every string has one number and every whole number stands for one string, so that equality of strings is equality of
numbers; their order and sums have no meaning (docs/adr/029-strings-are-numbers.md). The number depends on the string
alone, and small numbers are short, readable strings: 0 is the empty one, -1 is ``"a"``, 1 is ``"b"``.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

LONGEST = 64
"""Strings of more characters have a hash as their number: arithmetic with their own would become slow."""

_READABLE = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OTHERS = "".join(c for c in map(chr, range(0x20, 0x7F)) if c not in _READABLE)
_FIRST = _READABLE + _OTHERS
_LAST = "".join(map(chr, [*range(0x20), 0x7F]))
_ASCII = _FIRST + _LAST
_RANK = {character: rank for rank, character in enumerate(_ASCII, start=1)}
_HALVES = range(0xD800, 0xE000)
"""Halves of surrogate pairs: no text file contains them, but a system may output them."""
_BASE = 0x110000 - len(_HALVES)
_END = sum(_BASE**length for length in range(LONGEST + 1))
"""How many strings have at most LONGEST characters."""

_long: dict[int, StringValue] = {}
"""The long strings seen by this process, by number."""


class StringValue(int):
    """A string as a value: a whole number that knows which string it stands for."""

    text: str

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return text_of, (self.text,)

    def __deepcopy__(self, memo: object) -> StringValue:
        return self


def text_of(text: str) -> StringValue:
    """The value of a string."""
    if len(text) <= LONGEST and not any("\ud800" <= c < "\ue000" for c in text):
        return _short(text)
    digest = hashlib.sha512(text.encode("utf-8", "surrogatepass")).digest()
    value = _made(text, _END + int.from_bytes(digest, "big"))
    known = _long.setdefault(int(value), value)
    if known.text != text:  # pragma: no cover  # two strings with one SHA-512
        raise ValueError("two strings have the same hash")
    return known


def text_at(number: int) -> StringValue:
    """The string that a number stands for; a number that was not seen as a hash stands for a long string of its own."""
    if isinstance(number, StringValue):
        return number
    rank = 2 * number if number >= 0 else -2 * number - 1
    if rank < _END:
        return text_of(_spelled(rank))
    return _long.get(number) or text_of(f"{'-' if number < 0 else '+'}{abs(number):0{LONGEST + 1}x}")


def quoted(text: str) -> str:
    """The string as expressions write it: in double quotes, with the escapes of JSON."""
    return '"' + "".join(c if c.isprintable() and c not in '"\\' else json.dumps(c)[1:-1] for c in text) + '"'


@lru_cache(maxsize=4096)
def _short(text: str) -> StringValue:
    rank = 0
    for character in text:
        rank = rank * _BASE + _rank(character)
    return _made(text, -(rank + 1) // 2 if rank % 2 else rank // 2)


def _made(text: str, number: int) -> StringValue:
    value = StringValue(number)
    value.text = text
    return value


def _rank(character: str) -> int:
    """From 1 on; characters that are read easily come first."""
    code = ord(character)
    return _RANK.get(character) or (code + 1 if code < _HALVES.start else code + 1 - len(_HALVES))


def _spelled(rank: int) -> str:
    found = []
    while rank:
        rank, last = divmod(rank - 1, _BASE)
        found.append(_ASCII[last] if last < len(_ASCII) else chr(last if last < _HALVES.start else last + len(_HALVES)))
    return "".join(reversed(found))
