"""The default suite: complete on the chosen events, and every class that a step reaches is distinguished from all
others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fullproof.artefacts.prefix_tree import PrefixTree
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.words import WordList, WordSource, word_list
from fullproof.generate.statemachine.identification import Identifying, Key
from fullproof.generate.statemachine.places import Inputs, MachinePlace, Word
from fullproof.generate.statemachine.pool import scope_of
from fullproof.generate.statemachine.suite import Chosen, EventQuestion, EventSuite, chosen_events, complete_suite
from fullproof.generate.statemachine.variants import nearness, variants_of
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import conjunction
from fullproof.language.syntax import Expression
from fullproof.language.types import Value
from fullproof.model.inputs import SignalEvent
from fullproof.smt import Sat, Unknown, open_solver

ASKED = 600
"""How many queries for values of variants the solver gets."""
OPEN = 3
"""After this many undecided queries the solver is not asked for further values."""
LOOKED_AT = 200_000
"""How many inputs of the complete suite are examined for slips that they detect."""


def identified_events(question: EventQuestion, request: SuiteRequest, *, extra_states: int) -> EventSuite:
    """The suite of ``exhaustive_events``, and words that distinguish the class after each step of the cover from all
    others.

    Guarantee: that of ``exhaustive_events``, whose tests are among these. Further values vary around those of the
    cover.
    """
    chosen = chosen_events(question)
    suite = complete_suite(question, chosen, request, extra_states=extra_states)
    if not suite.events:
        return suite
    steps = _all_steps(chosen) if chosen.covering is None else [*_cover_steps(chosen), *_value_steps(question, chosen)]
    identifying = Identifying(chosen.places, suite.events, _keys(chosen))
    found = identifying.identify(steps, _first_words(suite), edges=not chosen.machine.is_complete)
    events = tuple(dict.fromkeys((*suite.events, *(event for word in found.words for event in word))))
    number = {event: k for k, event in enumerate(events)}
    more = [[number[event] for event in word] for word in found.words]
    return dataclasses.replace(
        suite,
        events=events,
        words=Joined(suite.words, more),
        calls=chosen.places.calls,
        open=chosen.places.open,
        identified=found,
    )


def _cover_steps(chosen: Chosen) -> Iterator[tuple[Key, Word]]:
    for key, steps in chosen.cover.steps.items():
        yield key, steps[0].word
        for step in steps[1:]:
            yield (key[0], step.word[-1]), step.word


def _all_steps(chosen: Chosen) -> Iterator[tuple[Key, Word]]:
    """Every event in every control state, in the first place reached with it."""
    machine, start = chosen.machine, chosen.places.start()[0]
    reach: dict[MachinePlace, Word] = {start: ()}
    done: set[Key] = set()
    for p, place in enumerate(machine.places):
        word = reach[place]
        for k, event in enumerate(machine.events):
            after = machine.places[machine.after[p][k]]
            reach.setdefault(after, (*word, event))
            key = place.state, event
            if key not in done:
                done.add(key)
                yield key, (*word, event)


def _keys(chosen: Chosen) -> Callable[[MachinePlace, int | None, SignalEvent], Iterator[Key]]:
    if chosen.covering is None:
        return lambda place, _number, event: iter(((place.state, event),))
    pool = chosen.covering.pool

    def keys(place: MachinePlace, number: int | None, event: SignalEvent) -> Iterator[Key]:
        if number is not None:
            letter = pool.letter_of(place.memory, event.inputs)
            if letter is not None:
                yield number, letter, event.signal
            yield number, event

    return keys


def _value_steps(question: EventQuestion, chosen: Chosen) -> Iterator[tuple[Key, Word]]:
    """Steps of the cover once more with other values of the same letter."""
    model, places = question.model, chosen.places
    values = _Values(chosen, question)
    heard = {state: {t.trigger for t in model.transitions if t.source == state} for state in model.states}
    for (number, letter, signal), steps in chosen.cover.steps.items():
        if chosen.letters[letter].is_boundary:
            continue
        word = steps[0].word
        place = places.start()[0]
        for event in word[:-1]:
            reaction = places.react(place, event)
            assert reaction is not None
            place = reaction.place
        if signal not in heard[place.state]:
            continue  # no guard compares these values
        for inputs in values.of(place, letter, word[-1].inputs):
            event = SignalEvent(signal, inputs)
            if places.react(place, event) is not None:
                yield (number, event), (*word[:-1], event)


_Holds = Callable[[Mapping[str, Value]], Value]


class _Values:
    """Inputs for the variants of letters: those found before where they fit, else new ones."""

    def __init__(self, chosen: Chosen, question: EventQuestion) -> None:
        self._chosen = chosen
        self._model = question.model
        self._scope = scope_of(question.model)
        self._near = nearness(question.model)
        paved = {paving.variable for paving in question.domain.paving}
        self._far = [variable for variable in question.model.inputs if variable.name not in paved]
        self._solver = open_solver(self._scope, timeout=2.0)
        self._conditions: dict[int, list[tuple[Expression, _Holds]]] = {}
        self._found: dict[Inputs, None] = {}
        self._open = chosen.places.open
        self._asked = 0
        self._doubtful = 0

    def of(self, place: MachinePlace, letter: int, known: Inputs) -> list[Inputs]:
        """One input for each variant that is possible here and that ``known`` does not belong to."""
        found: list[Inputs] = []
        memory = dict(zip(self._chosen.places.memory_names, place.memory, strict=True))
        for condition, holds in self._variants(letter):
            if any(holds({**memory, **dict(inputs)}) for inputs in (known, *found)):
                continue
            used = (inputs for inputs in self._found if holds({**memory, **dict(inputs)}))
            one = next(used, None) or self._asked_for(place, condition)
            if one is not None:
                self._found[one] = None
                found.append(one)
        return found

    def _asked_for(self, place: MachinePlace, condition: Expression) -> Inputs | None:
        """The solver's solutions, as long as it answers."""
        places = self._chosen.places
        if self._asked >= ASKED or places.open - self._open >= OPEN:
            return None
        self._asked += 1
        found = places.inputs_for(place.memory, condition)
        return found[0] if found else None

    def _variants(self, letter: int) -> list[tuple[Expression, _Holds]]:
        if letter not in self._conditions:
            whole = self._chosen.letters[letter]
            listed: list[tuple[Expression, _Holds]] = []
            variants = variants_of(whole, self._far, self._scope, self._near)
            for variant in variants if self._doubtful < OPEN else ():
                condition = conjunction([*whole.conditions, variant])
                self._doubtful += isinstance(answer := self._solver.check_assuming(condition), Unknown)
                if isinstance(answer, Sat):
                    listed.append((condition, compile_expression(condition, self._scope)))
            self._conditions[letter] = listed
        return self._conditions[letter]


def _first_words(suite: EventSuite) -> Iterator[Word]:
    looked = 0
    for piece in suite.words.chunks():
        for word in piece:
            looked += len(word)
            if looked > LOOKED_AT:
                return
            yield tuple(suite.events[k] for k in word.tolist())


@dataclass(frozen=True, slots=True)
class Joined:
    """The words of a source and some more; none a prefix of another."""

    first: WordSource
    more: Sequence[Sequence[int]]

    def chunks(self) -> Iterator[WordList]:
        """The words of the source that are no prefix of the others, then the others."""
        tree = PrefixTree(self.more)
        longer = {tuple(word[:k]) for word in self.more for k in range(1, len(word) + 1)}
        inner: set[tuple[int, ...]] = set()
        for piece in self.first.chunks():
            kept = []
            for row in piece:
                word = tuple(row.tolist())
                if word not in longer:
                    kept.append(word)
                    for k in range(len(word) - 1, 0, -1):
                        if word[:k] in longer:
                            inner.add(word[:k])
                            break
            yield word_list(kept)
        # A word that is a prefix of some word of the source is not a separate test.
        yield word_list(word for row in tree.maximal() if (word := tuple(row.tolist())) not in inner)
