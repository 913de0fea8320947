"""Words of events that distinguish two places of a model by their outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fullproof.generate.statemachine.places import MachinePlace, Places, Word
from fullproof.language.formulas import conjunction, negation
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import TRUE
from fullproof.model.inputs import SignalEvent

STEPS = 2_500
ALL_STEPS = 100_000
"""How many pairs of steps one search executes, and all searches together; after that only known words are tried."""
FAILURES = 3
"""After this many failed searches for places with the same kind of difference, only known words are tried for them."""
ASKED = 300
OPEN = 3
"""How many queries for events the solver gets, and how many undecided ones end them."""
KNOWN = 60
"""How many words that distinguished other places are tried before a search."""


class Telling:
    """Searches breadth first over pairs of places, by events in use; where these do not suffice, the solver finds
    others.

    The budget counts steps, so that the same query has the same answer on every machine.
    """

    def __init__(self, places: Places, events: Iterable[SignalEvent]) -> None:
        self._places = places
        self._events = tuple(events)
        self._known: dict[Word, None] = {}
        self._found: dict[tuple[MachinePlace, MachinePlace], Word | None] = {}
        self._failed: dict[tuple[object, ...], int] = {}
        self._steps = 0
        self._asked = 0
        self._open = places.open

    def word(self, one: MachinePlace, other: MachinePlace) -> Word | None:
        """A short word with a difference in its outputs; None where the search found none."""
        key = one, other
        if key not in self._found:
            found = self._by_known(one, other) or self._searched(one, other)
            self._found[key] = found
            if found is not None:
                self._known.pop(found, None)
                self._known[found] = None
                if len(self._known) > KNOWN:
                    del self._known[next(iter(self._known))]
        return self._found[key]

    def _searched(self, one: MachinePlace, other: MachinePlace) -> Word | None:
        different = tuple(k for k, (a, b) in enumerate(zip(one.memory, other.memory, strict=True)) if a != b)
        kind = one.state, other.state, different
        if self._failed.get(kind, 0) >= FAILURES or self._steps > ALL_STEPS:
            return None
        found = self._search(one, other, solve=False) or self._search(one, other, solve=True)
        self._failed[kind] = 0 if found else self._failed.get(kind, 0) + 1
        return found

    def _by_known(self, one: MachinePlace, other: MachinePlace) -> Word | None:
        for word in sorted(self._known, key=len):
            a, b = one, other
            for k, event in enumerate(word):
                first, second = self._places.react(a, event), self._places.react(b, event)
                if first is None or second is None:
                    break
                if first.seen != second.seen:
                    return word[: k + 1]
                a, b = first.place, second.place
                if a == b:
                    break
        return None

    def _search(self, one: MachinePlace, other: MachinePlace, *, solve: bool) -> Word | None:
        waiting: list[tuple[MachinePlace, MachinePlace, Word]] = [(one, other, ())]
        met, steps = {(one, other)}, 0
        for a, b, word in waiting:
            for event in self._special(a, b) if solve and len(word) < 2 else self._events:
                steps += 1
                self._steps += 1
                first, second = self._places.react(a, event), self._places.react(b, event)
                if first is None or second is None:
                    continue
                if first.seen != second.seen:
                    return (*word, event)
                pair = first.place, second.place
                if pair[0] != pair[1] and pair not in met:
                    met.add(pair)
                    waiting.append((*pair, (*word, event)))
            if steps > STEPS:
                return None
        if solve:  # no word over the events in use distinguishes any of these
            self._found.update(dict.fromkeys(met))
        return None

    def _special(self, a: MachinePlace, b: MachinePlace) -> Iterator[SignalEvent]:
        """Events that trigger a transition in one place only, found by the solver, before those in use."""
        there = {name: literal(value) for name, value in zip(self._places.memory_names, b.memory, strict=True)}
        here = {name: literal(value) for name, value in zip(self._places.memory_names, a.memory, strict=True)}
        for t in self._places.model.transitions:
            if t.guard == TRUE or t.source not in (a.state, b.state):
                continue
            mine, theirs = substitute(t.guard, here), substitute(t.guard, there)
            wanted = [mine if t.source == a.state else theirs]
            if a.state == b.state:
                wanted = [conjunction([mine, negation(theirs)]), conjunction([theirs, negation(mine)])]
            for condition in wanted if a.state != b.state or mine != theirs else ():
                self._asked += 1
                if self._asked > ASKED or self._places.open - self._open >= OPEN:
                    break
                for inputs in self._places.inputs_for(a.memory, condition):
                    yield SignalEvent(t.trigger, inputs)
        yield from self._events
