"""Notes are data: what warns is known by its type, not by its first word."""

import json

from fullproof.artefacts.notes import WarningNote, note_lines, note_records, note_texts, recorded_notes

NOTES = ("warning: is the first word of a plain note", WarningNote("nothing is observable"), "a note")


def test_a_note_that_begins_with_the_word_is_no_warning() -> None:
    assert note_lines(NOTES, verbose=True) == [
        "note: warning: is the first word of a plain note",
        "warning: nothing is observable",
        "note: a note",
    ]
    assert note_texts(NOTES)[1] == "warning: nothing is observable"


def test_a_journal_keeps_what_warns() -> None:
    again = recorded_notes(json.loads(json.dumps(note_records(NOTES))))
    assert again == NOTES
    assert [type(note) for note in again] == [type(note) for note in NOTES]
