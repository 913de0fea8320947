"""A transition cover of the abstract machine, by concrete events: paper 003, section 7.2."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import comb

from fullproof.analysis.symbolic_runs import SymbolicRuns
from fullproof.artefacts.partition import Case, Justification, is_endless
from fullproof.core.deadline import Deadline
from fullproof.generate.statemachine.bridges import Bridges
from fullproof.generate.statemachine.far_places import FarGoal, FarPlaces, sides
from fullproof.generate.statemachine.letters import TriggerLetter
from fullproof.generate.statemachine.places import MachinePlace, Places, Reaction, Word
from fullproof.generate.statemachine.points import Points, numbers_of
from fullproof.generate.statemachine.pool import InputPool, scope_of
from fullproof.language.syntax import Expression
from fullproof.language.values import count_of
from fullproof.model.inputs import SignalEvent

PLACES_PER_CLASS = 6
BRIDGED_PER_CLASS = 40
"""How many concrete places of a state class are visited, and how many where each one is made for a missing letter."""

NO_CLASS = -1


@dataclass(frozen=True, slots=True)
class CoverStep:
    """A word that ends by the event of a letter in a state class, and the place it leads to."""

    word: Word
    reaction: Reaction


@dataclass(slots=True)
class StepCover:
    """For each state class, letter and signal the steps found; more than one where data points are asked for."""

    steps: dict[tuple[int, int, str | None], list[CoverStep]] = field(default_factory=dict)
    missing: set[tuple[int, int]] = field(default_factory=set)
    """State classes and letters that are compatible but for which no concrete path was found."""
    classes: set[int] = field(default_factory=set)
    """The state classes that were visited."""
    in_time: bool = True


class Covering:
    """Breadth-first through concrete places, at most some of each class."""

    def __init__(
        self, places: Places, letters: Sequence[TriggerLetter], found: Justification, *, degree: int | None
    ) -> None:
        self._places = places
        self._letters = letters
        self.pool = InputPool(places, letters)
        self._degree = degree
        never = {(pair.state, pair.trigger) for pair in found.pairs if pair.case is Case.NEVER}
        classes = range(len(places.partition.states))
        self._wanted = {(q, k) for q in classes for k, letter in enumerate(letters) if (q, letter.trigger) not in never}
        self.wanted = len(self._wanted)
        numbers = len(places.model.inputs) + len(places.memory_names)
        self.points = 1 if degree is None else comb(degree + numbers, degree)
        self._found = StepCover()
        self._data: dict[tuple[int, int, str | None], Points] = {}
        self._waiting: deque[tuple[MachinePlace, int, Word]] = deque()
        self._seen: set[MachinePlace] = set()
        self._count: dict[int, int] = {}
        self._ways: dict[tuple[int, MachinePlace, str | None, tuple[int, ...]], Word] = {}
        self._tried: set[tuple[object, ...]] = set()
        self._bridges = Bridges(places)
        self._words: dict[MachinePlace, Word] = {}
        self._far = FarPlaces(places, self.pool, self._bridges, self._words)

    def cover(self, *, seconds: float | None) -> StepCover:
        """Search for all steps; after ``seconds`` no further places are tried."""
        deadline = Deadline(seconds)
        start, number = self._places.start()
        if number is None:  # the initial place is not quiescent: it is in no class, and any event leads away from it
            self._wanted |= {(NO_CLASS, k) for k in range(len(self._letters))}
        self._arrive(start, NO_CLASS if number is None else number, (), most=1)
        self._explore(deadline)
        self._reach_transitions(deadline)
        if is_endless(self._places.partition):
            self._reach_boundaries(deadline)
        found = self._found
        met = {(q, k) for q, k, _ in found.steps}
        found.classes.discard(NO_CLASS)
        found.missing = {(q, k) for q, k in self._wanted if q != NO_CLASS and (q, k) not in met}
        found.in_time = not deadline.passed()
        return found

    def _explore(self, deadline: Deadline) -> None:
        while self._waiting and not deadline.passed():
            self._visit(*self._waiting.popleft())
            if not self._waiting and not deadline.passed():
                self._bridge(deadline)

    def _reach_transitions(self, deadline: Deadline) -> None:
        """Look further for classes that were not met, as long as transitions were not exercised."""
        classes = self._places.partition.states
        for number, one in enumerate(classes):
            taken = {k for _, _, transitions in self._far.runs for k in transitions}
            if len(taken) == len(self._places.model.transitions) or deadline.passed():
                return
            if number in self._found.classes:
                continue
            place = self._far.nearest(FarGoal(one.state, one.condition))
            if place is not None and self._arrive(place, number, self._words[place], most=BRIDGED_PER_CLASS):
                self._explore(deadline)

    def _reach_boundaries(self, deadline: Deadline) -> None:
        """The values next to the boundaries of guards, on both sides, with the events that the guards are for."""
        model, scope = self._places.model, scope_of(self._places.model)
        grown = frozenset(v.name for v in (*model.outputs, *model.variables) if not count_of(v.type))
        runs = SymbolicRuns(model)
        goals: dict[tuple[str, str | None, Expression], None] = {}
        for state, signal, transitions in self._far.runs:
            condition, _ = runs.condition(state, signal, transitions)
            goals.update(((state, signal, side), None) for side in sides(condition, grown, scope))
        for state, signal, side in goals:
            place = None if deadline.passed() else self._far.nearest(FarGoal(state, side))
            if place is not None:
                self._add_steps(place, signal)

    def _add_steps(self, place: MachinePlace, signal: str | None) -> None:
        """An event for each run that a signal starts in a place."""
        word, state_class, met = self._words[place], self._class_of(place), set[tuple[int, ...]]()
        if state_class is None:
            return
        for k in range(len(self._letters)):
            for inputs in self.pool.pick(place.memory, k, most=1) if (state_class, k) in self._wanted else ():
                event = SignalEvent(signal, inputs)
                reaction = self._places.react(place, event)
                if reaction is not None and reaction.transitions not in met:
                    met.add(reaction.transitions)
                    self.pool.use(inputs)
                    steps = self._found.steps.setdefault((state_class, k, signal), [])
                    if all(step.word != (*word, event) for step in steps):
                        steps.append(CoverStep((*word, event), reaction))

    def _class_of(self, place: MachinePlace) -> int | None:
        word = self._words[place]
        if not word:
            return self._places.start()[1]
        here = self._places.start()[0]
        reaction = None
        for event in word:
            reaction = self._places.react(here, event)
            assert reaction is not None
            here = reaction.place
        return None if reaction is None else reaction.state_class

    def _arrive(self, place: MachinePlace, state_class: int, word: Word, *, most: int) -> bool:
        """Queue a place for a visit, unless it is known or there are enough of its class."""
        if place in self._seen or self._count.get(state_class, 0) >= most:
            return False
        self._seen.add(place)
        self._count[state_class] = self._count.get(state_class, 0) + 1
        self._waiting.append((place, state_class, word))
        self._words.setdefault(place, word)
        return True

    def _visit(self, place: MachinePlace, state_class: int, word: Word) -> None:
        found = self._found
        found.classes.add(state_class)
        for k, event, reaction in self._steps(place, state_class, found):
            key = state_class, k, event.signal
            steps = found.steps.setdefault(key, [])
            if self._data.setdefault(key, Points(self._degree)).adds(numbers_of(event, place)) or not steps:
                steps.append(CoverStep((*word, event), reaction))
                self.pool.use(event.inputs)
            if reaction.state_class is None:
                continue
            if reaction.transitions:
                self._far.runs[place.state, event.signal, reaction.transitions] = None
                way = reaction.state_class, place, event.signal, reaction.transitions
                self._ways.setdefault(way, word)
            self._arrive(reaction.place, reaction.state_class, (*word, event), most=PLACES_PER_CLASS)

    def _bridge(self, deadline: Deadline) -> None:
        """Find places for missing letters, each by a path into its class with other inputs."""
        met = {(q, k) for q, k, _ in self._found.steps}
        ways = list(self._ways.items())
        for (target, place, signal, transitions), word in ways:
            for k in range(len(self._letters)):
                tried = (target, place, signal, transitions, k)
                if (target, k) in met or (target, k) not in self._wanted or tried in self._tried:
                    continue
                if deadline.passed():
                    return
                self._tried.add(tried)
                goal = self._places.partition.states[target]
                event = self._bridges.first_event(place, signal, transitions, goal, self._letters[k])
                reaction = None if event is None else self._places.react(place, event)
                if event is None or reaction is None or reaction.state_class is None:
                    continue
                if self._arrive(reaction.place, reaction.state_class, (*word, event), most=BRIDGED_PER_CLASS):
                    met.add((target, k))
                    self.pool.use(event.inputs)

    def _steps(
        self, place: MachinePlace, state_class: int, found: StepCover
    ) -> Iterator[tuple[int, SignalEvent, Reaction]]:
        """The letters that the place admits and for which the class lacks steps or data points."""
        signals = self._places.partition.signals
        for k in range(len(self._letters)):
            if (state_class, k) not in self._wanted:
                continue
            if all(len(found.steps.get((state_class, k, s), ())) >= self.points for s in signals):
                continue
            most = 1 if self._degree is None else self._degree + 1
            for inputs in self.pool.pick(place.memory, k, most=most):
                for signal in signals:
                    event = SignalEvent(signal, inputs)
                    reaction = self._places.react(place, event)
                    if reaction is not None:
                        yield k, event, reaction
