"""The model restricted to finitely many events and places: a finite machine, to which every finite method applies.

Proved in docs/proofs/statemachine-suites.md. Where the events lead to finitely many places, the machine is complete:
all sequences of these events. Else it is a finite part of the model, and transitions that leave it are undefined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from fullproof.analysis.minimise import prime
from fullproof.analysis.table import RelationTable, Table, deterministic_table
from fullproof.generate.statemachine.places import Inputs, MachinePlace, Places
from fullproof.generate.statemachine.points import Points, numbers_of
from fullproof.generate.statemachine.pool import InputPool
from fullproof.generate.statemachine.step_cover import CoverStep
from fullproof.model.inputs import SignalEvent

MOST_PLACES = 600
MOST_CELLS = 40_000
"""How many places, and places times events, a complete machine may have before a part of the model is taken."""
MOST_OF_PART = 500
"""Up to so many places times events of a part of the model, every event that stays within it is applied."""

UNDEFINED = 0
"""The answer, by number, to an event that is not applied."""

Pair = tuple[int, int, str | None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Restriction:
    """Places and the events that are applied in them; ``after[p][e]`` is -1 where an event is not applied."""

    events: tuple[SignalEvent, ...]
    places: tuple[MachinePlace, ...]
    after: tuple[tuple[int, ...], ...]
    seen: tuple[tuple[tuple[object, ...], ...], ...]
    is_closed: bool = True
    """Whether every event is applied that leads from one of the places to one of them."""

    @property
    def steps(self) -> int:
        """How many events are applied, over all places."""
        return sum(target >= 0 for row in self.after for target in row)

    @property
    def is_complete(self) -> bool:
        """Whether every event is applied in every place."""
        return all(target >= 0 for row in self.after for target in row)


def all_sequences(places: Places, inputs: Iterable[Inputs], *, most_cells: int = MOST_CELLS) -> Restriction | None:
    """The restriction to these inputs with every signal; None where it is too large or the model goes wrong."""
    events = tuple(SignalEvent(signal, one) for one in inputs for signal in places.partition.signals)
    start, _ = places.start()
    number = {start: 0}
    after: list[tuple[int, ...]] = []
    seen: list[tuple[tuple[object, ...], ...]] = []
    waiting = [start]
    for place in waiting:
        reactions = [places.react(place, event) for event in events]
        for reaction in reactions:
            if reaction is None:
                return None
            if reaction.place not in number:
                number[reaction.place] = len(number)
                waiting.append(reaction.place)
        if len(number) > MOST_PLACES or len(number) * len(events) > most_cells:
            return None
        met = [reaction for reaction in reactions if reaction is not None]
        after.append(tuple(number[reaction.place] for reaction in met))
        seen.append(tuple(reaction.seen for reaction in met))
    return Restriction(events=events, places=tuple(waiting), after=tuple(after), seen=tuple(seen))


def some_sequences(places: Places, steps: Sequence[CoverStep]) -> Restriction:
    """The places and steps of a transition cover, and in each place the other events that lead to one of them.

    Where these are many, one event of those with the same run is applied beside those of the cover.
    """
    start, _ = places.start()
    applied: dict[MachinePlace, dict[SignalEvent, None]] = {start: {}}
    for step in steps:
        place = start
        for event in step.word:
            applied.setdefault(place, {})[event] = None
            reaction = places.react(place, event)
            assert reaction is not None
            place = reaction.place
            applied.setdefault(place, {})
    events = tuple(dict.fromkeys(event for step in steps for event in step.word))
    number = {place: k for k, place in enumerate(applied)}
    after: list[tuple[int, ...]] = []
    seen: list[tuple[tuple[object, ...], ...]] = []
    few, closed = len(applied) * len(events) <= MOST_OF_PART, True
    for place, known in applied.items():
        row, shown, ways = [-1] * len(events), list[tuple[object, ...]]([()] * len(events)), set[object]()
        order = sorted(range(len(events)), key=lambda k: events[k] not in known)
        for k in order:
            reaction = places.react(place, events[k])
            if reaction is None or reaction.place not in number:
                continue
            way = events[k].signal, reaction.transitions, reaction.place.state
            if few or events[k] in known or (reaction.transitions and way not in ways):
                row[k], shown[k] = number[reaction.place], reaction.seen
                ways.add(way)
            else:
                closed = False
        after.append(tuple(row))
        seen.append(tuple(shown))
    return Restriction(events=events, places=tuple(applied), after=tuple(after), seen=tuple(seen), is_closed=closed)


def fewer_inputs(
    places: Places, pool: InputPool, inputs: Sequence[Inputs], *, degree: int | None
) -> Restriction | None:
    """As few of these inputs as still meet every letter in every state class that all of them meet, and points."""
    whole = all_sequences(places, inputs)
    if whole is None:
        return None
    pairs, signals = _pairs(places, pool, whole), len(places.partition.signals)
    wanted = _ranks(whole, pairs, range(len(whole.places)), range(len(whole.events)), degree=degree)
    kept, size = list(range(len(inputs))), len(whole.places)
    for one in reversed(range(len(inputs))):
        smaller = [other for other in kept if other != one]
        events = [k * signals + s for k in smaller for s in range(signals)]
        reached = _reached(whole, events)
        if len(reached) <= size:
            met = _ranks(whole, pairs, reached, events, degree=degree)
            if all(met.get(pair, 0) >= rank for pair, rank in wanted.items()):
                kept, size = smaller, len(reached)
    return whole if len(kept) == len(inputs) else all_sequences(places, [inputs[k] for k in kept])


def met_pairs(places: Places, pool: InputPool, machine: Restriction, *, degree: int | None) -> dict[Pair, int]:
    """The state classes, letters and signals that meet, each with the number of its independent data points."""
    pairs = _pairs(places, pool, machine)
    return _ranks(machine, pairs, range(len(machine.places)), range(len(machine.events)), degree=degree)


def _pairs(places: Places, pool: InputPool, machine: Restriction) -> list[list[Pair | None]]:
    """Which class and letter meet in each place by each event, where it is applied."""
    classes = _classes(places, machine)
    found: list[list[Pair | None]] = []
    for p, place in enumerate(machine.places):
        row: list[Pair | None] = []
        for k, event in enumerate(machine.events):
            letter = pool.letter_of(place.memory, event.inputs) if machine.after[p][k] >= 0 else None
            met = letter is not None and p in classes
            row.append((classes[p], letter, event.signal) if met and letter is not None else None)
        found.append(row)
    return found


def _ranks(
    machine: Restriction,
    pairs: Sequence[Sequence[Pair | None]],
    reached: Iterable[int],
    events: Sequence[int],
    *,
    degree: int | None,
) -> dict[Pair, int]:
    if not degree:
        return dict.fromkeys((pair for p in reached for k in events if (pair := pairs[p][k]) is not None), 1)
    found: dict[Pair, Points] = {}
    for p in reached:
        for k in events:
            if (pair := pairs[p][k]) is not None:
                points = found.setdefault(pair, Points(degree))
                points.adds(numbers_of(machine.events[k], machine.places[p]))
    return {pair: points.rank for pair, points in found.items()}


def _reached(machine: Restriction, events: Sequence[int]) -> list[int]:
    """The places that sequences of these events reach."""
    waiting, met = [0], {0}
    for p in waiting:
        for k in events:
            target = machine.after[p][k]
            if target not in met:
                met.add(target)
                waiting.append(target)
    return waiting


def _classes(places: Places, machine: Restriction) -> dict[int, int]:
    """The state class of each place, as far as the model has classes for it."""
    found: dict[int, int] = {}
    first = places.start()[1]
    if first is not None:
        found[0] = first
    for p, place in enumerate(machine.places):
        for k, event in enumerate(machine.events):
            if (target := machine.after[p][k]) >= 0 and target not in found:
                reaction = places.react(place, event)
                if reaction is not None and reaction.state_class is not None:
                    found[target] = reaction.state_class
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Minimal:
    """The minimal complete table of a restriction; ``outside`` is the state of what is undefined, if anything is."""

    table: Table
    outside: int | None


def minimal(machine: Restriction) -> Minimal:
    """Merge places that no sequence of applied events distinguishes; undefined events get an answer of their own."""
    size, width = len(machine.places), len(machine.events)
    answers: dict[tuple[object, ...], int] = {(): UNDEFINED}
    for row, shown in zip(machine.after, machine.seen, strict=True):
        for to, seen in zip(row, shown, strict=True):
            if to >= 0:
                answers.setdefault(("seen", *seen), len(answers))
    partial = not machine.is_complete
    states = size + partial
    target = np.full((states, width), size, dtype=np.int32)
    output = np.full((states, width), UNDEFINED, dtype=np.int32)
    for p, (row, shown) in enumerate(zip(machine.after, machine.seen, strict=True)):
        for k, (to, seen) in enumerate(zip(row, shown, strict=True)):
            if to >= 0:
                target[p, k], output[p, k] = to, answers["seen", *seen]
    relation = RelationTable(
        states=states,
        inputs=width,
        outputs=len(answers),
        start=np.arange(states * width + 1, dtype=np.int32),
        output=output.reshape(-1),
        target=target.reshape(-1),
    )
    smallest = prime(relation)
    return Minimal(
        table=deterministic_table(smallest.relation), outside=int(smallest.state_of[size]) if partial else None
    )
