"""Forty protocols with four hundred faults: the default, switch coverage and a random walk at equal steps.

Ten protocols are written by hand (three of `strangers/`, the six of `examples/protocols`, the bounded retransmission
protocol), thirty are put together at random (`strangers/services.py`). Each way gets the same number of inputs and
outputs against each faulty system; a fail or a breakdown of the system counts as found. With `held-out`: forty
other random protocols, none of which was looked at before the defaults were fixed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from benchmarks.strangers.first import FAULTS
from benchmarks.strangers.services import faulty, random_protocol
from benchmarks.sts_sessions import hold
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import Place
from fullproof.formats import read_model
from fullproof.kinds.sts.conduct import plan_for
from fullproof.kinds.sts.model_system import StsModelSut
from fullproof.kinds.sts.session import PurposePlan
from fullproof.model import Sts

ROOT = Path(__file__).resolve().parent.parent
STEPS = 500
WAYS = ("auto", "switch", "random")
PROTOCOLS, FAULTS_EACH = 30, 12
HELD_OUT = range(1000, 1040)


@dataclass(frozen=True)
class Protocol:
    """A model with faulty systems, each with what is wrong with it."""

    name: str
    model: Sts
    systems: tuple[tuple[str, Sts], ...]


def load(path: Path) -> Sts:
    """A model of kind sts."""
    model = read_model(path)
    assert isinstance(model, Sts)
    return model


def written() -> Iterator[Protocol]:
    """The three of `strangers/`."""
    with tempfile.TemporaryDirectory() as folder:
        for name, faults in FAULTS.items():
            path = ROOT / "benchmarks" / "strangers" / f"{name}.yaml"
            text, systems = path.read_text(), []
            for place, (what, old, new) in enumerate(faults):
                assert text.count(old) == 1, (name, what)
                changed = Path(folder) / f"{name}{place}.yaml"
                changed.write_text(text.replace(old, new))
                systems.append((what, load(changed)))
            yield Protocol(name, load(path), tuple(systems))


def in_folders() -> Iterator[Protocol]:
    """The protocols that have their mutants in files."""
    brp = ROOT / "tests" / "data" / "reference" / "brp"
    yield Protocol("brp", load(brp / "brp.yaml"), tuple(_mutants(brp)))
    for folder in sorted(path for path in (ROOT / "examples" / "protocols").iterdir() if path.is_dir()):
        yield Protocol(folder.name, load(folder / "model.yaml"), tuple(_mutants(folder)))


def _mutants(folder: Path) -> Iterator[tuple[str, Sts]]:
    for path in sorted(folder.glob("mutant*.yaml")):
        yield path.stem, load(path)


def random_ones(seeds: range, faults: int) -> Iterator[Protocol]:
    """Protocols made of services."""
    for seed in seeds:
        model = random_protocol(seed)
        yield Protocol(model.name, model, tuple(islice(faulty(model, f"faults {seed}"), faults)))


def request_for(way: str, seed: int, steps: int) -> RunRequest:
    """One run with a budget."""
    return RunRequest(suite=SuiteRequest(method=way, seed=seed), sut="", steps=steps, stop_on_failure=True)


def finds(semantics: StsSemantics, plan: PurposePlan, system: Sts, request: RunRequest) -> bool:
    """Whether one run tells the system from its model."""
    seed = request.suite.seed
    played = StsModelSut(system, Random(f"system {seed}"))
    return hold(semantics, plan, request, played).result.verdict in (Verdict.FAIL, Verdict.ERROR)


def compare(protocol: Protocol, *, steps: int, seed: int = 0) -> dict[str, list[bool]]:
    """What each way finds, fault by fault."""
    semantics = StsSemantics(protocol.model)
    found: dict[str, list[bool]] = {}
    for way in WAYS:
        request = request_for(way, seed, steps)
        plan = plan_for(protocol.model, request, sha256="", at=Place())
        found[way] = [finds(semantics, plan, system, request) for _, system in protocol.systems]
    return found


def run(protocols: Iterator[Protocol], steps: int) -> None:
    """Print a line for each protocol, and the sums."""
    total, as_good, count, faults, none = dict.fromkeys(WAYS, 0), 0, 0, 0, 0
    for protocol in protocols:
        found = compare(protocol, steps=steps)
        hits = {way: sum(results) for way, results in found.items()}
        count += 1
        faults += len(protocol.systems)
        none += sum(not any(results) for results in zip(*found.values(), strict=True))
        as_good += hits["auto"] >= max(hits["switch"], hits["random"])
        for way in WAYS:
            total[way] += hits[way]
        missed = [
            protocol.systems[k][0]
            for k, hit in enumerate(found["auto"])
            if not hit and any(found[way][k] for way in WAYS)
        ]
        shown = "".join(f"{hits[way]:>8}" for way in WAYS)
        print(f"{protocol.name:<18}{len(protocol.systems):>4}{shown}  {'; '.join(missed)}", flush=True)
    print(f"{count} protocols, {faults} faults, {steps:,} steps each: {total}; found by none: {none}")
    print(f"default at least as good as the better of both on {as_good} of {count}")


def main() -> None:
    """Attack."""
    print(f"{'':<18}{'all':>4}" + "".join(f"{way:>8}" for way in WAYS) + "  missed by auto alone or not by all")
    if "held-out" in sys.argv[1:]:
        run(random_ones(HELD_OUT, 10), STEPS)
        return
    run((p for ps in (written(), in_folders(), random_ones(range(PROTOCOLS), FAULTS_EACH)) for p in ps), STEPS)


if __name__ == "__main__":
    main()
