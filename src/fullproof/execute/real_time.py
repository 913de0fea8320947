"""Real time: delays are waited for, lateness is measured, and what was too late decides nothing.

The plan of a test begins when the system has been reset: an input, or the end of a delay, is due at the sum of the
delays before it, whatever earlier steps took. A step is as late as its answer comes after that. While the tester waits
it sleeps in short slices; what a slice takes longer than it should is lateness, too: a machine that did not run the
tester on time may not have run the system on time.

A test has *room*: how late its steps may be so that all happens in the order of the plan. Half of it is for the tester
and half for the system. A test with a later step is repeated. So is one whose answers are wrong, since the system may
have been late: only where the same answer is wrong again and again is that a failure. Else it is inconclusive.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.lateness import Lateness, seconds_text
from fullproof.artefacts.suite import Test

_SLICE = 0.02
"""Seconds of one sleep."""
_BEAT = 0.5
"""Seconds of waiting after which there is a sign of life."""


class Timekeeper(Protocol):
    """What measures time and lets it pass."""

    def now(self) -> float:
        """Seconds since some instant."""

    def sleep(self, seconds: float, /) -> None:
        """Let time pass."""


class SystemClock:
    """The clock of this computer."""

    def now(self) -> float:
        """Seconds that no change of the date moves."""
        return time.monotonic()

    def sleep(self, seconds: float, /) -> None:
        """Wait."""
        time.sleep(seconds)


class Patience(Protocol):
    """What the model says of tests in real time; it can be pickled."""

    @property
    def starts(self) -> bool:
        """Whether timers run from the beginning, so that it matters how long a reset takes."""

    def room(self, test: Test, /) -> float:
        """How many seconds its steps may be late so that inputs and timeouts of the model keep their order."""

    def wrong_step(self, execution: Execution, /) -> int | None:
        """The number of the first step whose answer the model does not allow; None where it allows all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealTime:
    """How tests are run in real time."""

    patience: Patience
    clock: Timekeeper = field(default_factory=SystemClock)
    executions: int = 8
    """How often a test is executed at most."""
    wrong: int = 4
    """How often the same answer must be wrong, in executions that were on time, for a failure."""


class TooLate(Exception):
    """A step was later than the room of the test allows."""


class Timeline:
    """The plan of one execution, and how late it is."""

    def __init__(self, clock: Timekeeper, allowed: float, *, starts: bool, beat: Callable[[], None]) -> None:
        self._clock, self._allowed, self._starts, self._beat = clock, allowed, starts, beat
        self._begin = self._origin = clock.now()
        self._planned = Fraction(0)
        self._uncertain = 0.0
        self.late = 0.0

    def begins(self) -> None:
        """The system is about to be reset."""
        self._begin = self._clock.now()

    def ready(self) -> None:
        """The system has been reset. Timers that run from the beginning started some time in between."""
        self._origin = self._clock.now()
        if self._starts:
            self._uncertain = self._origin - self._begin
            self._measure(self._uncertain)

    def wait(self, seconds: Fraction) -> None:
        """Let a delay of the plan pass."""
        self._planned += seconds
        due = self._origin + float(self._planned)
        beaten = before = self._clock.now()
        while before < due:
            wanted = min(_SLICE, due - before)
            self._clock.sleep(wanted)
            now = self._clock.now()
            self._measure(now - before - wanted)
            if now - beaten > _BEAT:
                self._beat()
                beaten = now
            before = now

    def answered(self) -> None:
        """The answer to a step is there. Raises TooLate."""
        self._measure(self._clock.now() - self._origin - float(self._planned) + self._uncertain)
        if self.late > self._allowed:
            raise TooLate

    def _measure(self, late: float) -> None:
        self.late = max(self.late, late)


def executed(
    real: RealTime, test: Test, attempt: Callable[[Timeline], Execution], beat: Callable[[], None], blank: Execution
) -> Execution:
    """Run a test until one execution was on time and right, or several were on time and wrong alike.

    ``attempt`` executes it once, or raises TooLate; ``blank`` is an execution in which nothing was seen. Guarantee: a
    wrong answer is returned only where as many executions as ``real.wrong`` had it as their first wrong one, all of
    them on time, and none that was on time had right answers or other wrong ones. A system with a fault does the same
    each time; one that a busy computer has held up is held up elsewhere the next time.
    """
    room = real.patience.room(test)
    if room <= 0:
        return _undecided(blank, "in real time it cannot be decided: an input, or the end of a delay, meets a timeout")
    allowed, wrong, worst = room / 2, list[Execution](), math.inf
    first: tuple[int, object] | None = None
    for number in range(1, real.executions + 1):
        line = Timeline(real.clock, allowed, starts=real.patience.starts, beat=beat)
        try:
            seen = attempt(line)
        except TooLate:
            worst = min(worst, line.late)
            continue
        if seen.error is not None:
            return seen
        seen = seen._replace(evidence=str(Lateness(line.late, allowed, number)))
        at = real.patience.wrong_step(seen)
        if at is None:
            return seen if not wrong else _undecided(blank, f"{_unsteady(len(wrong))}, but not again")
        answer = at, _answer(seen, at)
        if first is not None and answer != first:
            return _undecided(blank, f"{_unsteady(len(wrong) + 1)}, each time otherwise or elsewhere")
        first = answer
        wrong.append(seen)
        if len(wrong) == real.wrong:
            return wrong[0]
    if wrong:
        return _undecided(blank, f"{_unsteady(len(wrong))}, but not again in time; all others were too late")
    late = f"{seconds_text(worst)} late at best, {seconds_text(allowed)} are allowed"
    return _undecided(blank, f"in real time each of {real.executions} executions was too late: {late}")


def _answer(seen: Execution, step: int) -> object:
    """The answer of a step; steps count from 1."""
    return seen.steps[step - 1].output if 0 < step <= len(seen.steps) else None


def _unsteady(wrong: int) -> str:
    times = "once" if wrong == 1 else f"{wrong} times"
    return f"in real time its answers were wrong {times}"


def _undecided(blank: Execution, reason: str) -> Execution:
    return blank._replace(reached=False, reason=reason)
