"""Attack method local: random machines over whole numbers, moved thresholds, polynomials, extra states.

Guards and outputs of each fault domain are listed from its definition, rows of systems are made up of them at random,
and those nearest to passing are put together to machines, which are judged by trying out all inputs: none that differs
may survive, none that conforms may fail.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections import Counter
from fractions import Fraction

from tests.oracles.local_attack import SmallWorld, attack, polynomial_labels, suite_of
from tests.strategies.local_machines import LINEAR, SQUARE, local_machine

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import UserError
from fullproof.language.parser import parse_expression
from fullproof.language.types import IntType
from fullproof.model.common import FaultDomain, Threshold

MACHINES = 40
WRONG = ("x < 3", "x >= 3", "x == 4", "x != 4", "2 <= x < 7", "x > 6", "x <= 6", "x % 2 == 0", "x % 2 == 1")


def main(machines: int = MACHINES) -> None:
    """Print what was met, and what survived."""
    begin = time.perf_counter()
    total: Counter[str] = Counter()
    for kind in ("lists", "thresholds", "polynomials", "both"):
        found: Counter[str] = Counter()
        for seed in range(machines):
            found += _one(kind, seed)
        total += found
        print(
            f"{kind:<12}{found['suites']:>4} suites, {found['refused']} refused, {found['rows']:>8,} rows, "
            f"{found['near']:,} of them pass alone, {found['judged']:>8,} machines, {found['survivors']} survivors, "
            f"{found['unfair']} conforming ones failed",
            flush=True,
        )
    print(f"{time.perf_counter() - begin:.0f} s")
    if total["survivors"] or total["unfair"]:
        raise SystemExit(1)


def _one(kind: str, seed: int) -> Counter[str]:
    polynomial = kind in ("polynomials", "both")
    inputs = ("x", "z") if seed % 3 == 2 and not polynomial else ("x",)
    degree = (seed % 3 if kind == "polynomials" else 1) if polynomial else None
    distance = 3 if kind == "both" else 1 + seed % 3
    moved = kind in ("thresholds", "both")
    machine = local_machine(
        1000 + seed,
        inputs=inputs,
        outputs=SQUARE if degree == 2 else LINEAR,
        domain=FaultDomain(
            extra_states=seed % 2,
            guards=tuple(map(parse_expression, WRONG)) if kind == "lists" else (),
            outputs=tuple(map(parse_expression, LINEAR)) if kind == "lists" else (),
            degree=degree,
            thresholds=tuple(Threshold(variable=name, distance=Fraction(distance)) for name in inputs) if moved else (),
        ),
    )
    model = machine.model
    if polynomial:
        output = dataclasses.replace(model.outputs[0], type=IntType(0, 81 if degree == 2 else 20))
        model = dataclasses.replace(model, outputs=(output,))
    domain = model.description.fault_domain
    guards = [t.guard for t in model.transitions] + list(domain.guards)
    if moved:
        guards += map(parse_expression, machine.moved(dict.fromkeys(inputs, distance)))
    world = SmallWorld(model, guards, [*(t.output for t in model.transitions), *domain.outputs])
    labels = world.labels(polynomial_labels(world, degree) if degree is not None else ())
    try:
        suite = suite_of(model, SuiteRequest(method="local"))
    except UserError:
        return Counter({"refused": 1})
    found = attack(world, labels, suite, extra=seed % 2, seed=seed, machines=1000)
    found["suites"] = 1
    return found


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
