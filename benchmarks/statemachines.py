"""Partitions and suites of state machines as control states and variables grow: classes, solver calls, seconds.

    python benchmarks/statemachines.py

A machine of n control states counts in k variables how often the input passed the threshold of the state it is in, and
in an output without end, so that the suite is about a part of the model. Solver calls are those of the check of
Definition 1 and of the suite.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from fullproof.abstract.partition.definition_check import justified
from fullproof.abstract.partition.fixpoint import partition_of
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE
from fullproof.formats import read_model
from fullproof.model import StateMachine
from fullproof.pipeline.suites import generate_suite

SIZES = ((2, 1), (4, 1), (6, 1), (8, 1), (2, 2), (4, 2), (6, 2))


def machine(states: int, variables: int) -> StateMachine:
    """A ring of states with a threshold each."""
    names = [f"v{k}" for k in range(variables)]
    lines = [
        "machine: statemachine",
        f"name: ring-{states}-{variables}",
        "signals: {in: [go], out: [full]}",
        "inputs: {x: real 0..100}",
        "outputs: {y: int = 0}",
        f"variables: {{{', '.join(f'{name}: int 0..3 = 0' for name in names)}}}",
        "initial: s0",
        "states:",
    ]
    for k in range(states):
        act = "'{0} = {0} + 1', 'y = y + 1'".format(names[k % variables])
        name, to, limit = names[k % variables], f"s{(k + 1) % states}", (k + 1) * 100 // (states + 1)
        lines += [
            f"  s{k}:",
            f"    - {{trigger: go, when: x > {limit} and {name} < 3, do: [{act}], to: {to}}}",
            f"    - {{trigger: go, when: x > {limit} and {name} >= 3, do: ['{name} = 0'], send: [full], to: {to}}}",
        ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ring.yaml"
        path.write_text("\n".join(lines) + "\n")
        model = read_model(path)
    assert isinstance(model, StateMachine)
    return model


def main() -> None:
    """Print one line for each size."""
    print(
        "states  variables  state classes  trigger classes  pairs  partition s  check s  solver calls  events"
        "  configurations  tests  inputs  suite s"
    )
    for states, variables in SIZES:
        model = machine(states, variables)
        begin = time.perf_counter()
        partition = partition_of(model)
        computed = time.perf_counter()
        found = justified(model, partition)
        checked = time.perf_counter()
        suite = generate_suite(model, SuiteRequest(method="partition"), sha256="", at=NOWHERE)
        tests, inputs = suite.size()
        print(
            f"{states:6}  {variables:9}  {len(partition.states):13}  {len(partition.triggers) * 2:15}"
            f"  {len(found.pairs):5}  {computed - begin:11.2f}  {checked - computed:7.2f}"
            f"  {suite.details['solver_calls']:12}  {suite.details['events']:6}  {suite.details['configurations']:14}"
            f"  {tests:5}  {inputs:6}  {suite.seconds:7.2f}"
        )


if __name__ == "__main__":
    main()
