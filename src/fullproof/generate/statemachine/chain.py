"""Concatenation of steps into few tests: paths from the end of one step to the start of the next one."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from fullproof.generate.statemachine.places import MachinePlace, Places, Reaction, Word
from fullproof.model.inputs import SignalEvent

LONGEST = 80
"""A test that is longer than this is not extended."""
NEAR = 3
"""The greatest number of events on the path to a step that is not the next one in order."""
EXPANDED = 400
"""How many places without a known word are expanded: an infinite model always has new ones."""
ON_THE_WAY = 150
"""How many places a search for a path visits."""


class Chain:
    """Tests under construction. ``reach`` has a word for each place that is requested."""

    def __init__(self, places: Places, events: Sequence[SignalEvent], reach: Mapping[MachinePlace, Word]) -> None:
        self.words: list[Word] = []
        self._places = places
        self._events = events
        self._reach = reach
        self._next: dict[MachinePlace, list[tuple[SignalEvent, MachinePlace]]] = {}
        self._word: list[SignalEvent] = []
        self.place = places.start()[0]

    def go(self, target: MachinePlace) -> None:
        """Continue to a place, or begin a new test that leads there where that is not longer."""
        reach = self._reach[target]
        way = self._way({target}, most=len(reach)) if 0 < len(self._word) < LONGEST else None
        if way is None:
            self.end()
            way = reach
        for event in way:
            self.step(event)

    def step(self, event: SignalEvent) -> Reaction:
        """Take one step."""
        reaction = self._places.react(self.place, event)
        assert reaction is not None
        self._word.append(event)
        self.place = reaction.place
        return reaction

    @property
    def word(self) -> Word:
        """The test so far."""
        return tuple(self._word)

    def end(self) -> None:
        """End the test here."""
        if self._word:
            self.words.append(self.word)
        self._word = []
        self.place = self._places.start()[0]

    def nearest(self, targets: Container[MachinePlace]) -> MachinePlace | None:
        """The first of some places that the test can continue to; None where ending the test is cheaper."""
        way = self._way(targets, most=NEAR) if 0 < len(self._word) < LONGEST else None
        place = self.place
        for event in way or ():
            reaction = self._places.react(place, event)
            assert reaction is not None
            place = reaction.place
        return None if way is None else place

    def _way(self, targets: Container[MachinePlace], *, most: int) -> Word | None:
        """A word of at most ``most`` + 1 events to a target, where one replaces the reset; None where there is none."""
        waiting: list[tuple[MachinePlace, Word]] = [(self.place, ())]
        met = {self.place}
        for place, word in waiting:
            if place in targets:
                return word
            if len(word) > most or len(met) > ON_THE_WAY:
                continue
            for event, after in self._following(place):
                if after not in met:
                    met.add(after)
                    waiting.append((after, (*word, event)))
        return None

    def _following(self, place: MachinePlace) -> list[tuple[SignalEvent, MachinePlace]]:
        if place not in self._next:
            found: dict[MachinePlace, SignalEvent] = {}
            known = place in self._reach or len(self._next) < EXPANDED
            for event in self._events if known else ():
                reaction = self._places.react(place, event)
                if reaction is not None and reaction.place != place:
                    found.setdefault(reaction.place, event)
            self._next[place] = [(event, after) for after, event in found.items()]
        return self._next[place]
