"""Values along a purpose: within types and guards, as late as possible, and honest where a solver does not know."""

from collections.abc import Iterable
from random import Random

import pytest
from tests.shared import REFERENCE

from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.execution import Event, Listen, Received, Sent, Silence, Stop
from fullproof.artefacts.purposes import SwitchLetter
from fullproof.artefacts.request import Values
from fullproof.concretise.path_condition import PathCondition
from fullproof.concretise.purpose_driver import Follower, chooser_for
from fullproof.concretise.value_choice import Mixed
from fullproof.formats import read_model
from fullproof.language.values import in_range
from fullproof.smt import Sat, Unsat

EXAMPLE = read_model(REFERENCE / "sts-example" / "example.yaml")
BRP = read_model(REFERENCE / "brp" / "brp.yaml")
EXAMPLE_17 = [SwitchLetter(0), SwitchLetter(2), SwitchLetter(0), SwitchLetter(2), SwitchLetter(1)]


def follower(
    letters: Iterable[SwitchLetter], values: Values = Values.RANDOM, *, model=EXAMPLE, seed: int = 0
) -> Follower:
    semantics = StsSemantics(model)
    return Follower(semantics, list(letters), chooser_for(model, values, Random(seed)), synchronous=True)


def drive(guide: Follower, *outputs: Event) -> list[Event]:
    """Play the outputs to the guide, and return all that happened, with how it ended."""
    waiting, happened = list(outputs), []
    while not isinstance(move := guide.next(), Stop):
        event = waiting.pop(0) if isinstance(move, Listen) else move
        if callable(event):
            event = event(happened)
        happened.append(event)
        guide.saw(event)
    return [*happened, move]


def total(happened: list[Event]) -> Received:
    return Received("outX", (sum(event.values[0] for event in happened if isinstance(event, Sent)),))


@pytest.mark.parametrize("values", list(Values))
@pytest.mark.parametrize("seed", range(5))
def test_example_18_is_driven_to_its_end(values: Values, seed: int) -> None:
    happened = drive(follower(EXAMPLE_17, values, seed=seed), total, total, Received("done"), Silence())
    first, second = (event.values[0] for event in happened if isinstance(event, Sent))
    assert 1 <= first <= 10
    assert 1 <= second <= 10
    assert first + second > 15
    assert happened[-1] == Stop(reached=True)


def test_values_take_into_account_what_the_system_has_said(tmp_path) -> None:
    path = tmp_path / "echo.yaml"
    path.write_text(
        "machine: sts\nname: dice\nvariables: {x: int = 0}\ninputs: {guess: {p: int}}\n"
        "outputs: {roll: {q: int 1..6}, right: {}}\ninitial: l\nstates:\n"
        "  l:\n    - {gate: roll, set: {x: q}, to: m}\n"
        "  m:\n    - {gate: guess, when: p == 2 * x + 1, to: n}\n  n:\n    - {gate: right, to: l}\n"
    )
    model = read_model(path)
    for rolled in range(1, 7):
        letters = [SwitchLetter(0), SwitchLetter(1), SwitchLetter(2)]
        more = [Received("roll", (1,))] * 4
        happened = drive(follower(letters, model=model), Received("roll", (rolled,)), Received("right"), *more)
        assert happened[1] == Sent("guess", (2 * rolled + 1,))


def test_an_output_that_leads_elsewhere_ends_the_purpose() -> None:
    purpose = follower([SwitchLetter(0), SwitchLetter(2), SwitchLetter(1)])  # done needs more than one inX can give
    happened = drive(purpose)
    assert happened == [Stop(reached=False, reason="no values lead on along the purpose")]


def test_a_path_condition_learns_from_what_is_observed() -> None:
    path = PathCondition(EXAMPLE, EXAMPLE_17, {"x": 0})
    assert isinstance(path.check(), Sat)
    assert isinstance(path.observe(0, (3,)), Unsat)
    path.restart()
    assert isinstance(path.observe(0, (6,)), Sat)
    assert isinstance(path.observe(2, (9,)), Unsat)


def test_purposes_of_brp_need_no_solver() -> None:
    letters = [SwitchLetter(0), SwitchLetter(3), SwitchLetter(6), SwitchLetter(4), SwitchLetter(6), SwitchLetter(5)]
    assert PathCondition(BRP, letters, {v.name: v.initial for v in BRP.variables}).condition == []


def test_neighbours_are_equal_in_one_of_two_inputs() -> None:
    gate = BRP.inputs[0]
    for seed in range(20):
        chooser = Mixed(BRP, Random(seed))
        one, two = chooser.propose(gate, 0, {}), chooser.propose(gate, 0, {})
        for place in (0, 1):
            assert (one[place] == one[place + 1]) != (two[place] == two[place + 1])


@pytest.mark.parametrize("values", list(Values))
def test_proposals_keep_to_the_types(values: Values, tmp_path) -> None:
    path = tmp_path / "types.yaml"
    path.write_text(
        "machine: sts\nname: types\nconstants: {K: 7}\ninputs:\n"
        "  a: {i: int 3..5, j: 'int ..-2', k: int, r: real 1.5..2, s: real, b: bool, e: 'enum red, green'}\n"
        "outputs: {}\ninitial: l\nstates:\n  l:\n    - {gate: a, to: l}\n"
    )
    model = read_model(path)
    chooser = chooser_for(model, values, Random(1))
    for _ in range(50):
        chosen = chooser.propose(model.inputs[0], 0, {})
        assert all(in_range(value, p.type) for value, p in zip(chosen, model.inputs[0].parameters, strict=True))


def test_where_a_solver_does_not_know_the_guard_alone_decides(tmp_path) -> None:
    path = tmp_path / "hard.yaml"
    path.write_text(
        "machine: sts\nname: hard\nvariables: {x: int = 0, y: int = 0}\ninputs: {give: {a: int, b: int}}\n"
        "outputs: {hit: {}, miss: {}}\ninitial: l\nstates:\n"
        "  l:\n    - {gate: give, when: a > 1 and b > 1, set: {x: a, y: b}, to: m}\n"
        "  m:\n    - {gate: hit, when: x ** 3 + y ** 3 == 35937 and x < y, to: l}\n    - {gate: miss, to: l}\n"
    )
    model = read_model(path)
    happened = drive(follower([SwitchLetter(0), SwitchLetter(1)], model=model), Received("miss"), Silence())
    assert isinstance(happened[-1], Stop)
    assert not happened[-1].reached
