"""The gate of the default suite of state machines: at least 99 % of the single mutants that differ, at a bounded cost.

Guards, targets, outputs, triggers, lost and added assignments. A survivor is named here with its reason, or the test
fails and reports it with the events that would tell it.
"""

from random import Random

import pytest
from tests.oracles.statemachine_kills import kills
from tests.shared import ROOT
from tests.strategies.random_statemachines import random_statemachine

from fullproof.formats import read_model

COMPLETE_SUITE = {
    "cruise-control.yaml": 307, "crossing-gate.yaml": 5_390, "door-lock.yaml": 1_741, "turn-indicator.yaml": 957,
    "ventilator.yaml": 4_535, "microwave.scxml": 930, "garage-door.mmd": 3_390, "pedestrian-light.sysml": 1_216,
}  # fmt: skip
"""What the complete suite alone costs in inputs plus resets, by which the default was measured when it was made."""

REASONS = {
    "guard voltage > 10.1 and lever == 0 and tips <= 1 instead of voltage > 10 and lever == 0 and tips <= 1 on "
    "tipping --tick--> off": "needs a voltage between 10 and 10.1 at the last flash, with the lever back: values just "
    "inside an open boundary are tried in one place of each class",
}
RANDOM = 100


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(COMPLETE_SUITE))
def test_the_default_suite_kills_the_single_mutants_of_an_example(name):
    if name.endswith(".sysml"):
        pytest.importorskip("sysmlpy")
    found = kills(read_model(ROOT / "examples" / "statemachines" / name))
    assert found.rate >= 0.99, found.report()
    assert found.cost < 2 * COMPLETE_SUITE[name]
    assert set(found.survivors) <= set(REASONS), found.report()


def test_the_default_suite_kills_the_single_mutants_of_the_cruise_control():
    """The same without patience."""
    found = kills(read_model(ROOT / "examples" / "statemachines" / "cruise-control.yaml"))
    assert found.rate >= 0.99, found.report()
    assert found.cost < 2 * COMPLETE_SUITE["cruise-control.yaml"]


@pytest.mark.slow
def test_the_default_suite_kills_the_single_mutants_of_random_machines(record_property):
    killed, survivors = 0, {}
    for seed in range(RANDOM):
        found = kills(random_statemachine(Random(seed)), sample=12, seed=seed, seconds=4.0)
        killed += found.killed
        survivors |= {f"machine {seed}: {where}": reason for where, reason in found.survivors.items()}
    report = "\n".join([f"{killed} killed, {len(survivors)} survived", *(f"{w}: {r}" for w, r in survivors.items())])
    record_property("survivors", report)
    assert killed > 3 * RANDOM
    assert killed >= 0.99 * (killed + len(survivors)), report
