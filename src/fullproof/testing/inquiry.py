"""Asks a system sequences of inputs, each once, and looks into answers that contradict each other.

A contradiction is repeated, by itself and after the test that ran before it. Where all repetitions agree, one answer
was a disturbance, and the majority counts. Where the answer depends on the test before, the reset is unreliable. Else
the system is nondeterministic. The last two end learning with one line that has both answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullproof.artefacts.notes import WarningNote
from fullproof.artefacts.progress import Progress
from fullproof.artefacts.suite import Test, TestInput
from fullproof.core.counted import counted
from fullproof.core.errors import UserError
from fullproof.execute.runner import Options, run_jobs
from fullproof.formats.journal.questions import AskedWord, QuestionJournal
from fullproof.testing.observations import AnswerTree

if TYPE_CHECKING:
    from fullproof.artefacts.execution import Step
    from fullproof.execute.sut import Sut

Word = tuple[str, ...]

_MOST_DISTURBANCES = 20
_SHOWN = 12
"""Inputs of a sequence that a message shows."""


class AnswerTakenBack(Exception):
    """What was taken for known is not: learning begins again with what is left, of which all stays answered."""


class Untrustworthy(UserError):
    """The system is nondeterministic, or its reset unreliable."""


@dataclass(slots=True)
class InquiryCost:
    """Resets and inputs that the system was given, those in the journal of an earlier part included."""

    resets: int = 0
    inputs: int = 0


class Inquiry:
    """Questions to one open system."""

    def __init__(
        self, system: Sut, *, repeats: int, step_timeout: float | None, progress: Progress | None = None
    ) -> None:
        self.known = AnswerTree()
        self.cost = InquiryCost()
        self.notes: list[str] = []
        self.resumed = 0
        """Questions that a journal had answered."""
        self._system, self._repeats = system, repeats
        self._limit = step_timeout
        self._progress = progress
        self._journal: QuestionJournal | None = None
        self._last: Word = ()

    def keep(self, journal: QuestionJournal) -> None:
        """Write all questions from now on to a journal, and take over those that it has."""
        self._journal = journal
        for question in journal.known:
            if question.outputs is None:
                self.known.forget(question.inputs)
            else:
                self.known.add(question.inputs, question.outputs)
                self.resumed += 1
                self.cost.inputs += len(question.outputs)
        self.cost.resets = self.resumed

    def answers(self, word: Sequence[str], *, wanted: Sequence[str] = ()) -> list[str]:
        """The outputs for a sequence. Where other ones than ``wanted`` come, the test ends with the first of them."""
        known = self.known.answers(word)
        if known is not None:
            return known
        return self._checked(tuple(word), wanted)

    def check_reset(self, leading: Sequence[str], telling: Sequence[str]) -> None:
        """Bring the system somewhere, reset it, and ask a question that tells whether it stayed there."""
        self._checked(tuple(leading), ())
        self._checked(tuple(telling), ())

    def _checked(self, word: Word, wanted: Sequence[str]) -> list[str]:
        """Ask until the answer contradicts nothing; ``AnswerTakenBack`` where what was known is to blame."""
        while True:
            before, outputs = self._last, self._run(word, wanted)
            place = self.known.contradiction(word, outputs)
            if place is None:
                self.known.add(word, outputs)
                self._note(AskedWord(inputs=word, outputs=tuple(outputs)))
                return outputs
            self._look_into(word[: place + 1], tuple(outputs[: place + 1]), before)

    def _look_into(self, word: Word, seen: Word, before: Word) -> None:
        """Find out which of two answers holds."""
        known = tuple(self.known.answers(word) or ())
        alone = Counter(self._answered(word) for _ in range(self._repeats))
        after = Counter(self._after(before, word) for _ in range(self._repeats))
        if len(alone) == len(after) == 1 and alone.keys() != after.keys():
            raise Untrustworthy(_reset_message(word, before, next(iter(alone)), next(iter(after))))
        counts = alone + after + Counter([known, seen])
        if len(alone + after) > 1:
            raise Untrustworthy(_contradiction_message(word, counts))
        (right,) = alone
        wrong = seen if right == known else known
        place = _parting(right, wrong)
        self.notes.append(
            WarningNote(
                f"after {_shown(word[:place])} the input {word[place]!r} was answered {wrong[place]!r} once and "
                f"{right[place]!r} {counts[right]} times: the majority counts"
            )
        )
        if len(self.notes) > _MOST_DISTURBANCES:
            raise Untrustworthy(
                f"the system contradicted itself {len(self.notes)} times; {_contradiction_message(word, counts)}"
            )
        if right != known:
            place = _parting(right, known)
            self.known.forget(word[: place + 1])
            self._note(AskedWord(inputs=word[: place + 1], outputs=None))
            raise AnswerTakenBack

    def _answered(self, word: Word) -> Word:
        return tuple(self._run(word, ()))

    def _after(self, before: Word, word: Word) -> Word:
        if before:
            self._run(before, ())
        return self._answered(word)

    def _note(self, question: AskedWord) -> None:
        if self._progress is not None:
            self._progress(self.cost.resets, None, steps=self.cost.inputs)
        if self._journal is not None:
            self._journal.add(question)

    def _run(self, word: Word, wanted: Sequence[str]) -> list[str]:
        """One execution on the system."""
        options = Options(step_timeout=self._limit, pilot=lambda: _Pilot(word, wanted), more=lambda _: False)
        job = (self.cost.resets + 1, Test(inputs=()), 1)
        (trace,) = run_jobs(self._system, iter([job]), options)
        outputs = [str(step.output) for step in trace.steps]
        self.cost.resets += 1
        self.cost.inputs += len(outputs)
        self._last = word[: len(outputs)]
        if trace.error is not None:
            at = (
                f"input {word[len(outputs)]!r} after {_shown(word[: len(outputs)])}"
                if len(outputs) < len(word)
                else "the end of a test"
            )
            raise UserError(f"the system failed at {at}: {trace.error}")
        return outputs


class _Pilot:
    """Gives the inputs of a sequence, until an output is not as wanted."""

    def __init__(self, word: Word, wanted: Sequence[str]) -> None:
        self._inputs: Iterator[str] = iter(word)
        self._wanted = iter(wanted)
        self._over = False

    def next(self, _enabled: frozenset[str] | None, /) -> TestInput | None:
        return None if self._over else next(self._inputs, None)

    def sees(self, step: Step, /) -> None:
        wanted = next(self._wanted, None)
        self._over = wanted is not None and step.output != wanted


def _shown(word: Sequence[str]) -> str:
    if not word:
        return "a reset"
    shown = " ".join(word[-_SHOWN:])
    return f"inputs {'... ' if len(word) > _SHOWN else ''}{shown}"


def _parting(one: Word, other: Word) -> int:
    """The place of the first difference. Needs: there is one."""
    return next(place for place, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])


def _contradiction_message(word: Word, counts: Counter[Word]) -> str:
    (one, often), (other, rarely) = counts.most_common(2)
    place = _parting(one, other)
    return (
        f"the system is not deterministic, or not reset: after {_shown(word[:place])} the input {word[place]!r} was "
        f"answered {one[place]!r} {counted(often, 'time')} and {other[place]!r} {counted(rarely, 'time')}"
    )


def _reset_message(word: Word, before: Word, alone: Word, after: Word) -> str:
    place = _parting(alone, after)
    return (
        f"the reset is not reliable: after {_shown(word[:place])} the input {word[place]!r} is answered "
        f"{alone[place]!r}, but {after[place]!r} where the test before the reset was {_shown(before)}"
    )
