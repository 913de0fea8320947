"""Steps one after the other in as few tests as possible: from where one ends to the place where the next one begins."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from fullproof.generate.statemachine.places import MachinePlace, Places, Reaction, SignalEvent, Word

LONGEST = 80
"""A test that is longer than this does not go on."""
NEAR = 3
"""How many events are spent on the way to a step that is not the next one in order."""
EXPANDED = 400
"""How many places are looked on from that no word is known for: an endless model has ever new ones."""
ON_THE_WAY = 150
"""How many places a search for a way passes."""


class Chain:
    """Tests under construction. ``reach`` has a word for each place that is asked for."""

    def __init__(self, places: Places, events: Sequence[SignalEvent], reach: Mapping[MachinePlace, Word]) -> None:
        self.words: list[Word] = []
        self._places = places
        self._events = events
        self._reach = reach
        self._next: dict[MachinePlace, list[tuple[SignalEvent, MachinePlace]]] = {}
        self._word: list[SignalEvent] = []
        self.place = places.start()[0]

    def go(self, target: MachinePlace) -> None:
        """Go on to a place, or begin a new test that leads there where that is not longer."""
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
        """The test ends here."""
        if self._word:
            self.words.append(self.word)
        self._word = []
        self.place = self._places.start()[0]

    def nearest(self, targets: Container[MachinePlace]) -> MachinePlace | None:
        """The first of some places that the test can go on to, None where it had better end."""
        way = self._way(targets, most=NEAR) if 0 < len(self._word) < LONGEST else None
        place = self.place
        for event in way or ():
            reaction = self._places.react(place, event)
            assert reaction is not None
            place = reaction.place
        return None if way is None else place

    def _way(self, targets: Container[MachinePlace], *, most: int) -> Word | None:
        """A word of at most ``most`` events in use from where the test is to a place, and one more for the reset."""
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
