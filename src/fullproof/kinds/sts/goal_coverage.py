"""Which goals a run of an sts has covered so far. The same for runs old and new."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.journal import JournalHeader
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.purposes import SwitchLetter, switch_names
from fullproof.artefacts.request import Criterion
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.verdict import BAD, Judgement, Verdict
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.judge.sts import StsOracle
from fullproof.kinds.sts.letters import LetterReader, is_walk


class GoalCoverage:
    """Knows what is still to be covered.

    A goal is covered for certain where every run of the model that explains all that was seen covers it (one run
    where |C| = 1 in paper 001), or else by a purpose that passed although other runs explain it, too.
    """

    def __init__(self, oracle: StsOracle, criterion: Criterion, wanted: Collection[str], at: Place = NOWHERE) -> None:
        """``at`` is the file that the executions come from."""
        from fullproof.generate.sts.goals import goals_for

        self.semantics = oracle.semantics
        self.wanted = frozenset(wanted)
        self.names = switch_names(oracle.semantics.model)
        self._oracle = oracle
        self._reader = LetterReader(oracle.semantics.model, at)
        self._goals = goals_for(oracle.semantics.model, criterion)
        self._covered: set[str] = set()
        self._passed: set[str] = set()
        self._letters: dict[str, tuple[SwitchLetter, ...]] = {}
        self.steps = self.executed = self.failed_walks = self.broken = 0
        """Inputs and outputs, executions, walks that failed, and errors in a row at the end."""

    @property
    def left(self) -> frozenset[str]:
        """What is wanted and not covered for certain."""
        return self.wanted - self._covered

    @property
    def missing(self) -> frozenset[str]:
        """What is wanted and not covered at all."""
        return self.left - self._passed

    def saw(self, execution: Execution, judgement: Judgement, /) -> None:
        """Count an execution, and what it has covered."""
        letters = self._path(execution)
        self.executed += 1
        self.steps += execution.length
        self.failed_walks += not letters and judgement.verdict is Verdict.FAIL
        self.broken = self.broken + 1 if judgement.verdict is Verdict.ERROR else 0
        if judgement.verdict is Verdict.PASS:
            self._passed.update(self._along(letters))
        if judgement.verdict not in BAD:
            for number, piece in enumerate(self._oracle.certain(execution)):
                same = 0
                while not number and same < min(len(letters), len(piece)) and letters[same].switch == piece[same]:
                    same += 1
                self._covered.update(self._along((*letters[:same], *(SwitchLetter(switch) for switch in piece[same:]))))

    def settled(self, result: RunResult, /) -> RunResult:
        """A pass needs everything covered that was wanted."""
        open_ = self.missing and result.verdict is Verdict.PASS
        return replace(result, verdict=Verdict.INCONCLUSIVE) if open_ else result

    def notes(self, verdict: Verdict, /) -> tuple[str, ...]:
        """What should be said beside the verdict."""
        if verdict in BAD:
            return ()
        notes = []
        if self.missing:
            notes.append(f"not covered: {', '.join(sorted(self.missing))}")
        if uncertain := self.left & self._passed:
            notes.append(f"passed, though not covered for certain: {', '.join(sorted(uncertain))}")
        return tuple(map(MeaningNote, notes))

    def _path(self, execution: Execution) -> tuple[SwitchLetter, ...]:
        """The letters that an execution was meant to go along; none for a walk, and where it repeats another one."""
        test = execution.test
        if is_walk(test.inputs[0], execution.number) or self._reader.is_replay(test.inputs):
            return ()
        if test.id not in self._letters:
            self._letters[test.id] = self._reader.path(test.id, test.inputs)
        return self._letters[test.id]

    def _along(self, letters: Sequence[SwitchLetter]) -> Iterator[str]:
        before = None
        for letter in letters:
            goal = self._goals.reached(before, letter)
            if goal is not None:
                yield goal
            before = letter.switch


def coverage_of(oracle: StsOracle, header: JournalHeader, at: Place) -> GoalCoverage:
    """The goals that the head of a journal names, none of them covered yet."""
    try:
        known = json.loads(header.purposes)
        criterion, wanted = Criterion(known["criterion"]), [str(goal) for goal in known["wanted"]]
    except (ValueError, TypeError, KeyError) as error:
        raise UserError("is not a journal of a run of an sts: it does not say what was to be covered", at=at) from error
    return GoalCoverage(oracle, criterion, wanted, at)
