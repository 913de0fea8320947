"""The journal of a run: earlier executions are read from it, new ones are written to it."""

from __future__ import annotations

import dataclasses
import json
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.journal import JournalHeader, Part
from fullproof.artefacts.notes import WarningNote, note_records, recorded_notes
from fullproof.artefacts.run import FailureGroup
from fullproof.artefacts.suite import SuiteHeader, Test, header_record
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.version import __version__
from fullproof.kinds.conduct import Told
from fullproof.model import Model
from fullproof.pipeline.completeness import RowCount, assumption, few, honest_about, mixture
from fullproof.pipeline.observed_models import plain

if TYPE_CHECKING:
    from fullproof.execute.sweep import Expected
    from fullproof.formats.journal import Journal, OldJournal

JOURNAL_NAME = "run.sqlite"
_MUST_AGREE = {
    "model_sha256": "another version of the model",
    "model": "another fault domain",
    "suite": "another suite, or about its tests in another order",
    "relation": "another relation",
    "properties": "other properties",
    "repeat": "another --repeat",
    "until_seen": "runs with or without --until-seen, the other way round",
    "tests": "a suite with another number of tests",
    "seed": "another --seed",
    "purposes": "other purposes, --values, --order, --retries or --jobs",
    "sut": "another system",
    "meta": "a system or a run with another --meta",
    "tool": "another version of fullproof",
}


@dataclass(frozen=True, slots=True)
class Recording:
    """The executions of a run, those of an earlier part of it first. Without a journal nothing is stored."""

    header: JournalHeader
    old: OldJournal | None = None
    journal: Journal | None = None
    parts: tuple[Part, ...] = ()

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

    def kept(self, executions: Iterable[Execution | Expected]) -> Iterator[Execution | Expected]:
        """All executions; those that come in now are written down before they are judged."""
        for execution in executions:
            if self.journal is not None and isinstance(execution, Execution) and execution.number > self.after:
                self.journal.add(execution)
            yield execution

    def past(self) -> Iterator[Execution]:
        """The executions of an earlier part of the run."""
        return iter(()) if self.old is None else self.old.executions()

    def past_of(self, tests: Iterable[Test]) -> Iterator[Execution]:
        """The same; they must be of the tests that a suite begins with."""
        return iter(()) if self.old is None else _of_suite(self.old, tests)

    def everything(self) -> Callable[[], Iterable[Execution]] | None:
        """All executions so far, readable repeatedly; None where nothing was stored."""
        if self.journal is None:
            return None
        from fullproof.formats.journal import read_journal

        path = self.journal.path
        self.journal.commit()
        return lambda: read_journal(path).executions()

    def honest(self, told: Told, sut: str) -> Told:
        """The guarantee of the suite for a run in these parts, at its end."""
        if self.journal is None:
            return told
        from fullproof.execute.fingerprint import changed_meanwhile, fingerprint

        changed = changed_meanwhile(self.parts[-1].system, fingerprint(sut))
        doubts = [f"parts of the system changed while the run went on: {few(changed)}"] if changed else []
        header, notes = honest_about(told, [*doubts, *mixture(self.parts)], assumption(self.parts, self.header.sut))
        if self.journal.kept is None:
            return header, notes
        name = self.journal.kept
        kept = WarningNote(f"an interrupted run was kept as {name}: --resume --journal {name} goes on with it")
        return header, (*notes, kept)

    def close(self, *, seconds: float, told: Told | None, groups: Sequence[FailureGroup] = ()) -> None:
        """Keep the time spent, and what is known once the run is complete; let go of the file.

        That is what the suite guarantees, and of each group of failures the test that proves it.
        """
        if self.journal is not None:
            proofs = [{"test": g.proves, "title": g.title, "shortest": list(g.shortest)} for g in groups]
            suite = {} if told is None else {"suite": header_record(told[0]), "notes": note_records(told[1])}
            known = None if told is None else {**suite, "proofs": proofs}
            try:
                self.journal.conclude(seconds=self.seconds + seconds, told=known)
            finally:
                self.journal.close()


def _of_suite(old: OldJournal, tests: Iterable[Test]) -> Iterator[Execution]:
    rest, count = iter(tests), RowCount(old.header, Place(file=str(old.path)))
    test: Test | None = None
    for trace in old.executions():
        count.add(trace)
        if trace.repetition == 1:
            test = next(rest, None)
        if test is None or test.inputs != trace.test.inputs:
            message = f"cannot be resumed: execution {trace.number} is of another test than the suite has there"
            raise UserError(message, at=Place(file=str(old.path)))
        yield trace


def start_recording(
    path: Path | None, header: JournalHeader, *, sut: str, resume: bool, allow_changed_system: bool
) -> Recording:
    """Begin a journal, or go on with one that is about the same model, suite, system and options.

    ``sut`` names the system in full; the journal stores the fingerprint of its parts on this machine.
    """
    from fullproof.execute.fingerprint import differences, fingerprint
    from fullproof.formats.journal import continued, new_journal, read_journal

    part = Part(started=header.started, after=0, system=fingerprint(sut))
    if path is None:
        return Recording(header, parts=(part,))
    # A process that was killed between reserving the name and writing the journal leaves an empty file.
    if not resume or not path.exists() or (path.is_file() and not path.stat().st_size):
        return Recording(header, None, new_journal(path, header, part), (part,))
    old, at = read_journal(path), Place(file=str(path))
    for name, other in _MUST_AGREE.items():
        if getattr(old.header, name) != getattr(header, name):
            raise UserError(f"cannot be resumed: it is about {other}", at=at)
    changed = sorted({name for known in old.parts for name in differences(known.system, part.system)})
    if changed and not allow_changed_system:
        message = (
            f"cannot be resumed: the system has changed since ({few(changed)}); run all tests again, or give "
            "--allow-changed-system, and there is no guarantee"
        )
        raise UserError(message, at=at)
    part = dataclasses.replace(part, after=old.last)
    return Recording(header, old, continued(old, part), (*old.parts, part))


def journal_header(
    model: Model, path: str, suite: SuiteHeader, *, sha256: str, suite_sha256: str = "", is_sorted: bool = False
) -> JournalHeader:
    """What is known of a run before it starts; the rest is filled in by ``dataclasses.replace``."""
    from fullproof.formats.json.writer import json_lines

    named = {**header_record(suite), "sha256": suite_sha256, **({"sorted": True} if is_sorted else {})}
    return JournalHeader(
        model="".join(json_lines(plain(model))),
        model_file=path,
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
    """The guarantee and notes that a run stored at its end, or those of an interrupted run."""
    at = Place(file=str(old.path))
    try:
        if old.told is None:
            note = "the run was interrupted: this is what it had seen; fullproof run --resume goes on with it"
            told: Told = _suite_header(json.loads(old.header.suite)), (note,)
        else:
            told = _suite_header(old.told["suite"]), recorded_notes(old.told["notes"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UserError("is not a journal of a run: what it says of its suite cannot be read", at=at) from error
    return honest_about(told, mixture(old.parts), None) if old.told is None else told


def _suite_header(known: dict[str, Any]) -> SuiteHeader:
    from fullproof.formats.suite.records import domain_of, guarantee_of

    fields = dataclasses.fields(SuiteHeader)
    values: dict[str, Any] = {f.name: known.get(f.name) if f.default is None else known[f.name] for f in fields}
    values["guarantee"] = guarantee_of(known)
    if values["domain"] is not None:
        values["domain"] = domain_of(values["domain"], NOWHERE)
    return SuiteHeader(**values)
