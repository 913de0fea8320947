"""Numbers with their nouns in messages: the one place that decides between singular and plural."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """``1 state``, ``3,410 states``; ``plural`` where it does not end in -s."""
    return f"{number:,} {plural_of(number, noun, plural)}"


def plural_of(number: int, noun: str, plural: str | None = None) -> str:
    """The form of a noun or a verb that goes with a number: ``state`` with 1, ``states`` with any other."""
    if number == 1:
        return noun
    return f"{noun}s" if plural is None else plural
