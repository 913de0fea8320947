"""The header of a run's journal: everything that is needed to resume the run or to judge it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

JOURNAL_FORMAT = "journal/3"


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalHeader:
    """``model`` is the model itself, as JSON: an old run can be judged after the model file was deleted."""

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
    """How many tests the run is to execute; None where that is determined during the run."""
    until_seen: bool = False
    """Whether tests may be repeated less often than ``repeat`` says."""
    meta: tuple[str, ...] = ()
    """What the user has said of the run: ``KEY=VALUE``, each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One start of a run: the first one, or one with ``--resume``."""

    started: str
    after: int
    """The number of the last execution before this start."""
    system: Mapping[str, str] = field(default_factory=dict)
    """The fingerprint of the system at that time; see ``execute.fingerprint``."""
