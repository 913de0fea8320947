"""Texts that differ in blanks alone, shown so that one sees the difference."""

from __future__ import annotations

_SHOWN = {" ": "\N{OPEN BOX}", "\t": "\N{SYMBOL FOR HORIZONTAL TABULATION}", "\n": "\N{SYMBOL FOR LINE FEED}"}
_SHOWN |= {"\r": "\N{SYMBOL FOR CARRIAGE RETURN}"}


def with_visible_blanks(text: str) -> str:
    """The text with a visible symbol for each blank, and ``(empty)`` for none at all."""
    shown = (_SHOWN.get(sign) or (f"\\u{ord(sign):04x}" if sign.isspace() else sign) for sign in text)
    return "".join(shown) or "(empty)"


def differ_in_blanks(one: str, other: str) -> bool:
    """Whether two texts are different, but alike without their blanks."""
    return one != other and "".join(one.split()) == "".join(other.split())


def visibly(one: str, other: str) -> tuple[str, str]:
    """Both texts, with visible blanks where they differ in nothing else."""
    if differ_in_blanks(one, other):
        return with_visible_blanks(one), with_visible_blanks(other)
    return one, other


def instead_of(wrong: str, right: str) -> str:
    """``wrong instead of right``, where neither looks like the other."""
    return " instead of ".join(visibly(wrong, right))
