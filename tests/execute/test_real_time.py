"""Tests whose delays are waited for, by a clock that this file turns: lateness, repetition, and no wrong failure."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from tests.execute.timed_lamp import HALF, LAMP, LIGHTS, SUITE, test_of

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.lateness import read_lateness
from fullproof.artefacts.request import Relation
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.execute import Options, execute
from fullproof.execute.adapters.python_sut import open_object
from fullproof.execute.real_time import RealTime
from fullproof.kinds import oracle_for
from fullproof.kinds.statemachine.patience import TimedPatience

PATIENCE = TimedPatience(LAMP, Relation.EQUIVALENCE)


class TurnedClock:
    """Time passes by sleeping, and then ``more`` says by how much too long."""

    def __init__(self, more: Callable[[], float] = lambda: 0.0) -> None:
        self.time, self._more = 0.0, more

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float, /) -> None:
        self.time += seconds + self._more()


class Lamp:
    """Its timer expires some time after it should; it answers after some time."""

    def __init__(
        self, clock: TurnedClock, *, seconds: float = 5.0, late: Callable[[], float] = lambda: 0.0, slow: float = 0.0
    ) -> None:
        self.clock, self.seconds, self.late, self.slow = clock, seconds, late, slow
        self.off: float | None = None

    def reset(self) -> None:
        self.off = None

    def step(self, trigger: str) -> list[str]:
        said = [*self.observe(), *([] if self.off is not None else ["bright"])]
        self.off = self.clock.time + self.seconds + self.late()
        return said

    def observe(self) -> list[str]:
        self.clock.time += self.slow
        if self.off is None or self.clock.time < self.off:
            return []
        self.off = None
        return ["dim"]


def run(clock: TurnedClock, make: Callable[[], Any], tests: Sequence[Any] = SUITE) -> list[Execution]:
    real = RealTime(patience=PATIENCE, clock=clock)
    return list(execute(open_object(make, LAMP, name="lamp", step_timeout=None, waits=True), tests,
                        options=Options(real_time=real, step_timeout=None)))  # fmt: skip


def verdicts(executions: Sequence[Execution]) -> list[Verdict]:
    oracle = oracle_for(LAMP, Relation.EQUIVALENCE)
    return [oracle.judge(execution).verdict for execution in executions]


def test_a_right_system_passes_and_its_lateness_is_kept():
    clock = TurnedClock()
    found = run(clock, lambda: Lamp(clock, slow=0.1))
    assert verdicts(found) == [Verdict.PASS] * len(SUITE)
    late = read_lateness(found[0].evidence)
    assert late is not None
    assert late.execution == 1
    assert late.allowed == 0.25
    assert 0.1 <= late.late < 0.25


@pytest.mark.parametrize("seconds", [4.0, 6.0, 1e9])
def test_a_wrong_time_fails(seconds: float):
    clock = TurnedClock()
    assert Verdict.FAIL in verdicts(run(clock, lambda: Lamp(clock, seconds=seconds)))


def test_a_tester_that_is_always_late_decides_nothing():
    clock = TurnedClock(lambda: 0.3)
    found = run(clock, lambda: Lamp(clock, seconds=6.0))
    assert verdicts(found) == [Verdict.INCONCLUSIVE] * len(SUITE)
    assert "too late: 300 ms late at best, 250 ms are allowed" in found[0].reason


def test_a_system_that_answers_slowly_decides_nothing():
    clock = TurnedClock()
    assert set(verdicts(run(clock, lambda: Lamp(clock, seconds=6.0, slow=0.4)))) == {Verdict.INCONCLUSIVE}


def test_one_late_execution_is_repeated():
    lates = iter([0.3])
    clock = TurnedClock(lambda: next(lates, 0.0))
    found = run(clock, lambda: Lamp(clock))
    assert set(verdicts(found)) == {Verdict.PASS}
    assert read_lateness(found[0].evidence).execution == 2  # type: ignore[union-attr]


def test_wrong_answers_that_do_not_come_again_are_inconclusive():
    lates = iter([1.0])
    clock = TurnedClock()
    found = run(clock, lambda: Lamp(clock, late=lambda: next(lates, 0.0)))
    assert verdicts(found)[0] is Verdict.INCONCLUSIVE
    assert found[0].reason == "in real time its answers were wrong once, but not again"


def test_a_test_that_meets_a_timeout_decides_nothing():
    clock = TurnedClock()
    (found,) = run(clock, lambda: Lamp(clock), [test_of("press", 5)])
    assert verdicts([found]) == [Verdict.INCONCLUSIVE]
    assert "meets a timeout" in found.reason


@pytest.mark.parametrize("answers", ["elsewhere", "otherwise"])
def test_wrong_answers_that_are_not_the_same_each_time_are_inconclusive(answers: str):
    """A computer that holds a system up does so now here, now there; a fault is always the same."""
    clock, number = TurnedClock(), iter(range(100))

    class Held(Lamp):
        def reset(self) -> None:
            super().reset()
            self.held, self.presses = next(number) % 2, 0

        def step(self, trigger: str) -> list[str]:
            said = super().step(trigger)
            self.presses += 1
            if answers == "otherwise":
                return ["dim"] * (2 + self.held)
            self.off += 2 * (self.presses == 1 + self.held)
            return said

    found = run(clock, lambda: Held(clock), [test_of("press", 5 + HALF, "press", 5 + HALF)])
    assert verdicts(found) == [Verdict.INCONCLUSIVE]
    assert found[0].reason == "in real time its answers were wrong 2 times, each time otherwise or elsewhere"


def test_two_timers_of_different_inputs_keep_their_order_or_nothing_is_decided():
    """The system is right, and always late with its first answer: then the second light goes out first."""

    class Lights:
        def __init__(self, clock: TurnedClock) -> None:
            self.clock = clock

        def reset(self) -> None:
            self.off: list[tuple[float, str]] = []

        def step(self, trigger: str) -> list[str]:
            said = self.observe()
            if trigger == "left":
                self.clock.time += 0.03
                self.off.append((self.clock.time + 5, "left_dark"))
            else:
                self.off.append((self.clock.time + 4, "right_dark"))
            return said

        def observe(self) -> list[str]:
            said = [one for one in sorted(self.off) if one[0] <= self.clock.time]
            self.off = [one for one in self.off if one not in said]
            return [name for _, name in said]

    clock = TurnedClock()
    patience = TimedPatience(LIGHTS, Relation.EQUIVALENCE)
    test = test_of("left", 1 + Fraction(1, 50), "right", 5)
    assert patience.room(test) == pytest.approx(0.02)
    assert patience.room(test_of("left", 2, "right", 5)) == 1
    system = open_object(lambda: Lights(clock), LIGHTS, name="lights", step_timeout=None, waits=True)
    real = RealTime(patience=patience, clock=clock)
    (found,) = execute(system, [test], options=Options(real_time=real, step_timeout=None))
    assert oracle_for(LIGHTS, Relation.EQUIVALENCE).judge(found).verdict is Verdict.INCONCLUSIVE


def test_timers_of_one_input_keep_their_order():
    """Both are late together."""
    patience = TimedPatience(LIGHTS, Relation.EQUIVALENCE)
    assert patience.room(test_of("both", 6)) == 1
    assert patience.room(test_of("left", 0, "both", 6)) == 1
    assert patience.room(test_of("left", HALF, "both", 6)) == 1
    assert patience.room(test_of("left", HALF, "right", 6)) == HALF


def test_a_flaky_scheduler_never_makes_a_wrong_fail():
    """Tester and system are stopped at random, for longer than the margin now and then."""
    seen = set()
    for seed in range(300):
        dice = random.Random(seed)
        share = dice.choice([0.02, 0.2, 0.6])

        def stop(dice: random.Random = dice, share: float = share) -> float:
            return dice.expovariate(3) if dice.random() < share / 50 else dice.random() * 0.01

        clock = TurnedClock(stop)

        def late(dice: random.Random = dice, share: float = share) -> float:
            return dice.uniform(0, 1) if dice.random() < share / 4 else 0.0

        seen |= set(verdicts(run(clock, lambda clock=clock, late=late: Lamp(clock, late=late))))  # type: ignore[misc]
    assert seen == {Verdict.PASS, Verdict.INCONCLUSIVE}


def test_a_flaky_scheduler_does_not_hide_a_wrong_time():
    """A late step can make a slow timer look right; half of the margin is too little for that."""
    for seed in range(100):
        dice = random.Random(seed)
        clock = TurnedClock(lambda dice=dice: dice.expovariate(60))  # type: ignore[misc]
        found = verdicts(run(clock, lambda clock=clock: Lamp(clock, seconds=6.0)))  # type: ignore[misc]
        assert found[0] in (Verdict.FAIL, Verdict.INCONCLUSIVE)  # the others end before the timeout


def test_the_room_of_a_test():
    assert PATIENCE.room(test_of("press", Fraction(9, 2))) == 0.5
    assert PATIENCE.room(test_of("press", 5)) == 0
    assert PATIENCE.room(test_of("press", 6, "press", 2)) == 1
    assert PATIENCE.room(test_of("press", 4, "press", 4)) == 1
    assert PATIENCE.room(test_of(7)) == float("inf")


def test_a_system_that_cannot_be_observed_is_refused():
    class Deaf:
        def step(self, trigger: str) -> list[str]:
            return []

    with pytest.raises(UserError, match=r"no method observe\(\)"):
        open_object(Deaf, LAMP, name="Deaf", step_timeout=None, waits=True)
    with pytest.raises(UserError, match="with observe\\(\\) instead, --clock real can wait"):
        open_object(Deaf, LAMP, name="Deaf", step_timeout=None)
