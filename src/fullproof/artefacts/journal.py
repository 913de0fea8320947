"""What a journal of a run begins with: everything that is needed to go on with it, or to judge it again."""

from __future__ import annotations

from dataclasses import dataclass

JOURNAL_FORMAT = "journal/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalHeader:
    """``model`` is the model itself, as JSON: an old run can be judged when the file it came from is gone."""

    model: str
    model_file: str
    model_sha256: str
    suite: str
    """The header line of the suite."""
    relation: str
    properties: tuple[str, ...]
    repeat: int
    seed: int
    sut: str
    started: str
    tool: str
    python: str
    platform: str
    purposes: str = ""
    """For an sts, as JSON: the criterion, and which of its goals the run is to cover."""
