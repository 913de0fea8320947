"""Suites for a state machine as words of concrete events: exhaustive, and relaxed (paper 003, section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random

from fullproof.artefacts.partition import ClassPartition, Justification
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.words import WordSource, word_list
from fullproof.generate.statemachine.finite_words import FiniteWords, finite_words
from fullproof.generate.statemachine.identification import Identified
from fullproof.generate.statemachine.letters import TriggerLetter, letters_of
from fullproof.generate.statemachine.places import Inputs, Places, Word
from fullproof.generate.statemachine.pool import scope_of
from fullproof.generate.statemachine.restriction import (
    Restriction,
    all_sequences,
    fewer_inputs,
    met_pairs,
    minimal,
    some_sequences,
)
from fullproof.generate.statemachine.step_cover import Covering, StepCover
from fullproof.language.formulas import compared, conjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import Expression, Name
from fullproof.language.types import IntType, RealType, Variable
from fullproof.model import StateMachine
from fullproof.model.common import FaultDomain
from fullproof.model.inputs import SignalEvent

WALKS = 5
WALK_LENGTH = 60


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EventSuite:
    """Words over numbered events, none a prefix of another, and what is known of how they were found."""

    events: tuple[SignalEvent, ...]
    words: WordSource
    letters: int
    cover: StepCover
    wanted: int
    """How many pairs of a state class and a letter are compatible according to the classes."""
    missing: int
    """How many of them do not occur on the sequences of the suite."""
    thin: int = 0
    """How many of those that occur have fewer independent data points than requested."""
    calls: int
    open: int
    starts_in_class: bool = True
    """Whether the initial place is quiescent, so that Definition 1 applies to the first event."""
    machine: Restriction | None = None
    finite: FiniteWords | None = None
    identified: Identified | None = None
    """What the words detect beyond the restricted model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventQuestion:
    """The input data of a suite."""

    model: StateMachine
    partition: ClassPartition
    justification: Justification | None
    domain: FaultDomain
    seconds: float | None = 60.0
    whole: tuple[Places, Restriction] | None = None
    """All events and configurations, where there are few enough: then nothing depends on the partition."""
    inputs: tuple[Inputs, ...] = ()
    """Inputs that the events are to have beside those that the classes ask for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chosen:
    """The events that were chosen, why, and the model restricted to them."""

    places: Places
    machine: Restriction
    covering: Covering | None = None
    """None where all events there are have been taken."""
    letters: tuple[TriggerLetter, ...] = ()
    cover: StepCover = field(default_factory=StepCover)


def exhaustive_events(question: EventQuestion, request: SuiteRequest, *, extra_states: int) -> EventSuite:
    """Choose events for every letter in every state class, then a finite method on the model restricted to them.

    Guarantee: Theorem 1 of docs/proofs/statemachine-suites.md, for all sequences of these events where they lead to
    finitely many places, else for those that stay within ``machine``.
    """
    return complete_suite(question, chosen_events(question), request, extra_states=extra_states)


def chosen_events(question: EventQuestion) -> Chosen:
    """As few events as meet every letter in every state class that is met; all events, where all are known."""
    if question.whole is not None:
        places, machine = question.whole
        return Chosen(places=places, machine=machine)
    return covered_events(question)


def covered_events(question: EventQuestion) -> Chosen:
    """The events of the cover of the classes, regardless of their number."""
    assert question.justification is not None
    places = Places(question.model, question.partition)
    domain = question.domain
    letters = letters_of(question.partition, domain.paving, scope_of(question.model))
    covering = Covering(places, letters, question.justification, degree=domain.degree)
    cover = covering.cover(seconds=question.seconds)
    steps = [step for listed in cover.steps.values() for step in listed]
    inputs = list(dict.fromkeys(event.inputs for step in steps for event in step.word))
    machine = fewer_inputs(places, covering.pool, inputs, degree=domain.degree)
    if machine is not None and question.inputs:
        kept = (event.inputs for event in machine.events)
        machine = all_sequences(places, dict.fromkeys((*kept, *question.inputs))) or machine
    machine = machine or some_sequences(places, steps)
    return Chosen(places=places, covering=covering, letters=letters, cover=cover, machine=machine)


def complete_suite(question: EventQuestion, chosen: Chosen, request: SuiteRequest, *, extra_states: int) -> EventSuite:
    """The suite of a finite method for the restricted model."""
    machine = chosen.machine
    if not machine.events:
        return _nothing(chosen.cover, 0 if chosen.covering is None else chosen.covering.wanted)
    finite = finite_words(minimal(machine), request, extra_states=extra_states)
    suite = EventSuite(
        events=machine.events,
        words=finite.words,
        letters=len(chosen.letters) * len(question.partition.signals),
        cover=chosen.cover,
        wanted=0,
        missing=0,
        calls=chosen.places.calls,
        open=chosen.places.open,
        starts_in_class=chosen.covering is None or chosen.places.start()[1] is not None,
        machine=machine,
        finite=finite,
    )
    if chosen.covering is None:
        return suite
    wanted = chosen.covering.wanted
    met = met_pairs(chosen.places, chosen.covering.pool, machine, degree=question.domain.degree)
    thin = sum(rank < chosen.covering.points for rank in met.values())
    return replace(suite, wanted=wanted, missing=wanted - len({pair[:2] for pair in met}), thin=thin)


def _nothing(cover: StepCover, wanted: int) -> EventSuite:
    words = word_list(())
    return EventSuite(events=(), words=words, letters=0, cover=cover, wanted=wanted, missing=wanted, calls=0, open=0)


def relaxed_events(question: EventQuestion, _request: SuiteRequest, *, seed: int) -> EventSuite:
    """Section 8: random values for each trigger class, degree + 1 of them, and long random walks; no intervals."""
    dice = Random(seed)
    model, places = question.model, Places(question.model, question.partition)
    assert question.justification is not None
    letters = [
        TriggerLetter(number, (*trigger.literals, condition), False)
        for number, trigger in enumerate(question.partition.triggers)
        for condition in _random_halves(model.inputs, dice, count=(question.domain.degree or 1) + 1)
    ]
    whole = [TriggerLetter(number, t.literals, False) for number, t in enumerate(question.partition.triggers)]
    covering = Covering(places, [*whole, *letters], question.justification, degree=None)
    cover = covering.cover(seconds=question.seconds)
    found = {step.word for listed in cover.steps.values() for step in listed}
    found.update(_walk(places, whole, dice) for _ in range(WALKS))
    words = maximal(found)
    events = tuple(dict.fromkeys(event for word in words for event in word))
    number = {event: k for k, event in enumerate(events)}
    return EventSuite(
        events=events,
        words=word_list([number[event] for event in word] for word in words),
        letters=len(whole) * len(question.partition.signals),
        cover=cover,
        wanted=covering.wanted,
        missing=len(cover.missing),
        calls=places.calls,
        open=places.open,
    )


def maximal(words: Iterable[Word]) -> tuple[Word, ...]:
    """The words that are no prefix of another, in a fixed order."""
    listed = {word for word in words if word}
    inner = {word[:k] for word in listed for k in range(1, len(word))}
    return tuple(sorted((word for word in listed if word not in inner), key=lambda word: (len(word), repr(word))))


def _walk(places: Places, letters: Sequence[TriggerLetter], dice: Random) -> Word:
    place, _ = places.start()
    word: list[SignalEvent] = []
    for _ in range(WALK_LENGTH):
        for letter in dice.sample(letters, len(letters)):
            inputs = places.inputs_for(place.memory, letter.condition)
            event = SignalEvent(dice.choice(places.partition.signals), inputs[0]) if inputs else None
            reaction = places.react(place, event) if event is not None else None
            if event is not None and reaction is not None:
                word.append(event)
                place = reaction.place
                break
        else:
            break
    return tuple(word)


def _random_halves(inputs: Sequence[Variable], dice: Random, *, count: int) -> Iterator[Expression]:
    """Random corners of the input space, so that the solver's solutions vary."""
    for _ in range(count):
        parts: list[Expression] = []
        for variable in inputs:
            if isinstance(variable.type, IntType | RealType):
                low = -100 if variable.type.low is None else variable.type.low
                high = 100 if variable.type.high is None else variable.type.high
                pivot = Fraction(low) + (Fraction(high) - low) * dice.randint(1, 31) / 32
                pivot = Fraction(int(pivot)) if isinstance(variable.type, IntType) else pivot
                parts.append(compared(Name(variable.name), dice.choice((">=", "<=")), literal(pivot)))
        yield conjunction(parts)
