"""Where values grow without end: what the claim for a finite part says holds for every system with one fault."""

from itertools import product
from random import Random

import pytest
from tests.generate.test_far_places import model_of, words_of
from tests.pipeline.test_unbounded_counter import GATE

from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE
from fullproof.generate.statemachine.places import MachinePlace, Places
from fullproof.generate.statemachine.restriction import Restriction
from fullproof.kinds.statemachine.suite import events_for, suite_for
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent

SPEED = GATE.replace("{when: speed <= 100, do: [arm = moving], send: bell, to: closing}",
                     "{when: speed <= 100, do: [arm = down], to: closed}")  # fmt: skip


def _part(model: StateMachine) -> tuple[Restriction, Places]:
    made = events_for(model, SuiteRequest(), NOWHERE)
    assert made.suite.machine is not None and not made.suite.machine.is_complete
    return made.suite.machine, Places(model, made.question.partition)


@pytest.mark.parametrize("text", [GATE, SPEED])
def test_every_event_that_stays_within_the_part_is_tested(text: str) -> None:
    """A system that errs there alone differs on a sequence that the claim is about, so that it must not pass."""
    model = model_of(text)
    machine, places = _part(model)
    suite = suite_for(model, SuiteRequest(), "", NOWHERE)
    assert f"that keep the model within {len(machine.places)} chosen configurations" in suite.header.guarantee.sentence
    met = _met(model, [list(word) for word in words_of(suite)])
    inside = set(machine.places)
    for place, event in product(machine.places, machine.events):
        reaction = places.react(place, event)
        if reaction is not None and reaction.place in inside:
            assert any((like, event) in met for like in _alike(machine, places, place)), (place, event)


def _met(model: StateMachine, words: list[list[SignalEvent]]) -> set[tuple[tuple[object, ...], SignalEvent]]:
    """Where each event was applied: the state with the values of outputs and variables."""
    runner, found = RunToCompletion(model), set[tuple[tuple[object, ...], SignalEvent]]()
    for word in words:
        here = runner.start
        for event in word:
            found.add(((here.state, *here.values[len(model.inputs) :]), event))
            (run,) = runner.runs(here, event.signal, event.values)
            here = run.end
    return found


def _alike(machine: Restriction, places: Places, place: MachinePlace) -> list[tuple[object, ...]]:
    """A place and those that no long random word within the part tells from it, which count as one state."""
    dice = Random(1)
    words = [[dice.choice(machine.events) for _ in range(12)] for _ in range(60)]
    same = [_seen(machine, places, place, word) for word in words]
    return [
        (other.state, *other.memory)
        for other in machine.places
        if [_seen(machine, places, other, word) for word in words] == same
    ]


def _seen(machine: Restriction, places: Places, place: MachinePlace, word: list[SignalEvent]) -> list[object]:
    shown, inside = list[object](), set(machine.places)
    for event in word:
        reaction = places.react(place, event)
        if reaction is None or reaction.place not in inside:
            return [*shown, "outside"]
        shown.append(reaction.seen)
        place = reaction.place
    return shown
