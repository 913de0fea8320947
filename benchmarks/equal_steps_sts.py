"""Faulty systems that no choice of the defaults was made by: default, switch and random walk at equal steps.

Each way gets the same number of inputs and outputs; a fault counts for a way as often as a run of it fails.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from benchmarks.strangers.first import FAULTS

from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import Place
from fullproof.execute.adapters.reactive.model import StsModelSut
from fullproof.formats import read_model
from fullproof.model import Sts
from fullproof.pipeline.reactive_runs import Plan, Session, plan_for
from fullproof.pipeline.runs import RunRequest

FOLDER = Path(__file__).resolve().parent / "strangers"
STEPS = 2000
WAYS = ("auto", "switch", "random")


def request_for(way: str, seed: int, steps: int) -> RunRequest:
    """One run with a budget."""
    return RunRequest(suite=SuiteRequest(method=way, seed=seed), sut="", steps=steps, stop_on_failure=True, retries=4)


def attempt(model: Sts, plan: Plan, mutant: Sts, request: RunRequest) -> tuple[str, int]:
    """The verdict of one run, and how many inputs and outputs it took."""
    seed = request.suite.seed
    session = Session(StsSemantics(model), request, [StsModelSut(mutant, Random(f"system {seed}"))])
    result = session.run(plan, lambda _done, _total: None).result(seconds=0)
    return result.verdict.value, result.steps


def changed(text: str, old: str, new: str, folder: Path, name: str) -> Sts:
    """The model with a fault."""
    assert text.count(old) == 1, (name, old, text.count(old))
    path = folder / f"{name}.yaml"
    path.write_text(text.replace(old, new))
    model = read_model(path)
    assert isinstance(model, Sts)
    return model


def main() -> None:
    import tempfile

    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    seeds = range(int(sys.argv[2])) if len(sys.argv) > 2 else range(1)
    names = sys.argv[3].split(",") if len(sys.argv) > 3 else FAULTS
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = FOLDER / f"{name}.yaml"
            text, model = path.read_text(), read_model(path)
            assert isinstance(model, Sts)
            plans = {way: plan_for(model, request_for(way, 0, steps), sha256="", at=Place()) for way in WAYS}
            for place, (what, old, new) in enumerate(FAULTS[name]):
                mutant = changed(text, old, new, Path(folder), f"{name}{place}")
                cells = []
                for way in WAYS:
                    begin = time.perf_counter()
                    found = [attempt(model, plans[way], mutant, request_for(way, seed, steps)) for seed in seeds]
                    seconds = time.perf_counter() - begin
                    hits = [n for verdict, n in found if verdict in ("fail", "error")]
                    cells.append(f"{way} {len(hits)} {found[0][1]:>5} {seconds:4.1f}s")
                print(f"{name:<9}{'  '.join(cells)}  {what}", flush=True)


if __name__ == "__main__":
    main()
