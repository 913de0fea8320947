"""What a state machine does while time passes: timers that run expire in order, each with one run to completion.

Timers that expire at the same instant do so in any order. What expires at the end of a delay belongs to the delay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from fullproof.analysis.run_to_completion import (
    MOST_RUNS,
    Choose,
    CompletedRun,
    Configuration,
    RunGoesWrong,
    RunToCompletion,
)

MOST_EXPIRIES = 100_000
MOST_AT_ONCE = 1_000
"""How many timers may expire in one delay, and how many at one instant."""

ChooseTimer: TypeAlias = Callable[[Sequence[int]], int]


class _Past(NamedTuple):
    """The expiries so far, the last one first: a long delay does not copy them at each."""

    before: _Past | None
    run: CompletedRun


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A run that has to go on for some seconds; ``at_once`` counts what has expired at this instant."""

    here: Configuration
    rest: Fraction
    past: _Past | None = None
    expired: int = 0
    at_once: int = 0

    def runs(self) -> list[CompletedRun]:
        """The expiries so far."""
        found: list[CompletedRun] = []
        past = self.past
        while past is not None:
            found.append(past.run)
            past = past.before
        return found[::-1]

    def seen(self) -> tuple[Configuration, Fraction, int, tuple[str, ...]]:
        """All that matters for what follows and for the answer."""
        return self.here, self.rest, self.at_once, tuple(signal for run in self.runs() for signal in run.sent)

    def ended(self) -> CompletedRun:
        """The whole delay, where nothing more expires."""
        runs = self.runs()
        sent = tuple(signal for run in runs for signal in run.sent)
        taken = tuple(number for run in runs for number in run.transitions)
        return CompletedRun(passed(self.here, self.rest), sent, taken)


def next_expiry(configuration: Configuration) -> Fraction | None:
    """The seconds until a timer expires; None where none runs."""
    return min((left for left in configuration.clocks if left is not None), default=None)


def passed(configuration: Configuration, seconds: Fraction) -> Configuration:
    """The same, so much later. Needs: no timer expires before."""
    return replace(configuration, clocks=tuple(None if c is None else c - seconds for c in configuration.clocks))


def expiring(machine: RunToCompletion, configuration: Configuration) -> list[tuple[int, Configuration]]:
    """The timers that expire now, each with the configuration in which its expiry is an event."""
    found: list[tuple[int, Configuration]] = []
    for number, left in enumerate(configuration.clocks):
        if left == 0:
            timer = machine.model.timers[number]
            clocks = list(configuration.clocks)
            clocks[number] = timer.duration if timer.periodic else None
            found.append((number, replace(configuration, clocks=tuple(clocks))))
    return found


def delays(machine: RunToCompletion, before: Configuration, seconds: Fraction) -> list[CompletedRun]:
    """What may happen in a delay; of runs that differ in nothing but the order of transitions, one. Raises
    RunGoesWrong.

    Needs: where a timer expires, every input attribute has a value.
    """
    return _delayed(machine, before, seconds, lambda here, trigger: machine.runs(here, trigger, {}), None)


def delay(
    machine: RunToCompletion, before: Configuration, seconds: Fraction, choose: Choose, choose_timer: ChooseTimer
) -> CompletedRun:
    """One of these; the functions choose among transitions and among timers that expire together."""
    one = _delayed(
        machine, before, seconds, lambda here, trigger: [machine.run(here, trigger, {}, choose)], choose_timer
    )
    return one[0]


def _delayed(
    machine: RunToCompletion,
    before: Configuration,
    seconds: Fraction,
    runs: Callable[[Configuration, str], list[CompletedRun]],
    choose_timer: ChooseTimer | None,
) -> list[CompletedRun]:
    waiting = [_Waiting(before, seconds)]
    found: dict[CompletedRun, None] = {}
    known: set[object] = set()  # once runs have parted, where they have been: different orders may meet again
    while waiting:
        one = waiting.pop()
        soon = next_expiry(one.here)
        if soon is None or soon > one.rest:
            found[one.ended()] = None
            continue
        at_once = one.at_once + 1 if soon == 0 else 1
        _require_an_end(machine, one, at_once)
        options = expiring(machine, passed(one.here, soon))
        if choose_timer is not None and len(options) > 1:
            chosen = choose_timer([number for number, _ in options])
            options = [option for option in options if option[0] == chosen]
        branches = [
            _Waiting(run.end, one.rest - soon, _Past(one.past, run), one.expired + 1, at_once)
            for number, configuration in options
            for run in runs(configuration, machine.model.timers[number].name)
        ]
        if len(branches) > 1 or known:
            new = {branch.seen(): branch for branch in branches}
            branches = [branch for key, branch in new.items() if key not in known]
            known.update(new)
        waiting += branches
        if len(found) + len(waiting) > MOST_RUNS:
            raise RunGoesWrong(f"one delay has more than {MOST_RUNS} different runs, now in {one.here.state!r}")
    return list(found)


def _require_an_end(machine: RunToCompletion, one: _Waiting, at_once: int) -> None:
    state = one.here.state
    if at_once > MOST_AT_ONCE:
        raise RunGoesWrong(f"timers expire without end at one instant, now in {state!r}")
    if one.expired >= MOST_EXPIRIES:
        shortest = min(timer.duration for timer in machine.model.timers)
        text = f"more than {MOST_EXPIRIES:,} timers expire in one delay (the shortest time is {shortest} s)"
        raise RunGoesWrong(f"{text}, now in {state!r}")
