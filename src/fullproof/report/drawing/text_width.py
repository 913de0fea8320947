"""Text in pictures: what may be shown, how wide it is, where it breaks.

Widths come from tables, not from a font: the same model then gives the same picture on every machine. Text breaks by
the widths of Helvetica; boxes have room for the widest of the usual faces (``letter_widths``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from fullproof.report.drawing.letter_widths import LETTER_WIDTHS

# Advance widths of Helvetica (and its metric twins Arial and Liberation Sans) in thousandths of an em.
_WIDTHS = {
    character: thousandths / 1000
    for thousandths, characters in (
        (191, "'"),
        (222, "ijl"),
        (260, "|"),
        (278, " !,./:;I[\\]ft"),
        (333, "()-`r"),
        (334, "{}"),
        (355, '"'),
        (389, "*"),
        (469, "^"),
        (500, "Jckvxsyz"),
        (556, "#$0123456789?L_abdeghnopqu"),
        (584, "+<=>~"),
        (611, "FTZ"),
        (667, "&ABEKPSVXY"),
        (722, "CDHNRUw"),
        (778, "GOQ"),
        (833, "Mm"),
        (889, "%"),
        (944, "W"),
        (1015, "@"),
    )
    for character in characters
}
_ALLOWANCE = 1.02  # for rounding and hinting
_BOLDER = 1.11  # how much wider Helvetica is in bold
_ACCENTS = range(0x0300, 0x0370)  # other marks stand beside their letters where a face lacks them
_LIGATURES = range(0xFB50, 0xFE00)  # of which some are as wide as a sentence
_STRETCH = 1.2  # a word slightly too long looks better than a word broken
_BIDIRECTIONAL = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
_PHRASE = re.compile(r"(?<=[,;] )|(?<= )(?=(?:and|or|->|&) )")
_WORD = re.compile(r"[^ ]+ *")
_PART = re.compile(r"(?<=[_\-./,:;|&=)\]])|(?<=[a-z0-9])(?=[A-Z])")


def visible(text: str) -> str:
    """The text with a visible sign for each character that is invisible, illegal in XML, or changes the text
    direction.
    """
    return text if text.isascii() and text.isprintable() else "".join(map(_visible_character, text))


def text_width(text: str, *, size: float, bold: bool = False) -> float:
    """How wide ``text`` is at most when set in a usual sans-serif face of ``size``."""
    return sum(_widths(character)[bold] for character in text) * size * _ALLOWANCE


def has_unsure_width(text: str) -> bool:
    """Whether some character may be wider than ``text_width`` assumes: signs that few faces have."""
    return not text.isascii() and any(map(_is_unsure, text))


def wrap(text: str, *, width: float, lines: int) -> tuple[str, ...]:
    """Break ``text`` into at most ``lines`` lines of ``width`` em; what does not fit becomes an ellipsis.

    Lines break between phrases if possible, else at plain spaces, inside a word only where that is much longer.
    """
    pieces = _pieces(text, width)
    broken = _filled(pieces, width)
    if len(broken) > lines:
        return (*broken[: lines - 1], _shortened(broken[lines - 1], width))
    # As many lines as needed, none much longer than the others.
    attempts = [_filled(pieces, width * share) for share in (0.6, 0.7, 0.8, 0.9)] if len(broken) > 1 else []
    return tuple(next((attempt for attempt in attempts if len(attempt) == len(broken)), broken))


def _filled(pieces: list[str], width: float) -> list[str]:
    broken: list[str] = []
    line = ""
    for piece in pieces:
        if not line or _em(line + piece.rstrip()) <= width:
            line += piece
        else:
            broken.append(line.rstrip())
            line = piece
    return [*broken, line.rstrip()]


def _pieces(text: str, width: float) -> list[str]:
    """What stays together: phrases, where one is too long its words, then parts of names, then characters."""
    pieces = [text]
    much = width * _STRETCH
    for limit, finer in ((width, _PHRASE.split), (width, _WORD.findall), (much, _PART.split), (much, _cut_at(width))):
        divided = ([piece] if _em(piece.rstrip()) <= limit else finer(piece) for piece in pieces)
        pieces = [part for parts in divided for part in parts if part]
    return pieces


def _cut_at(width: float) -> Callable[[str], list[str]]:
    return lambda text: _cut(text, width)


def _cut(text: str, width: float) -> list[str]:
    cut = [""]
    room = width
    for character in text:
        room -= _character_width(character)
        if room < 0 and cut[-1]:
            cut.append("")
            room = width - _character_width(character)
        cut[-1] += character
    return cut


def _shortened(text: str, width: float) -> str:
    while text and _em(text + "…") > width:
        text = text[:-1]
    return text.rstrip() + "…"


def _em(text: str) -> float:
    return sum(map(_character_width, text))


@lru_cache(maxsize=4096)
def _character_width(character: str) -> float:
    known = _WIDTHS.get(character)
    if known is not None:
        return known
    if ord(character) in _ACCENTS or unicodedata.category(character) == "Cf":
        return 0.0
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return 1.2
    return 1.0 if unicodedata.category(character) in {"So", "Sm"} else 0.7


@lru_cache(maxsize=4096)
def _widths(character: str) -> tuple[float, float]:
    """Regular and bold, in em."""
    narrow, (wide, wide_bold) = _WIDTHS.get(character, 0.0), LETTER_WIDTHS.get(character, (0.0, 0.0))
    if narrow or wide:
        return max(narrow, wide), max(narrow * _BOLDER, wide_bold)
    if ord(character) in _ACCENTS or unicodedata.category(character) == "Cf":
        return 0.0, 0.0
    if _is_unsure(character):
        return 1.4, 1.5
    return (1.05, 1.1) if unicodedata.east_asian_width(character) in {"W", "F"} else (1.05, 1.2)


def _is_unsure(character: str) -> bool:
    if character in LETTER_WIDTHS:
        return False
    code = ord(character)
    return code > 0xFFFF or code in _LIGATURES or unicodedata.category(character)[0] in "SC"


@lru_cache(maxsize=4096)
def _visible_character(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0x80 <= code < 0xA0 or code in _BIDIRECTIONAL or code & 0xFFFE == 0xFFFE:
        return "\N{REPLACEMENT CHARACTER}"
    if unicodedata.category(character) == "Cs":
        return "\N{REPLACEMENT CHARACTER}"
    return " " if unicodedata.category(character) in {"Zs", "Zl", "Zp"} else character
