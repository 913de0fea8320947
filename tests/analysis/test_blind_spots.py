"""States that are listed as alike are alike: from each of them every word of events is answered the same way."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from tests.check.models import model_of
from tests.oracles.languages import same_language
from tests.oracles.small_statemachines import difference
from tests.strategies.small_fsms import any_fsms
from tests.strategies.small_statemachines import random_text, read_text

from fullproof.analysis.blind_spots import blind_spots


def blunted(text: str, dice: Random) -> str:
    """The same machine with fewer outputs, and some transitions copied to other states: states become alike."""
    lines = text.replace(", send: [s]", "" if dice.random() < 0.7 else ", send: [s]").splitlines()
    if dice.random() < 0.8:
        lines = [line.replace("'y = ", "'m = ") if "trigger" in line or "when" in line else line for line in lines]
    start = {state: lines.index(f"  {state}:") for state in "pqr"}
    body = lines[start["q"] + 1 : start["r"]]
    copied = [line for line in body if "trigger" in line]
    if dice.random() < 0.6 and len(copied) == len(body):
        lines = [*lines[: start["r"] + 1], *copied]
    return "\n".join(lines) + "\n"


def test_state_machines_that_are_listed_as_alike_are_alike():
    dice, listed, apart = Random(3), 0, 0
    for _ in range(300):
        model = read_text(blunted(random_text(dice), dice))
        for group in blind_spots(model).groups:
            for one, other in combinations(group, 2):
                listed += 1
                assert difference(replace(model, initial=one), replace(model, initial=other)) is None, model
        apart += not blind_spots(model).groups
    assert listed > 30
    assert apart > 30


@settings(max_examples=200)
@given(any_fsms())
def test_finite_machines_that_are_listed_as_alike_are_alike(machine):
    def step(state):
        return [((t.input, t.output), t.target) for t in machine.transitions if t.source == state]

    for group in blind_spots(machine).groups:
        for one, other in combinations(group, 2):
            assert same_language(step, one, other)


HEAD = "machine: statemachine\nname: m\nsignals: {in: [a, b], out: [s]}\ninputs: {}\n"


@pytest.mark.parametrize(
    ("body", "nothing", "groups"),
    [
        ("outputs: {}\ninitial: p\nstates:\n  p: [{trigger: a, to: q}]\n  q: [{trigger: b, to: p}]\n", True, ["pq"]),
        ("outputs: {}\ninitial: p\nstates:\n  p: [{trigger: a, send: [s], to: q}]\n  q: []\n", False, []),
        (
            "outputs: {y: int = 0}\ninitial: p\nstates:\n  p: [{trigger: a, do: [y = 0], to: q}]\n  q: []\n",
            True,
            ["pq"],
        ),
        ("outputs: {y: int = 0}\ninitial: p\nstates:\n  p: [{trigger: a, do: [y = 1], to: q}]\n  q: []\n", False, []),
        (  # the variable decides nothing that can be seen
            "outputs: {}\nvariables: {m: int = 0}\ninitial: p\nstates:\n"
            "  p: [{trigger: a, when: m < 3, do: [m = m + 1], to: q}]\n  q: [{trigger: b, do: [m = 0], to: p}]\n",
            True,
            ["pq"],
        ),
        (  # it decides later whether a signal is sent
            "outputs: {}\nvariables: {m: int = 0}\ninitial: p\nstates:\n"
            "  p: [{trigger: a, do: [m = 1], to: q}, {trigger: b, when: m == 1, send: [s], to: p}]\n"
            "  q: [{trigger: b, when: m == 1, send: [s], to: p}]\n",
            False,
            [],
        ),
        (  # r and q send the same
            "outputs: {}\ninitial: p\nstates:\n  p: [{trigger: a, to: q}, {trigger: b, to: r}]\n"
            "  q: [{trigger: a, send: [s], to: p}]\n  r: [{trigger: a, send: [s], to: p}]\n",
            False,
            ["qr"],
        ),
    ],
)  # fmt: skip
def test_what_is_seen_of_a_state_machine(body, nothing, groups):
    spots = blind_spots(model_of(HEAD + body))
    assert bool(spots.nothing) is nothing
    assert ["".join(group) for group in spots.groups] == groups
