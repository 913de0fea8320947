"""The journal of a run: written row by row, read back and checked."""

from __future__ import annotations

from fullproof.formats.journal.reader import OldJournal, read_journal
from fullproof.formats.journal.writer import Journal, continued, new_journal

__all__ = ["Journal", "OldJournal", "continued", "new_journal", "read_journal"]
