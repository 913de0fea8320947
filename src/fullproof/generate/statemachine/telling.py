"""Words that tell concrete places apart: other control states (the characterisation set), and a memory that is wrong in
one variable, seen wherever outputs are written (the output identification set of paper 003, section 7.2).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from fractions import Fraction

from fullproof.generate.statemachine.places import Event, Place, Places, Reaction
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Value, Variable
from fullproof.language.values import in_range
from fullproof.model import StateMachine

DEPTH = 4
PAIRS = 60
"""How long words may be, and how many pairs of places are looked at for one of them."""

Word = tuple[Event, ...]
AbstractWord = tuple[tuple[int, str | None], ...]


class Telling:
    """Finds words and remembers what was found, and what was not."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._model: StateMachine = places.model
        self._known: dict[Place, tuple[Word, ...]] = {}
        self._shared: dict[AbstractWord, None] = {}
        self._everywhere: dict[Place, tuple[int, tuple[Word, ...]]] = {}
        self.untold: set[tuple[str, str]] = set()
        """Control states that no word told apart from some place of another, by name."""
        self._variables = {v.name: v for v in (*self._model.outputs, *self._model.variables)}
        self._internal = [v.name for v in self._model.variables]
        outputs = {v.name for v in self._model.outputs}
        self._writing = {
            number
            for number, t in enumerate(self._model.transitions)
            if t.sends or any(action.variable in outputs for action in t.actions)
        }
        self._states = list(dict.fromkeys(c.state for c in places.partition.states))

    def words(self, place: Place) -> tuple[Word, ...]:
        """Words that identify a place: against each other control state, and against errors of each variable."""
        if place not in self._known:
            found: dict[Word, None] = {}
            for other in self._states:
                if other != place.state:
                    word = next(self._search(place, Place(other, place.memory), every=False), None)
                    if word is None:
                        self.untold.add((place.state, other))
                    else:
                        found[word] = None
                        self._share(place, word)
            for wrong in self._wrong(place):
                found.update(dict.fromkeys(self._search(place, wrong, every=True)))
            self._known[place] = tuple(found)
        return self._known[place]

    def everywhere(self, place: Place) -> tuple[Word, ...]:
        """The words of this place, and those found for others as far as they are feasible here (the W-method)."""
        own = self.words(place)
        known = self._everywhere.get(place)
        if known is None or known[0] < len(self._shared):
            shared = [word for abstract in list(self._shared) if (word := self._made(place, abstract)) is not None]
            known = len(self._shared), tuple(dict.fromkeys((*own, *shared)))
            self._everywhere[place] = known
        return known[1]

    def _share(self, place: Place, word: Word) -> None:
        """Remember a word by its trigger conditions and signals."""
        abstract: list[tuple[int, str | None]] = []
        for event in word:
            trigger, reaction = self._places.trigger_of(place, event), self._places.react(place, event)
            if trigger is None or reaction is None:
                return
            abstract.append((trigger, event.signal))
            place = reaction.place
        self._shared[tuple(abstract)] = None

    def _made(self, place: Place, abstract: AbstractWord) -> Word | None:
        """Events that satisfy the conditions of a word one after the other, where there are any."""
        word: list[Event] = []
        for trigger, signal in abstract:
            inputs = self._places.inputs_for(place.memory, self._places.partition.triggers[trigger].condition)
            event = Event(signal, inputs[0]) if inputs else None
            reaction = None if event is None else self._places.react(place, event)
            if event is None or reaction is None:
                return None
            word.append(event)
            place = reaction.place
        return tuple(word)

    def _wrong(self, place: Place) -> Iterator[Place]:
        for name in self._internal:
            k = self._places.memory_names.index(name)
            other = _another(self._variables[name], place.memory[k])
            if other is not None:
                yield Place(place.state, (*place.memory[:k], other, *place.memory[k + 1 :]))

    def _search(self, one: Place, other: Place, *, every: bool) -> Iterator[Word]:
        """Shortest words after which the two are seen to differ: the first, or one for each writing transition."""
        waiting: deque[tuple[Place, Place, Word]] = deque([(one, other, ())])
        met = {(one, other)}
        reached: set[int] = set()
        looked = 0
        while waiting and looked < PAIRS:
            first, second, word = waiting.popleft()
            looked += 1
            done: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
            for event in self._places.events(first.memory, (first.state, second.state)):
                here, there = self._places.react(first, event), self._places.react(second, event)
                if here is None or there is None or (here.transitions, there.transitions) in done:
                    continue
                done.add((here.transitions, there.transitions))
                if here.seen != there.seen:
                    places = self._writers(here, there)
                    if not every or not places or places - reached:
                        reached |= places
                        yield (*word, event)
                        if not every:
                            return
                elif len(word) + 1 < DEPTH and (here.place, there.place) not in met and here.place != there.place:
                    met.add((here.place, there.place))
                    waiting.append((here.place, there.place, (*word, event)))

    def _writers(self, here: Reaction, there: Reaction) -> set[int]:
        return {k for k in (*here.transitions, *there.transitions) if k in self._writing}


def _another(variable: Variable, value: Value) -> Value | None:
    """Another value, which no simple relation connects with the right one."""
    match variable.type:
        case BoolType():
            return not value
        case EnumType(values=names):
            return next((name for name in names if name != value), None)
        case IntType() | RealType():
            assert not isinstance(value, str)
            step = 1 if isinstance(variable.type, IntType) else Fraction(17, 16)
            return next((new for new in (value + step, value - step) if in_range(new, variable.type)), None)
