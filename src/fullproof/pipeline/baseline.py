"""report folder of an earlier run + this run -> what is different."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullproof.artefacts.baseline import BaselineComparison
from fullproof.artefacts.execution import Execution
from fullproof.artefacts.run import FailureGroup, RunContext, RunRecord
from fullproof.artefacts.verdict import BAD, Judgement
from fullproof.core.errors import Place, UserError
from fullproof.pipeline.journal import JOURNAL_NAME
from fullproof.pipeline.rows import input_texts

if TYPE_CHECKING:
    from fullproof.artefacts.suite import Test

_OPTIONS = ("sut", "relation", "method", "extra_states", "seed", "tool")
"""What of the context of two runs is compared as text."""
_FAILED = frozenset(verdict.value for verdict in BAD)


@dataclass(slots=True)
class EarlierRun:
    """What is known of an earlier run; ``saw`` takes in the executions of this one."""

    folder: Path
    document: Mapping[str, Any]
    """Its report.json."""
    tests: set[bytes] | None
    """Its tests, where all are known."""
    failed: dict[str, None] = field(init=False)
    """The tests that failed, in their order."""
    _left: set[bytes] = field(init=False)
    _added: set[bytes] = field(default_factory=set)
    _again: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """At first, none of its tests has run again."""
        self.failed = dict.fromkeys(f["test"] for f in self.document["failures"] if f["verdict"] in _FAILED)
        self._left = set(self.tests or ())

    def saw(self, execution: Execution) -> None:
        """Take in an execution of the run that is compared with it."""
        if execution.repetition > 1:
            return
        test = execution.test
        if test.id in self.failed:
            self._again.add(test.id)
        if self.tests is not None:
            key = _key(test.id, input_texts(test.inputs))
            self._left.discard(key)
            if key not in self.tests:
                self._added.add(key)

    def compared(
        self, context: RunContext, failures: Iterable[Judgement], groups: Sequence[FailureGroup]
    ) -> BaselineComparison:
        """What is different, once this run has ended."""
        then, now = self.failed, dict.fromkeys(f.test for f in failures if f.verdict in BAD)
        gone = tuple(test for test in then if test not in now)
        titles = {group["group"]: group["title"] for group in self.document["groups"]}
        known = {f.get("group") for f in self.document["failures"] if f["test"] in now}
        return BaselineComparison(
            folder=str(self.folder),
            started=self.document["started"],
            verdict=self.document["verdict"],
            new=tuple(test for test in now if test not in then),
            gone=gone,
            still=len(then.keys() & now.keys()),
            new_causes=tuple(group.title for group in groups if then.keys().isdisjoint(group.tests)),
            gone_causes=tuple(title for number, title in titles.items() if number not in known),
            added=None if self.tests is None else len(self._added),
            removed=None if self.tests is None else len(self._left),
            not_run=tuple(test for test in gone if test not in self._again),
            changes=tuple(self._changes(context)),
        )

    def _changes(self, context: RunContext) -> Iterator[str]:
        from fullproof.execute.fingerprint import differences

        old = self.document
        if old["model_sha256"] != context.model_sha256:
            yield "the model is another version"
        for name in _OPTIONS:
            if old[name] != (value := getattr(context, name)):
                yield f"{name.replace('_', ' ')} {value} instead of {old[name]}"
        known, found = old["hashes"].get("system") or {}, context.hashes.get("system") or {}
        assert isinstance(found, Mapping)
        if old["sut"] == context.sut and known and found and (changed := differences(known, found)):
            yield f"files of the system changed: {', '.join(changed)}"
        meta = old.get("meta") or {}
        for key in dict.fromkeys((*meta, *context.meta)):
            if meta.get(key) != context.meta.get(key):
                yield f"{key}: {context.meta.get(key, 'nothing')} instead of {meta.get(key, 'nothing')}"


def compared(record: RunRecord, earlier: EarlierRun | None, journal: Path | None) -> RunRecord:
    """The record with where its executions are kept, and what is different from an earlier run."""
    if earlier is None:
        return replace(record, journal=journal)
    found = earlier.compared(record.context, record.result.failures, record.groups)
    return replace(record, journal=journal, baseline=found)


def read_baseline(folder: Path | None) -> EarlierRun | None:
    """The earlier run that a report folder is about; a UserError where it is none.

    Called before this run begins, which may write its report to the same folder.
    """
    if folder is None:
        return None
    path = folder / "report.json"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        earlier = EarlierRun(folder, document, _tests(folder, document))
        _ = document["started"], document["verdict"], document["model_sha256"], document["hashes"].get
        _ = [document[name] for name in _OPTIONS], [(group["group"], group["title"]) for group in document["groups"]]
    except OSError as error:
        message = f"--baseline needs the report folder of an earlier run: {error.strerror}"
        raise UserError(message, at=Place(file=str(path))) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        message = "--baseline needs the report folder of an earlier run, and this is not a report.json of this version"
        raise UserError(message, at=Place(file=str(path))) from error
    return earlier


def _tests(folder: Path, document: Mapping[str, Any]) -> set[bytes] | None:
    """From the journal, which has all of them, or from the report, if that lists all."""
    journal = folder / JOURNAL_NAME
    if journal.is_file():
        from fullproof.formats.journal import read_journal

        old: Iterable[Test] = (execution.test for execution in read_journal(journal).executions())
        return {_key(test.id, input_texts(test.inputs)) for test in old}
    if len(document["results"]) < document["tests"]:
        return None
    return {_key(row["id"], row["inputs"]) for row in document["results"]}


def _key(test: str, inputs: Sequence[str]) -> bytes:
    """Ids of suite files are free texts: two tests are the same where their inputs are, too."""
    return blake2b(json.dumps([test, *inputs]).encode(), digest_size=12).digest()
