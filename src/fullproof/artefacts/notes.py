"""What a user should know beside an answer. A note is a text; one that warns is a ``WarningNote``."""

from __future__ import annotations

from collections.abc import Iterable


class WarningNote(str):
    """A note that warns."""

    __slots__ = ()


def note_texts(notes: Iterable[str]) -> list[str]:
    """The notes as ``--json`` has them: a warning says that it is one."""
    return [f"warning: {note}" if isinstance(note, WarningNote) else note for note in notes]


def note_lines(notes: Iterable[str]) -> list[str]:
    """Each note as a line for a person."""
    return [f"{'warning' if isinstance(note, WarningNote) else 'note'}: {note}" for note in notes]


def note_records(notes: Iterable[str]) -> list[object]:
    """The notes as a journal keeps them."""
    return [{"warning": str(note)} if isinstance(note, WarningNote) else note for note in notes]


def recorded_notes(records: Iterable[object]) -> tuple[str, ...]:
    """The notes that a journal keeps."""
    return tuple(WarningNote(one["warning"]) if isinstance(one, dict) else str(one) for one in records)
