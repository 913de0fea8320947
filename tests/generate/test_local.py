"""Method local: no machine of its fault domain that differs survives, and what it cannot cover it says."""

import dataclasses
import random
from collections import Counter
from fractions import Fraction

import pytest
from tests.oracles.local_attack import SmallWorld, attack, polynomial_labels, suite_of
from tests.strategies.local_machines import LINEAR, SQUARE, LocalMachine, local_machine

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import UserError
from fullproof.language.parser import parse_expression
from fullproof.language.types import IntType
from fullproof.model.common import ExcludedPair, FaultDomain, Pairs, Threshold

WRONG = tuple(map(parse_expression, ("x < 3", "x >= 3", "x == 4", "x != 4", "2 <= x < 7", "x > 6", "x <= 6")))


def world_of(machine: LocalMachine, guards: tuple = (), outputs: tuple = ()) -> SmallWorld:
    model = machine.model
    own = [t.guard for t in model.transitions], [t.output for t in model.transitions]
    domain = model.description.fault_domain
    return SmallWorld(model, [*own[0], *domain.guards, *guards], [*own[1], *domain.outputs, *outputs])


def with_domain(machine: LocalMachine, **fields: object) -> LocalMachine:
    domain = dataclasses.replace(machine.model.description.fault_domain, **fields)
    description = dataclasses.replace(machine.model.description, fault_domain=domain)
    return dataclasses.replace(machine, model=dataclasses.replace(machine.model, description=description))


@pytest.mark.parametrize("extra", [0, 1])
def test_no_machine_over_the_guards_and_outputs_survives(extra: int) -> None:
    found: Counter = Counter()
    outputs = tuple(map(parse_expression, LINEAR))
    for seed in range(4):
        inputs = ("x", "z") if seed % 3 == 2 else ("x",)
        domain = FaultDomain(guards=WRONG, outputs=outputs, extra_states=extra)
        machine = local_machine(seed, inputs=inputs, domain=domain)
        world = world_of(machine)
        suite = suite_of(machine.model, SuiteRequest(method="local"))
        found += attack(world, world.labels(), suite, extra=extra, seed=seed, machines=300)
    assert found["judged"] > 1000
    assert found["near"] > 20
    assert found["survivors"] == found["unfair"] == 0


@pytest.mark.parametrize("distance", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_no_moved_threshold_survives(distance: int) -> None:
    found: Counter = Counter()
    for seed in range(4):
        inputs = ("x", "z") if seed % 3 == 2 else ("x",)
        machine = local_machine(seed + 50, inputs=inputs)
        thresholds = tuple(Threshold(variable=name, distance=Fraction(distance)) for name in inputs)
        machine = with_domain(machine, thresholds=thresholds)
        moved = tuple(map(parse_expression, machine.moved(dict.fromkeys(inputs, distance))))
        world = world_of(machine, moved)
        suite = suite_of(machine.model, SuiteRequest())
        assert suite.method == "local"
        found += attack(world, world.labels(), suite, extra=0, seed=seed, machines=300)
    assert found["near"] > 10
    assert found["survivors"] == found["unfair"] == 0


@pytest.mark.parametrize("degree", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_no_polynomial_survives(degree: int) -> None:
    found: Counter = Counter()
    for seed in range(4):
        machine = with_domain(local_machine(seed + 80, outputs=SQUARE if degree == 2 else LINEAR), degree=degree)
        model = dataclasses.replace(
            machine.model, outputs=(dataclasses.replace(machine.model.outputs[0], type=_range(degree)),)
        )
        machine = dataclasses.replace(machine, model=model)
        world = world_of(machine)
        labels = world.labels(polynomial_labels(world, degree))
        suite = suite_of(model, SuiteRequest())
        found += attack(world, labels, suite, extra=0, seed=seed, machines=300)
    assert found["survivors"] == found["unfair"] == 0
    assert found["rows"] > 500


def _range(degree: int) -> IntType:
    return IntType(0, 81) if degree == 2 else IntType(0, 20)


@pytest.mark.slow
def test_thresholds_and_polynomials_together() -> None:
    found: Counter = Counter()
    for seed in range(5):
        machine = with_domain(
            local_machine(seed + 120), degree=1, thresholds=(Threshold(variable="x", distance=Fraction(3)),)
        )
        moved = tuple(map(parse_expression, machine.moved({"x": 3})))
        model = dataclasses.replace(
            machine.model, outputs=(dataclasses.replace(machine.model.outputs[0], type=_range(1)),)
        )
        machine = dataclasses.replace(machine, model=model)
        world = world_of(machine, moved)
        try:
            suite = suite_of(model, SuiteRequest(method="local"))
        except UserError as error:
            assert "too few inputs" in str(error) or "in common" in str(error)
            found["refused"] += 1
            continue
        labels = world.labels(polynomial_labels(world, 1))
        found += attack(world, labels, suite, extra=0, seed=seed, machines=300)
    assert found["refused"] < 4
    assert found["survivors"] == found["unfair"] == 0


@pytest.mark.slow
def test_pairs_of_their_own_cost_less_and_hold() -> None:
    sizes = Counter()
    for seed in range(5):
        machine = local_machine(seed + 200)
        suites = {}
        for pairs in Pairs:
            suites[pairs] = suite_of(machine.model, SuiteRequest(method="local", pairs=pairs, mutate_guards=True))
            sizes[pairs] += len(suites[pairs].inputs)
        assert "each guard only with outputs of its own transitions" in suites[Pairs.OWN].guarantee.sentence
        world = world_of(machine)
        own = {(t.guard, t.output) for t in machine.model.transitions}
        found = attack(world, world.labels(pairs=own), suites[Pairs.OWN], extra=0, seed=seed, machines=200)
        assert found["survivors"] == found["unfair"] == 0
    assert sizes[Pairs.OWN] < sizes[Pairs.ALL]


def test_weakened_suites_let_machines_through() -> None:
    """The attack would notice: without one of the inputs, some machine of the domain survives."""
    survivors = 0
    for seed in range(4):
        machine = local_machine(seed, domain=FaultDomain(guards=WRONG))
        world = world_of(machine)
        suite = suite_of(machine.model, SuiteRequest(method="local"))
        for dropped in range(len(suite.inputs)):
            kept = [k for k in range(len(suite.inputs)) if k != dropped]
            used = [world.number[tuple(sorted(suite.inputs[k].items()))] for k in kept]
            seen = {tuple(row[k] for k in used): row for row in world.right}
            rows = world.rows(world.labels(), len(world.right), most=300, chance=random.Random(seed))
            survivors += any(tuple(row[k] for k in used) in seen and row not in world.right for row in rows)
    assert survivors > 3


def test_excluded_pairs_are_not_tested_for() -> None:
    machine = local_machine(3, domain=FaultDomain(outputs=(parse_expression("y == 50"),)))
    whole = suite_of(machine.model, SuiteRequest(method="local"))
    never = ExcludedPair(guard=parse_expression("x >= 0"), output=parse_expression("y == 50"))
    without = suite_of(with_domain(machine, excluded=(never,)).model, SuiteRequest(method="local"))
    assert without.classes < whole.classes
    assert "never answering by y == 50 where x >= 0" in without.guarantee.sentence


@pytest.mark.parametrize(
    ("output", "reason"),
    [("y >= x", "is not an equation for each output"), ("y == x or y == 0", "is not an equation for each output")],
)
def test_what_does_not_apply_is_said(output: str, reason: str) -> None:
    machine = local_machine(1)
    first, *rest = machine.model.transitions
    first = dataclasses.replace(first, output=parse_expression(output))
    model = dataclasses.replace(machine.model, transitions=(first, *rest))
    with pytest.raises(UserError, match=reason):
        suite_of(model, SuiteRequest(method="local"))
