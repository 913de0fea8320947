"""Table 1 of paper 001 next to ours: inputs and outputs until the mutants of the Bounded Retransmission Protocol fail.

Means over 100 seeds. *The paper's way*: its six purposes, longest first, again and again, values in {0, 1}. *Default*:
what ``fullproof run`` does, again and again. *Random walk*: any input that is possible, values in {0, 1}.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

from benchmarks.sts_sessions import hold
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.request import PurposeOrder, RunRequest, SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import Place
from fullproof.formats import read_model
from fullproof.kinds.sts.conduct import plan_for
from fullproof.kinds.sts.model_system import StsModelSut
from fullproof.language.types import Value
from fullproof.model import Sts
from fullproof.model.sts import Gate

BRP = Path(__file__).resolve().parent.parent / "tests" / "data" / "reference" / "brp"
SEEDS = 100
PAPER = {"paper: switch": (44, 16, 8, 6, 18, 164), "paper: TorXakis": (12, 234, 12, 18, 1620, 76)}


class Bits:
    """Values in {0, 1}."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def propose(self, gate: Gate, switch: int, known: Mapping[str, Value]) -> tuple[Value, ...]:  # noqa: ARG002
        """As many bits as the gate has parameters."""
        return tuple(self._random.randrange(2) for _ in gate.parameters)


def load(name: str) -> Sts:
    """A model of the folder."""
    model = read_model(BRP / f"{name}.yaml")
    assert isinstance(model, Sts)
    return model


REQUESTS = {
    "paper's way": RunRequest(suite=SuiteRequest(), sut="", order=PurposeOrder.LONGEST),
    "default": RunRequest(suite=SuiteRequest(), sut=""),
    "random walk": RunRequest(suite=SuiteRequest(method="random", max_length=100_000), sut=""),
}


def steps(model: Sts, mutant: Sts, way: str, seeds: int) -> list[int]:
    """Inputs and outputs until the mutant fails, for each seed."""
    semantics, found = StsSemantics(model), []
    plan = plan_for(model, REQUESTS[way], sha256="", at=Place())
    for seed in range(seeds):
        suite = replace(REQUESTS[way].suite, seed=seed)
        request = replace(REQUESTS[way], suite=suite, repeat=1000, stop_on_failure=True, retries=0)
        chooser = None if way == "default" else Bits(Random(f"bits {seed}"))
        result = hold(semantics, plan, request, StsModelSut(mutant, Random(seed)), chooser=chooser).result
        assert result.verdict is Verdict.FAIL, (way, seed)
        found.append(result.steps)
    return found


def main() -> None:
    """Print the table."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    model, mutants = load("brp"), [load(f"mutant{k}") for k in range(1, 7)]
    columns: dict[str, list[float]] = {name: [float(n) for n in numbers] for name, numbers in PAPER.items()}
    for way in REQUESTS:
        columns[way] = [statistics.fmean(steps(model, mutant, way, seeds)) for mutant in mutants]
    print(f"means of {seeds} seeds\n" + f"{'':<12}" + "".join(f"{name:>17}" for name in columns))
    for k in range(6):
        print(f"{f'mutant {k + 1}':<12}" + "".join(f"{column[k]:>17.1f}" for column in columns.values()))
    print(f"{'sum':<12}" + "".join(f"{sum(column):>17.1f}" for column in columns.values()))
    means = [math.exp(statistics.fmean(map(math.log, column))) for column in columns.values()]
    print(f"{'geom. mean':<12}" + "".join(f"{mean:>17.1f}" for mean in means))


if __name__ == "__main__":
    main()
