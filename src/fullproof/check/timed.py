"""Timers of state machines: races, timers without effect, timeouts that are never reached, time that stands still."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from fullproof.analysis.timed_reach import ReachedNode, TimedReach, Way, possible, witness
from fullproof.analysis.timed_steps import TimedPlace, TimedStep, TimedSteps
from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import error, first_few, note, some_of, warning
from fullproof.core.errors import UserError
from fullproof.language.durations import duration_to_text
from fullproof.model import StateMachine
from fullproof.model.inputs import Advance, SignalEvent, TestInput, json_input


def timed_findings(model: StateMachine) -> Iterator[Finding]:
    """What is suspicious about the timers of a model, each with a shortest sequence of inputs and delays.

    Decided where data is finite: all places are explored, with all times that are possible in them.
    """
    if not model.timers:
        return
    try:
        checks = _Checks(model)
    except UserError as reason:
        text = f"races, timeouts that are never reached and timers without effect are not looked for: {reason.message}"
        yield note("time-unknown", "timers", text)
        return
    yield from checks.findings()


@dataclass(frozen=True, slots=True)
class _Race:
    node: ReachedNode
    timer: int
    other: int | SignalEvent


class _Checks:
    def __init__(self, model: StateMachine) -> None:
        self.model = model
        self.steps = TimedSteps(model)
        self.reach = TimedReach(self.steps)

    def findings(self) -> Iterator[Finding]:
        yield from self._standstill()
        yield from self._races()
        yield from self._input_races()
        yield from self._idle_timers()
        yield from self._unreached()

    def _name(self, timer: int) -> str:
        return self.model.timers[timer].name

    def _races(self) -> Iterator[Finding]:
        """Pairs of timers that may expire at one instant, where their order matters."""
        found: dict[tuple[int, int], _Race] = {}
        for node in self.reach.nodes:
            running = sorted(node.place.running)
            for position, first in enumerate(running):
                for second in running[position + 1 :]:
                    new = (first, second) not in found and node.together(first, second)
                    if new and self._differ(node.place, first, second):
                        found[first, second] = _Race(node, first, second)
        yield from first_few(list(found.values()), self._race)

    def _race(self, race: _Race) -> Finding:
        assert isinstance(race.other, int)
        word = witness(self.reach, race.node, race.timer, race.other)
        message = f"both expire at one instant, and their order matters, {_after(word)}"
        where = f"timers {self._name(race.timer)} and {self._name(race.other)}"
        return warning("timer-race", where, message, witness={"inputs": [json_input(one) for one in word]})

    def _input_races(self) -> Iterator[Finding]:
        """Inputs that may come at the instant of a timeout, where their order matters: one finding for all."""
        found: dict[tuple[int, str], _Race] = {}
        for node in self.reach.nodes:
            for timer in sorted(node.place.running):
                if not node.together(timer):
                    continue
                for event in self.steps.events:
                    key = timer, event.signal or ""
                    if key not in found and self._differ(node.place, timer, event):
                        found[key] = _Race(node, timer, event)
        if not found:
            return
        first = next(iter(found.values()))
        assert isinstance(first.other, SignalEvent)
        word = witness(self.reach, first.node, first.timer)
        pairs = [f"{signal or 'new values'} at {self._name(timer)}" for timer, signal in found]
        message = (
            f"what happens depends on which comes first where an input meets a timeout: {some_of(pairs)}; "
            f"suites keep away from such instants. The first of them is met {_after(word)}"
        )
        shown = [*map(json_input, word), json_input(first.other)]
        yield note("input-at-timeout", "timers", message, witness={"inputs": shown})

    def _differ(self, place: TimedPlace, timer: int, other: int | SignalEvent) -> bool:
        return self._both(place, timer, other) != self._both(place, other, timer)

    def _both(self, place: TimedPlace, first: int | SignalEvent, second: int | SignalEvent) -> set[object]:
        """What two things at one instant lead to, in this order: the second, where it still happens."""
        found: set[object] = set()
        for one in self._taken(place, first):
            due = not isinstance(second, int) or (second in one.target.running and second not in one.starts)
            if not due:
                found.add((one.target, one.sent, one.starts))
                continue
            for two in self._taken(one.target, second):
                starts = (one.starts & two.target.running) | two.starts
                found.add((two.target, one.sent + two.sent, starts))
        return found

    def _taken(self, place: TimedPlace, what: int | SignalEvent) -> Sequence[TimedStep]:
        if isinstance(what, int):
            return possible(partial(self.steps.expiry, place, what))
        return possible(partial(self.steps.event, place, what))

    def _idle_timers(self) -> Iterator[Finding]:
        """Timers that never run, never expire, or whose expiry never does anything."""
        started = {timer for node in self.reach.nodes for timer in node.place.running}
        expired: dict[SignalEvent | int, Way] = {}
        for way in self.reach.taken:
            expired.setdefault(way.taken, way)
        effective = {way.taken for way in self.reach.taken if isinstance(way.taken, int) and _changes(way)}
        for number, timer in enumerate(self.model.timers):
            if number in effective:
                continue
            shown = None
            if number not in started:
                message = "it never runs: no reachable transition starts it"
            else:
                node = next(node for node in self.reach.nodes if number in node.place.running)
                word = witness(self.reach, node)
                message = f"it never expires: it is always stopped or started again before; it runs {_after(word)}"
                if number in expired:
                    word = witness(self.reach, expired[number].before, number)
                    message = f"its expiry never does anything, as {_after(word)}"
                shown = {"inputs": [json_input(one) for one in word]}
            yield warning("timer-without-effect", f"timer {timer.name}", message, witness=shown)

    def _unreached(self) -> Iterator[Finding]:
        """Transitions that wait for a timer which never expires in their state."""
        taken = {number for way in self.reach.taken for number in way.step.transitions}
        effective = {self.model.transitions[number].trigger for number in taken}
        groups: dict[object, list[int]] = {}
        for number, t in enumerate(self.model.transitions):
            if t.trigger is not None and t.trigger not in self.model.signals_in and t.trigger in effective:
                groups.setdefault(t.arrows or number, []).append(number)
        never = [numbers[0] for numbers in groups.values() if not taken & set(numbers)]
        yield from first_few(never, self._never)

    def _never(self, number: int) -> Finding:
        t = self.model.transitions[number]
        node = next((node for node in self.reach.nodes if node.place.state == t.source), None)
        where = f"state {t.source}, timer {t.trigger}"
        if node is None:
            return warning("timeout-never-reached", where, "the state is never reached in time", at=t.at)
        word = witness(self.reach, node)
        message = f"the timeout is never taken here: something always comes before; the state is reached {_after(word)}"
        shown = {"inputs": [json_input(one) for one in word]}
        return warning("timeout-never-reached", where, message, witness=shown, at=t.at)

    def _standstill(self) -> Iterator[Finding]:
        """Circles of timers that expire after no time at all."""
        zero = frozenset(k for k, timer in enumerate(self.model.timers) if timer.duration == 0)
        known: set[tuple[TimedPlace, frozenset[int]]] = set()
        for node in self.reach.nodes if zero else ():
            circle = self._circle(node.place, node.place.running & zero, zero, known)
            if circle:
                word = witness(self.reach, node)
                names = some_of([self._name(timer) for timer in sorted(circle)])
                message = f"they expire without end while no time passes (a zeno loop), {_after(word)}"
                shown = {"inputs": [json_input(one) for one in word]}
                yield error("zeno-loop", f"timers {names}", message, witness=shown)
                return

    def _circle(
        self,
        place: TimedPlace,
        due: frozenset[int],
        zero: frozenset[int],
        known: set[tuple[TimedPlace, frozenset[int]]],
    ) -> set[int]:
        """The timers of a circle that is reached at one instant, found depth first; empty where there is none."""
        path: list[tuple[TimedPlace, frozenset[int], int]] = []

        def following(here: TimedPlace, now: frozenset[int]) -> Iterator[tuple[TimedPlace, frozenset[int], int]]:
            for timer in sorted(now):
                for step in self._taken(here, timer):
                    yield step.target, ((now - {timer}) & step.target.running) | (step.starts & zero), timer

        stack = [following(place, due)]
        on_path = [(place, due)]
        while stack:
            after = next(stack[-1], None)
            if after is None:
                stack.pop()
                on_path.pop()
                path = path[: len(stack) - 1] if stack else []
                continue
            target, now, timer = after
            if (target, now) in on_path:
                start = on_path.index((target, now))
                return {*(one[2] for one in path[start:]), timer}
            if now and (target, now) not in known:
                known.add((target, now))
                path.append(after)
                on_path.append((target, now))
                stack.append(following(target, now))
        return set()


def _changes(way: Way) -> bool:
    """Whether an expiry changes anything but its own timer, or sends anything."""
    here, there = way.before.place, way.step.target
    others = (here.running ^ there.running) | way.step.starts
    return bool(way.step.sent or others - {way.taken} or (here.state, here.values) != (there.state, there.values))


def _after(word: Sequence[TestInput]) -> str:
    if not word:
        return "at the beginning"
    return "after " + ", ".join(_shown(one) for one in word)


def _shown(one: TestInput) -> str:
    if isinstance(one, Advance):
        return duration_to_text(one.seconds)
    assert isinstance(one, SignalEvent)
    values = ", ".join(f"{name} = {value}" for name, value in one.inputs)
    return " with ".join(filter(None, [one.signal or "no signal", values]))
