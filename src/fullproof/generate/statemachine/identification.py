"""After each step of a transition cover, the class that was reached is distinguished from all others.

A suite of a finite method distinguishes the configurations that its events reach. A fault may lead to others: here
every step is followed by words that distinguish the place it should reach from the places that slips lead to
(``alternatives``), every control state and every class of the partition among them. Slips that other words of the suite
detect already are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from fullproof.generate.statemachine.alternatives import Alternatives, Slip, SlipResult
from fullproof.generate.statemachine.chain import Chain
from fullproof.generate.statemachine.place_separation import Telling
from fullproof.generate.statemachine.places import MachinePlace, Places, Reaction, Word
from fullproof.model.inputs import SignalEvent

OCCURRENCES = 40
"""How many occurrences of a step in existing words are examined."""
AHEAD = 40
"""The length up to which words after a step are examined."""
VISITS = 5
"""How often a step is repeated for its undetected slips."""
FOLLOWED = 30
"""How many events may follow a step in one visit."""
EXPLORED = 400
EXPLORED_STEPS = 8_000
"""How many places beside those of the cover are explored, and how many steps between them."""
NEAR = 6
"""How many more events than to the first step of a run may lead to a step with other stored numbers."""
LOOKS = 40
"""At how many steps of a transition its slips are tried for an effect."""
ELSEWHERE = 8
FAILURES = 2
"""In how many places of a class a slip is tried that is not detectable in the first one, and how many failures are
allowed."""

SLIPS = 200_000
LEAST = 3
"""How many slips to other control states are looked at, over all steps, and as many to other classes; each step has
its share of these, and no less than a few.
"""

Key = tuple[object, ...]


@dataclass(slots=True)
class Wanted:
    """A step of the cover: its place, and its slips that no following word has detected yet."""

    place: MachinePlace
    event: SignalEvent
    open: dict[Slip, None]
    looked: int = 0


@dataclass(slots=True)
class Identified:
    """The words that were added, and the slips that they do not detect."""

    words: list[Word] = field(default_factory=list)
    steps: int = 0
    slips: int = 0
    """How many steps were followed, and the number of slips to be detected."""
    undetected: list[tuple[MachinePlace, SignalEvent, Slip]] = field(default_factory=list)
    """Steps with slips after which no difference was found."""
    separated: set[tuple[int, int]] = field(default_factory=set)
    merged: set[tuple[int, int]] = field(default_factory=set)
    """Pairs of classes that were distinguished somewhere; and that were not, somewhere."""
    left_out: int = 0
    """How many slips to other control states and classes were not looked at, where steps times states are too many."""
    idle: list[Slip] = field(default_factory=list)
    """Slips of transitions that had no effect wherever the transition was tried."""

    @property
    def never(self) -> list[tuple[int, int]]:
        """Pairs of classes that were distinguished nowhere, each once."""
        known = self.separated | {(b, a) for a, b in self.separated}
        return sorted({(min(pair), max(pair)) for pair in self.merged - known})


class Identifying:
    """Makes the words; ``keys`` maps a place and an event to the steps of the cover that they represent."""

    def __init__(
        self,
        places: Places,
        events: Sequence[SignalEvent],
        keys: Callable[[MachinePlace, int | None, SignalEvent], Iterable[Key]],
    ) -> None:
        self._places = places
        self._events = tuple(events)
        self._keys = keys
        self._telling = Telling(places, events)
        self._alternatives = Alternatives(places)
        self._cached: dict[tuple[MachinePlace, SignalEvent], list[SlipResult]] = {}
        self._wanted: dict[Key, Wanted] = {}
        self._slips: dict[Slip, tuple[MachinePlace, SignalEvent] | None] = dict.fromkeys(self._alternatives.slips())
        self._open: set[Slip] = set(self._slips)
        self._looks: dict[int, int] = {}
        self._extremes: dict[tuple[object, ...], tuple[MachinePlace, SignalEvent, int | Fraction]] = {}
        self._runs: dict[tuple[str, tuple[int, ...]], tuple[MachinePlace, SignalEvent]] = {}
        self._failed: dict[tuple[object, ...], int] = {}
        self._reach: dict[MachinePlace, Word] = {}
        self._class: dict[MachinePlace, int] = {}
        self._members: dict[int, list[MachinePlace]] = {}
        self.found = Identified()

    def identify(self, steps: Iterable[tuple[Key, Word]], words: Iterable[Word], *, edges: bool) -> Identified:
        """Follow all steps, given as words whose last event is the step, that ``words`` do not follow already.

        ``edges``: each run is also taken with the smallest and the largest values of remembered numbers that are near,
        where a limit on them would show; without need where ``words`` meet all places that the events reach.
        """
        self._explore()
        wanted = list(steps)
        each = SLIPS // max(1, len(wanted) + len(self._runs))
        self._alternatives.most = max(LEAST, each)
        for key, word in wanted:
            self._want(key, word)
        self._want_runs()
        if edges:
            for place, event in dict.fromkeys((place, event) for place, event, _ in self._extremes.values()):
                self._want((place, event), (*self._reach[place], event))
        for word in words:
            self._mark(word)
        chain = Chain(self._places, self._events, self._reach)
        self._follow_all(chain)
        for slip, where in self._slips.items():
            if slip in self._open and where is not None:
                self._follow(Wanted(*where, {slip: None}), chain)
        chain.end()
        self.found.words = chain.words
        self.found.steps = len(self._wanted)
        self.found.left_out = self._alternatives.left_out
        self.found.idle = [slip for slip, where in self._slips.items() if where is None and slip in self._open]
        return self.found

    def _explore(self) -> None:
        """Explore places by shortest words over the events in use, and find for each slip of a transition where it has
        an effect.
        """
        start, number = self._places.start()
        self._meet(start, number, ())
        waiting, steps = [start], 0
        for place in waiting:
            for event in self._events:
                reaction = self._places.react(place, event)
                if reaction is None:
                    continue
                self._look(place, event, reaction)
                self._runs.setdefault((place.state, reaction.transitions), (place, event))
                self._compare(place, event, reaction)
                if reaction.place not in self._reach and len(self._reach) < EXPLORED:
                    self._meet(reaction.place, reaction.state_class, (*self._reach[place], event))
                    waiting.append(reaction.place)
            steps += len(self._events)
            if steps > EXPLORED_STEPS:
                return

    def _compare(self, place: MachinePlace, event: SignalEvent, reaction: Reaction) -> None:
        """Keep steps of a run with the smallest and largest remembered numbers, not far from its first one."""
        first = self._runs[place.state, reaction.transitions][0]
        if not reaction.transitions or len(self._reach[place]) > len(self._reach[first]) + NEAR:
            return
        for k, value in enumerate(place.memory):
            if isinstance(value, bool | str):
                continue
            for sign in (1, -1):
                key = place.state, reaction.transitions, k, sign
                if key not in self._extremes or sign * value > sign * self._extremes[key][2]:
                    self._extremes[key] = place, event, value

    def _want_runs(self) -> None:
        """Add runs of the model as steps that the exploration found and no step of the cover takes."""
        known = set[tuple[object, ...]]()
        for want in self._wanted.values():
            reaction = self._places.react(want.place, want.event)
            assert reaction is not None
            known.add((want.place.state, reaction.transitions))
        for run, (place, event) in self._runs.items():
            if run not in known:
                self._want(("run", *run), (*self._reach[place], event))

    def _meet(self, place: MachinePlace, number: int | None, word: Word) -> None:
        if place not in self._reach:
            self._reach[place] = word
            if number is not None:
                self._class[place] = number
                self._members.setdefault(number, []).append(place)

    def _look(self, place: MachinePlace, event: SignalEvent, reaction: Reaction) -> None:
        """Keep the step for slips of its transitions that have an effect here for the first time."""
        for taken in reaction.transitions:
            missing = [slip for slip in self._alternatives.slips_of(taken) if self._slips[slip] is None]
            looks = self._looks.get(taken, 0)
            if missing and looks < LOOKS:
                self._looks[taken] = looks + 1
                for one in self._alternatives.assigned(place, event, reaction):
                    if self._slips.get(one.slip, one) is None:
                        self._slips[one.slip] = place, event

    def _want(self, key: Key, word: Word) -> None:
        place, number = self._places.start()
        for k, event in enumerate(word):
            self._meet(place, number, word[:k])
            reaction = self._places.react(place, event)
            assert reaction is not None
            self._look(place, event, reaction)
            if k == len(word) - 1:
                slips = {one.slip: None for one in self._at(place, event, reaction) if one.slip not in self._slips}
                self.found.slips += len(slips)
                self._wanted.setdefault(key, Wanted(place, event, slips))
            place, number = reaction.place, reaction.state_class

    def _at(self, place: MachinePlace, event: SignalEvent, right: Reaction) -> list[SlipResult]:
        """The alternatives to a step, and places of the classes that no alternative is in."""
        key = place, event
        if key not in self._cached:
            found = self._alternatives.of(place, event, right)
            met = {one.reaction.state_class for one in found} | {right.state_class}
            visible = len(self._places.model.outputs)
            for number in self._alternatives.share([number for number in self._members if number not in met]):
                members = self._members[number]
                alike = [one for one in members if one.memory[:visible] == right.place.memory[:visible]]
                if alike:
                    nearest = min(alike, key=lambda one: _distance(one, right.place))
                    found.append(SlipResult(("class", number), Reaction(nearest, (), right.seen, number)))
            self._cached[key] = found
        return self._cached[key]

    def _mark(self, word: Word) -> None:
        """Mark the slips that a word detects."""
        place, number = self._places.start()
        steps: list[tuple[MachinePlace, int | None, SignalEvent, Reaction]] = []
        for event in word:
            reaction = self._places.react(place, event)
            if reaction is None:
                break
            steps.append((place, number, event, reaction))
            place, number = reaction.place, reaction.state_class
        for k, (place, number, event, reaction) in enumerate(steps):
            keys = (*self._keys(place, number, event), (place, event))
            wanted = [self._wanted[key] for key in keys if key in self._wanted]
            wanted = [want for want in wanted if want.open and want.looked < OCCURRENCES]
            mine = any(slip in self._open for t in reaction.transitions for slip in self._alternatives.slips_of(t))
            if not wanted and not mine:
                continue
            for want in wanted:
                want.looked += 1
            rest = [(event, after) for _, _, event, after in steps[k + 1 : k + 1 + AHEAD]]
            for one in self._at(place, event, reaction):
                asked = one.slip in self._open or any(one.slip in want.open for want in wanted)
                if asked and self._is_detected(one, reaction, rest):
                    self._tell(one, reaction)
                    for want in wanted:
                        want.open.pop(one.slip, None)

    def _tell(self, one: SlipResult, right: Reaction) -> None:
        self._open.discard(one.slip)
        if one.is_class and right.state_class is not None and one.reaction.state_class is not None:
            self.found.separated.add((right.state_class, one.reaction.state_class))

    def _is_detected(self, one: SlipResult, right: Reaction, rest: Sequence[tuple[SignalEvent, Reaction]]) -> bool:
        if one.reaction.seen != right.seen:
            return True
        other = one.reaction.place
        for event, after in rest:
            reaction = self._places.react(other, event)
            if reaction is None or reaction.place == after.place:
                return reaction is not None and reaction.seen != after.seen
            if reaction.seen != after.seen:
                return True
            other = reaction.place
        return False

    def _follow_all(self, chain: Chain) -> None:
        """Follow all steps with undetected slips, those near the end of the last one first."""
        waiting: dict[MachinePlace, list[Wanted]] = {}
        for want in self._wanted.values():
            if want.open:
                waiting.setdefault(want.place, []).append(want)
        while waiting:
            place = chain.nearest(waiting) or next(iter(waiting))
            want = waiting[place].pop(0)
            if not waiting[place]:
                del waiting[place]
            self._follow(want, chain)

    def _follow(self, want: Wanted, chain: Chain) -> None:
        """Repeat a step with words that detect its slips while detectable slips are left."""
        right = self._places.react(want.place, want.event)
        assert right is not None
        for _ in range(VISITS):
            here = [one for one in self._at(want.place, want.event, right) if one.slip in want.open]
            for one in list(here):
                if not self._can_tell(one, right):
                    here.remove(one)
                    del want.open[one.slip]
                    elsewhere = self._elsewhere(want, one.slip, right)
                    if elsewhere is None:
                        self._add_undetected(want, one, right)
                    else:
                        self._follow(elsewhere, chain)
            if not here:
                return
            chain.go(want.place)
            chain.step(want.event)
            self._visit(want, here, right, chain)

    def _visit(self, want: Wanted, here: Sequence[SlipResult], right: Reaction, chain: Chain) -> None:
        """From the state after a step, distinguish all slips that stay live for long enough."""
        live: dict[Slip, MachinePlace] = {}
        for one in here:
            if one.reaction.seen == right.seen:
                live[one.slip] = one.reaction.place
            else:
                del want.open[one.slip]
                self._tell(one, right)
        by_slip, length = {one.slip: one for one in here}, 0
        while live and length < FOLLOWED:
            slip, other = next(iter(live.items()))
            word = self._telling.word(chain.place, other)
            if word is None:
                del live[slip]
                continue
            for event in word:
                length += 1
                after = chain.step(event)
                for slip in list(live):
                    reaction = self._places.react(live.pop(slip), event)
                    if reaction is not None and reaction.seen != after.seen:
                        del want.open[slip]
                        self._tell(by_slip[slip], right)
                    elif reaction is not None and reaction.place != after.place:
                        live[slip] = reaction.place

    def _can_tell(self, one: SlipResult, right: Reaction) -> bool:
        return one.reaction.seen != right.seen or self._telling.word(right.place, one.reaction.place) is not None

    def _elsewhere(self, want: Wanted, slip: Slip, right: Reaction) -> Wanted | None:
        """The same event in another place of the class where the slip is detectable; the most different places
        first.
        """
        number = self._class.get(want.place)
        hopeless = number, slip, right.transitions
        if number is None or self._failed.get(hopeless, 0) >= FAILURES:
            return None
        others = sorted(self._members[number], key=lambda place: -_distance(place, want.place)[1])
        for place in others[:ELSEWHERE]:
            reaction = self._places.react(place, want.event)
            if place != want.place and reaction is not None and reaction.transitions == right.transitions:
                for one in self._at(place, want.event, reaction):
                    if one.slip == slip and self._can_tell(one, reaction):
                        return Wanted(place, want.event, {slip: None})
        self._failed[hopeless] = self._failed.get(hopeless, 0) + 1
        return None

    def _add_undetected(self, want: Wanted, one: SlipResult, right: Reaction) -> None:
        self.found.undetected.append((want.place, want.event, one.slip))
        if one.is_class and right.state_class is not None and one.reaction.state_class is not None:
            self.found.merged.add((right.state_class, one.reaction.state_class))


def _distance(one: MachinePlace, other: MachinePlace) -> tuple[bool, int]:
    return one.state != other.state, sum(a != b for a, b in zip(one.memory, other.memory, strict=True))
