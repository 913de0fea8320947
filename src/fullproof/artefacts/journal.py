"""What a journal of a run begins with: everything that is needed to go on with it, or to judge it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

JOURNAL_FORMAT = "journal/3"


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
    tests: int | None = None
    """How many tests the run is to execute; None where that is seen as it goes on."""
    until_seen: bool = False
    """Whether tests may be repeated less often than ``repeat`` says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One start of a run: the first one, or one with ``--resume``."""

    started: str
    after: int
    """The number of the last execution that was there before."""
    system: Mapping[str, str] = field(default_factory=dict)
    """What the system was made of then; see ``execute.fingerprint``."""
