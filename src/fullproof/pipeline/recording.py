"""The journal of a run: what ran before is read from it, what runs now is written to it."""

from __future__ import annotations

import dataclasses
import json
import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from fullproof import __version__
from fullproof.artefacts.conversation import Conversation
from fullproof.artefacts.journal import JournalHeader
from fullproof.artefacts.suite import SuiteHeader
from fullproof.artefacts.trace import Trace
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.model import Model
from fullproof.pipeline.observing import plain

if TYPE_CHECKING:
    from fullproof.execute.sweeping import Expected
    from fullproof.formats.journal import Journal, OldJournal

Told: TypeAlias = tuple[SuiteHeader, tuple[str, ...]]
"""What a suite guarantees, and what should be said beside it."""

JOURNAL_NAME = "run.sqlite"
_MUST_AGREE = {
    "model_sha256": "another version of the model",
    "model": "another fault domain",
    "suite": "another suite, or about its tests in another order",
    "relation": "another relation",
    "properties": "other properties",
    "repeat": "another --repeat",
    "seed": "another --seed",
    "purposes": "other purposes, --values, --order, --retries or --jobs",
    "sut": "another system",
    "tool": "another version of fullproof",
}


@dataclass(frozen=True, slots=True)
class Recording:
    """The executions of a run, those of an earlier part of it first. Without a journal nothing is kept."""

    header: JournalHeader
    old: OldJournal | None = None
    journal: Journal | None = None

    @property
    def after(self) -> int:
        """The number of the last execution that need not be done again."""
        return 0 if self.old is None else self.old.last

    @property
    def seconds(self) -> float:
        """How long the earlier part took."""
        return 0.0 if self.old is None else self.old.seconds

    @property
    def started(self) -> str:
        """When the run began, the first time."""
        return self.header.started if self.old is None else self.old.header.started

    def traces(self, live: Iterable[Trace | Expected]) -> Iterator[Trace | Expected]:
        """All traces; those that come in now are written down before anybody sees them."""
        if self.old is not None:
            yield from self.old.traces()
        for trace in live:
            if self.journal is not None and isinstance(trace, Trace):
                self.journal.add(trace)
            yield trace

    def conversations(self) -> Iterator[Conversation]:
        """Those of an earlier part of the run."""
        return iter(()) if self.old is None else self.old.conversations()

    def keep(self, conversation: Conversation) -> None:
        """Write down a conversation that was held now."""
        if self.journal is not None:
            self.journal.add(conversation)

    def everything(self) -> Callable[[], Iterable[Trace]] | None:
        """All executions, as often as one likes, once the journal is closed; None where nothing was kept."""
        if self.journal is None:
            return None
        from fullproof.formats.journal import read_journal

        path = self.journal.path
        return lambda: read_journal(path).traces()

    def close(self, *, seconds: float, told: Told | None) -> None:
        """Keep the time spent, and what the suite guarantees where the run is complete; let go of the file."""
        if self.journal is not None:
            known = None if told is None else {"suite": dataclasses.asdict(told[0]), "notes": list(told[1])}
            try:
                self.journal.conclude(seconds=self.seconds + seconds, told=known)
            finally:
                self.journal.close()


def start_recording(path: Path | None, header: JournalHeader, *, resume: bool) -> Recording:
    """Begin a journal, or go on with one that is about the same model, suite, system and options."""
    from fullproof.formats.journal import continued, new_journal, read_journal

    if path is None:
        if resume:
            raise UserError("--resume needs the journal of the run: give its --report folder or --journal file")
        return Recording(header)
    if not resume or not path.exists():
        return Recording(header, None, new_journal(path, header))
    old = read_journal(path)
    for name, other in _MUST_AGREE.items():
        if getattr(old.header, name) != getattr(header, name):
            raise UserError(f"cannot be resumed: it is about {other}", at=Place(file=str(path)))
    return Recording(header, old, continued(old))


def journal_header(
    model: Model, path: Path, suite: SuiteHeader, *, sha256: str, suite_sha256: str = "", is_sorted: bool = False
) -> JournalHeader:
    """What is known of a run before it starts; the rest is filled in by ``dataclasses.replace``."""
    from fullproof.formats.json_writer import json_lines

    named = {**dataclasses.asdict(suite), "sha256": suite_sha256, **({"sorted": True} if is_sorted else {})}
    return JournalHeader(
        model="".join(json_lines(plain(model))),
        model_file=str(path),
        model_sha256=sha256,
        suite=json.dumps(named, sort_keys=True),
        relation=suite.relation,
        properties=(),
        repeat=1,
        seed=0,
        sut="",
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        tool=__version__,
        python=platform.python_version(),
        platform=platform.platform(terse=True),
    )


def told_by(old: OldJournal) -> Told:
    """What a run told of its suite at its end, or what can be told of one that was interrupted."""
    if old.told is None:
        note = "the run was interrupted: this is what it had seen; fullproof run --resume goes on with it"
        return _suite_header(json.loads(old.header.suite)), (note,)
    return _suite_header(old.told["suite"]), tuple(old.told["notes"])


def _suite_header(known: dict[str, Any]) -> SuiteHeader:
    from fullproof.formats.suite_records import domain_of

    fields = dataclasses.fields(SuiteHeader)
    values: dict[str, Any] = {f.name: known.get(f.name) if f.default is None else known[f.name] for f in fields}
    if values["domain"] is not None:
        values["domain"] = domain_of(values["domain"], NOWHERE)
    return SuiteHeader(**values)
