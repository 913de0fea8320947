"""What a user should know beside an answer. A note is a text; one that warns is a ``WarningNote``."""

from __future__ import annotations

from collections.abc import Iterable


class WarningNote(str):
    """A note that warns."""

    __slots__ = ()


class MeaningNote(str):
    """A note that changes what a pass means: commands print it without ``--verbose``."""

    __slots__ = ()


def note_texts(notes: Iterable[str]) -> list[str]:
    """The notes as ``--json`` has them: a warning says that it is one."""
    return [f"warning: {note}" if isinstance(note, WarningNote) else note for note in notes]


def note_lines(notes: Iterable[str], *, verbose: bool) -> list[str]:
    """Notes as lines for a person: those that warn or change what a pass means, and all where ``verbose`` says so."""
    return [
        f"{'warning' if isinstance(note, WarningNote) else 'note'}: {note}"
        for note in notes
        if verbose or isinstance(note, (WarningNote, MeaningNote))
    ]


_RECORDED: dict[str, type[WarningNote] | type[MeaningNote]] = {"warning": WarningNote, "meaning": MeaningNote}


def note_records(notes: Iterable[str]) -> list[object]:
    """The notes as a journal keeps them."""
    return [
        next(({key: str(note)} for key, kind in _RECORDED.items() if isinstance(note, kind)), note) for note in notes
    ]


def recorded_notes(records: Iterable[object]) -> tuple[str, ...]:
    """The notes that a journal keeps."""
    return tuple(note for one in records for note in _recorded(one))


def _recorded(record: object) -> list[str]:
    return [_RECORDED[key](text) for key, text in record.items()] if isinstance(record, dict) else [str(record)]
