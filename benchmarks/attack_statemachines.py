"""Attack on suites of state machines: every faulty machine in the fault domain must fail, every conforming one pass.

    python -m benchmarks.attack_statemachines 20 0

Random machines of three control states, whose attributes have five values each, with all single faults (targets,
triggers, sends, assignments, boundaries, a control state too many) and 150 double ones. Whether a faulty machine is
in the fault domain (its states on the events of the suite), and whether it differs, is decided by brute force. Without
extra states and with one; with the events that the partition asks for, and with all there are (--paving x=1).
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

from tests.oracles.statemachine_attack import Target, attack, double_faults, is_worthwhile, single_faults
from tests.strategies.small_statemachines import random_text, read_text

METHODS = ("hsi", "h", "spyh", "wp", "spy", "hads", "walks", "w")


def main(machines: int, seed: int) -> int:
    """Attack so many machines and print what became of the mutants; the exit code is 1 if any survived."""
    total: Counter[str] = Counter()
    survivors = done = 0
    while done < machines:
        dice = Random(seed)
        seed += 1
        model = read_text(random_text(dice))
        if not is_worthwhile(model):
            continue
        target = Target(model)
        if not target.is_certain:
            total["machines without a certain partition"] += 1
            continue
        mutants = [*single_faults(model), *double_faults(model, dice, 150)]
        for extra_states in (0, 1):
            for paving in ((), ("x=1",)):
                method = METHODS[(done + extra_states) % len(METHODS)]
                tally = attack(target, mutants, extra_states=extra_states, method=method, paving=paving)
                total += tally.counts
                survivors += len(tally.survivors)
                if paving:
                    assert not tally.counts["differs on other events only"]
        done += 1
        print(f"{done} machines (seed {seed - 1}): {sum(total.values()):,} verdicts, {survivors} survivors", flush=True)
    for what, count in sorted(total.items()):
        print(f"{count:9,}  {what}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(*(int(argument) for argument in (sys.argv[1:] + ["20", "0"][len(sys.argv) - 1 :]))))
