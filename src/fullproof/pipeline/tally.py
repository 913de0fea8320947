"""Which goals a run of an sts has covered so far. The same for runs old and new."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.purposes import SwitchLetter, switch_names
from fullproof.artefacts.request import Criterion
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.verdict import Judgement, Verdict

if TYPE_CHECKING:
    from fullproof.analysis.sts_semantics import StsSemantics

BAD = (Verdict.FAIL, Verdict.ERROR)


class Tally:
    """Judges executions as they come, and knows what is still to be covered.

    A goal is covered for certain where every run of the model that explains all that was seen covers it (one run
    where |C| = 1 in paper 001), or else by a purpose that passed although other runs explain it, too.
    """

    def __init__(self, semantics: StsSemantics, *, criterion: Criterion, wanted: Collection[str]) -> None:
        from fullproof.generate.sts.goals import goals_for
        from fullproof.judge import Summary
        from fullproof.judge.sts import StsOracle
        from fullproof.pipeline.listing import Listing

        self.wanted = frozenset(wanted)
        self.names = switch_names(semantics.model)
        self._oracle = StsOracle(semantics)
        self._summary = Summary(self._oracle)
        self.listing = Listing(self._oracle, semantics.model)
        self._goals = goals_for(semantics.model, criterion)
        self._covered: set[str] = set()
        self.executed = self.failed_walks = 0
        """Executions so far, and those without letters that failed."""
        self._passed: set[str] = set()

    @property
    def steps(self) -> int:
        """Inputs and outputs so far."""
        return self._summary.steps

    @property
    def left(self) -> frozenset[str]:
        """What is wanted and not covered for certain."""
        return self.wanted - self._covered

    @property
    def missing(self) -> frozenset[str]:
        """What is wanted and not covered at all."""
        return self.left - self._passed

    def add(self, execution: Execution, letters: Sequence[SwitchLetter]) -> Judgement:
        """Judge an execution that was meant to go along these letters, and count it."""
        judgement = self._oracle.judge(execution)
        self.executed += 1
        self.failed_walks += not letters and judgement.verdict is Verdict.FAIL
        self._summary.add(execution, judgement)
        self.listing.add(execution, judgement)
        if judgement.verdict is Verdict.PASS:
            self._passed.update(self._along(letters))
        if judgement.verdict not in BAD:
            for number, piece in enumerate(self._oracle.certain(execution)):
                same = 0
                while not number and same < min(len(letters), len(piece)) and letters[same].switch == piece[same]:
                    same += 1
                self._covered.update(self._along((*letters[:same], *(SwitchLetter(switch) for switch in piece[same:]))))
        return judgement

    def result(self, *, seconds: float) -> RunResult:
        """The figures of the run: a pass needs everything covered that was wanted."""
        result = self._summary.result(seconds=seconds)
        open_ = self.missing and result.verdict is Verdict.PASS
        return replace(result, verdict=Verdict.INCONCLUSIVE) if open_ else result

    def notes(self, verdict: Verdict) -> tuple[str, ...]:
        """What should be said beside the verdict."""
        if verdict in BAD:
            return ()
        notes = []
        if self.missing:
            notes.append(f"not covered: {', '.join(sorted(self.missing))}")
        if uncertain := self.left & self._passed:
            notes.append(f"passed, though not covered for certain: {', '.join(sorted(uncertain))}")
        return tuple(notes)

    def _along(self, letters: Sequence[SwitchLetter]) -> Iterator[str]:
        before = None
        for letter in letters:
            goal = self._goals.reached(before, letter)
            if goal is not None:
                yield goal
            before = letter.switch
