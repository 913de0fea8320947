"""Attack the completeness of suites for symbolic machines: 300 random machines, all mutants up to order 2.

Machines have 2 or 3 states, whole numbers in small ranges, linear guards and outputs; guards may overlap and outputs
may leave a choice. Mutants exchange guards, outputs and targets, lose and add transitions, and hide a fault in an extra
state. Every mutant is judged exactly, by trying out all values: no nonconforming one of the fault domain may survive,
no conforming one may fail, none that violates a property, liveness and fairness included, may survive the suite for it.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

from tests.oracles.symbolic_attack import METHODS, attack_equivalence, attack_properties, attack_reduction
from tests.strategies.attack_machines import LIVENESS, PROPERTIES, attack_machine, is_complete

from fullproof.model import Sfsm

MACHINES = 300


def main(first: int = 0, last: int = MACHINES) -> None:
    """Print what was met, and what survived."""
    begin = time.perf_counter()
    kinds = {kind: Counter[object]() for kind in ("equivalence", "properties", "liveness", "reduction")}
    for met, (number, model) in enumerate(islice(complete_machines(), first, last), 1):
        extras = (0, 1) if number % 3 == 0 else (1,)
        kinds["equivalence"] += attack_equivalence(model, seed=number % 3, extras=extras)
        for name in list(PROPERTIES)[number % 2 :: 2]:
            kinds["properties"] += attack_properties(model, name, extras=extras[-1:])
        for name in list(LIVENESS)[number % 4 :: 4]:
            kinds["liveness"] += attack_properties(model, name, extras=extras[-1:])
        if number % 5 == 0:
            kinds["reduction"] += attack_reduction(model)
        if met % 10 == 0 or met == last - first:
            print(f"\n{met} machines in {time.perf_counter() - begin:.0f} s")
            show(kinds)
    if any(found["survivors"] or found["unfair"] for found in kinds.values()):
        raise SystemExit(1)


def show(kinds: dict[str, Counter[object]]) -> None:
    """What has been met so far."""
    for kind, found in kinds.items():
        wrong = f"{found['survivors']} survivors, {found['unfair']} conforming ones failed"
        print(f"{kind}: {found['mutants']:,} mutants, {wrong}")
        for method in METHODS:
            if found[method, "suites"]:
                print(
                    f"  {method:<12}{found[method, 'suites']:>6} suites {found[method, 'tests']:>9,} tests "
                    f"{found[method, 'judged']:>10,} behaviours judged",
                    flush=True,
                )


def complete_machines() -> Iterator[tuple[int, Sfsm]]:
    """Machines of all kinds in turn that have an answer to every input, numbered."""
    for number in count():
        model = attack_machine(number, loose=bool(number & 1), choices=bool(number & 2))
        if is_complete(model):
            yield number, model


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
