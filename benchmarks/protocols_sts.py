"""The mutants of examples/protocols, which no choice of the purposes was made by: what do runs find, and how soon?

Each way has 2,000 inputs and outputs against each mutant.
"""

from __future__ import annotations

import statistics
import sys
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
from fullproof.model import Sts

PROTOCOLS = Path(__file__).resolve().parent.parent / "examples" / "protocols"
STEPS, SEEDS = 2000, 5
REQUESTS = {
    "default": RunRequest(suite=SuiteRequest(), sut=""),
    "paper's way": RunRequest(suite=SuiteRequest(), sut="", order=PurposeOrder.LONGEST),
    "random walk": RunRequest(suite=SuiteRequest(method="random", max_length=400), sut=""),
}


def load(path: Path) -> Sts:
    """A model of the folder."""
    model = read_model(path)
    assert isinstance(model, Sts)
    return model


def main(seeds: int = SEEDS) -> None:
    """Print what is found of each protocol, and the mean number of inputs and outputs."""
    total = dict.fromkeys(REQUESTS, 0)
    folders = sorted(path for path in PROTOCOLS.iterdir() if path.is_dir())
    for folder in folders:
        model = load(folder / "model.yaml")
        for way, base in REQUESTS.items():
            cells = []
            for number in range(1, 5):
                results = [attempt(model, load(folder / f"mutant{number}.yaml"), base, seed) for seed in range(seeds)]
                hits = sum(found for found, _ in results)
                total[way] += hits
                cells.append(f"{hits}/{seeds} {statistics.fmean(steps for _, steps in results):.0f}")
            print(f"{folder.name:<18}{way:<14}" + "".join(f"{cell:>12}" for cell in cells), flush=True)
    print({way: f"{hits} of {len(folders) * 4 * seeds}" for way, hits in total.items()})


def attempt(model: Sts, mutant: Sts, base: RunRequest, seed: int) -> tuple[bool, int]:
    """Whether one run finds the mutant, and after how many inputs and outputs it ended."""
    request = replace(base, suite=replace(base.suite, seed=seed), steps=STEPS, stop_on_failure=True, retries=0)
    plan = plan_for(model, base, at=Place())
    result = hold(StsSemantics(model), plan, request, StsModelSut(mutant, Random(seed))).result
    return result.verdict is Verdict.FAIL, result.steps


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
