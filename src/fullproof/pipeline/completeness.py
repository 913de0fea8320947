"""Whether a journal holds a whole run of one system; otherwise there is no guarantee."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.guarantee import About, Hypothesis, Voucher
from fullproof.artefacts.journal import JournalHeader, Part
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.suite import SuiteHeader, make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.execute.fingerprint import differences
from fullproof.kinds.conduct import Told

_OWN_ID = re.compile("t-[0-9a-f]{12}")
_SHOWN = 3


class RowCount:
    """Counts the executions of a journal against its suite: every test, every repetition, in order."""

    def __init__(self, header: JournalHeader, at: Place, *, retries: bool = False) -> None:
        """``retries`` where tests may be tried again, in any order: then their numbers are all that is known."""
        self._header = header
        self._retries = retries
        self._repeat = 1 if retries else header.repeat
        self._at = at
        self._test, self._repetition = -1, self._repeat
        self._renamed: str | None = None

    def add(self, trace: Execution) -> None:
        """Count the next execution; one that does not follow the last one is an error."""
        name = trace.test.id
        if self._renamed is None and _OWN_ID.fullmatch(name) and make_test(trace.test.inputs).id != name:
            self._renamed = name
        test, before = divmod(trace.number - 1, self._repeat)
        goes_on = test == self._test and before == self._repetition
        is_next = test == self._test + 1 and before == 0
        whole = self._repetition == self._repeat or self._header.until_seen
        named = self._retries or trace.repetition == before + 1
        if not named or not (goes_on or (is_next and whole)):
            raise UserError(f"is damaged: executions before number {trace.number} are missing", at=self._at)
        self._test, self._repetition = test, before + 1

    def doubts(self) -> list[str]:
        """Missing executions and changed tests; call it after the last execution."""
        header, tests, doubts = self._header, self._test + 1, []
        if header.tests is not None and tests != header.tests:
            doubts.append(f"the journal holds {tests:,} of {counted(header.tests, 'test')}")
        if self._repetition != self._repeat and not header.until_seen:
            doubts.append(
                f"the last test of the journal was run {self._repetition} of {counted(header.repeat, 'time')}"
            )
        return doubts

    def misnamed(self) -> list[str]:
        """Tests whose inputs are not those that their id says."""
        if self._renamed is None:
            return []
        return [f"test {self._renamed} has other inputs than its id says, which is a hash of them"]


def honest_about(told: Told, doubts: Sequence[str], assumed: Hypothesis | None) -> Told:
    """The header and notes under these doubts and this assumption."""
    header, notes = told
    if doubts:
        header = dataclasses.replace(header, guarantee=header.guarantee.refused(doubts))
        notes = (*notes, *(MeaningNote(f"{doubt}: the guarantee does not apply") for doubt in doubts))
    elif assumed is not None and header.guarantee.exists:
        header = dataclasses.replace(header, guarantee=header.guarantee.assuming(assumed))
        notes = (*notes, MeaningNote(assumed.condition))
    return header, notes


def unfinished(header: SuiteHeader) -> Told:
    """The header of a suite of which a run was interrupted."""
    return honest_about((header, ()), ["the run was interrupted before its end"], None)


def capped(result: RunResult, *, complete: bool) -> RunResult:
    """An incomplete run cannot pass."""
    passed = result.verdict is Verdict.PASS
    return dataclasses.replace(result, verdict=Verdict.INCONCLUSIVE) if passed and not complete else result


def mixture(parts: Sequence[Part]) -> list[str]:
    """Why the parts of a run are not about one system, if they are not."""
    changed = {name for part in parts for name in differences(parts[0].system, part.system)}
    return [f"the system was not the same in all parts of the run: {few(sorted(changed))}"] if changed else []


def assumption(parts: Sequence[Part], sut: str) -> Hypothesis | None:
    """The assumption on a run in several parts whose system has no fingerprint."""
    if len(parts) < 2 or any(part.system for part in parts):
        return None
    return Hypothesis(
        about=About.RUN,
        subject=f"the system behind {sut}",
        text=f"was the same in all {len(parts)} parts of the run, which nothing on this machine shows",
        by=Voucher.USER,
    )


def few(names: Sequence[str]) -> str:
    """Some of the names."""
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
