"""The exhaustive suite of paper 003, section 7, and the relaxed one of its section 8, as words of concrete events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from fullproof.artefacts.partition import Justification, Partition
from fullproof.core.errors import UserError
from fullproof.generate.statemachine.covering import Cover, Covering, Step
from fullproof.generate.statemachine.letters import Letter, letters_of
from fullproof.generate.statemachine.places import Event, Places
from fullproof.generate.statemachine.telling import Telling, Word
from fullproof.language.formulas import compared, conjunction
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Expression, Name
from fullproof.language.types import IntType, RealType, Variable
from fullproof.model import StateMachine
from fullproof.model.common import FaultDomain

MOST_WORDS = 500_000
WALKS = 5
WALK_LENGTH = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSuite:
    """Words, none a prefix of another, and what is known of how they were found."""

    words: tuple[Word, ...]
    letters: int
    cover: Cover
    wanted: int
    """How many pairs of a state class and a letter can meet as far as the classes tell."""
    untold: tuple[tuple[str, str], ...]
    calls: int
    open: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventQuestion:
    """What a suite is made from."""

    model: StateMachine
    partition: Partition
    justification: Justification
    domain: FaultDomain
    seconds: float | None = 60.0


def exhaustive_events(question: EventQuestion, *, extra_states: int) -> EventSuite:
    """Transition cover, up to ``extra_states`` arbitrary letters, then the words that identify the place reached.

    Guarantee: paper 003, Theorem 3, under FH1 to FH4 and for what ``cover.missing`` does not hold. Every transition of
    an implementation's abstraction with at most ``extra_states`` more states ends some word of cover and letters, so
    that words for the output identification follow each of them directly.
    """
    places = Places(question.model, question.partition)
    letters = letters_of(question.partition, question.domain.paving, _scope(question.model))
    covering = Covering(places, letters, question.justification, degree=question.domain.degree)
    cover = covering.cover(seconds=question.seconds)
    telling = Telling(places)
    found: set[Word] = set()
    steps = [step for listed in cover.steps.values() for step in listed]
    for step in steps:  # all words must be known before any is applied everywhere
        telling.words(step.reaction.place)
    for more in range(extra_states + 1):
        for step in steps:
            found.update((*step.word, *word) for word in telling.everywhere(step.reaction.place) or ((),))
            if len(found) > MOST_WORDS:
                raise UserError(f"the suite has more than {MOST_WORDS:,} tests: fewer extra states or wider intervals?")
        if more < extra_states:
            steps = list(_longer(steps, letters, places))
    return EventSuite(
        words=maximal(found),
        letters=len(letters) * len(question.partition.signals),
        cover=cover,
        wanted=covering.wanted,
        untold=tuple(sorted(telling.untold)),
        calls=places.calls,
        open=places.open,
    )


def relaxed_events(question: EventQuestion, *, seed: int) -> EventSuite:
    """Section 8: random values for each trigger class, degree + 1 of them, and long random walks; no intervals."""
    dice = Random(seed)
    model, places = question.model, Places(question.model, question.partition)
    letters = [
        Letter(number, (*trigger.literals, condition), False)
        for number, trigger in enumerate(question.partition.triggers)
        for condition in _random_halves(model.inputs, dice, count=(question.domain.degree or 1) + 1)
    ]
    whole = [Letter(number, t.literals, False) for number, t in enumerate(question.partition.triggers)]
    covering = Covering(places, [*whole, *letters], question.justification, degree=None)
    cover = covering.cover(seconds=question.seconds)
    found = {step.word for listed in cover.steps.values() for step in listed}
    found.update(_walk(places, whole, dice) for _ in range(WALKS))
    return EventSuite(
        words=maximal(found),
        letters=len(whole) * len(question.partition.signals),
        cover=cover,
        wanted=covering.wanted,
        untold=(),
        calls=places.calls,
        open=places.open,
    )


def maximal(words: Iterable[Word]) -> tuple[Word, ...]:
    """The words that are no prefix of another, in a fixed order."""
    listed = {word for word in words if word}
    inner = {word[:k] for word in listed for k in range(1, len(word))}
    return tuple(sorted((word for word in listed if word not in inner), key=lambda word: (len(word), repr(word))))


def _longer(steps: Iterable[Step], letters: Sequence[Letter], places: Places) -> Iterator[Step]:
    for step in steps:
        for letter in letters:
            for inputs in places.inputs_for(step.reaction.place.memory, letter.condition):
                for signal in places.partition.signals:
                    event = Event(signal, inputs)
                    reaction = places.react(step.reaction.place, event)
                    if reaction is not None:
                        yield Step((*step.word, event), reaction)


def _walk(places: Places, letters: Sequence[Letter], dice: Random) -> Word:
    place, _ = places.start()
    word: list[Event] = []
    for _ in range(WALK_LENGTH):
        for letter in dice.sample(letters, len(letters)):
            inputs = places.inputs_for(place.memory, letter.condition)
            event = Event(dice.choice(places.partition.signals), inputs[0]) if inputs else None
            reaction = places.react(place, event) if event is not None else None
            if event is not None and reaction is not None:
                word.append(event)
                place = reaction.place
                break
        else:
            break
    return tuple(word)


def _random_halves(inputs: Sequence[Variable], dice: Random, *, count: int) -> Iterator[Expression]:
    """Random corners of the input space, so that solutions in them are different and nobody's favourites."""
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


def _scope(model: StateMachine) -> Scope:
    variables = (*model.inputs, *model.outputs, *model.variables)
    return Scope(variables, {c.name: c.value for c in model.description.constants})
