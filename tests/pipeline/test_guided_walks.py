"""The default of a run: purposes, then walks to what was tried least, within a budget of inputs and outputs."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from benchmarks.equal_steps_sts import compare, finds, load, random_ones, request_for
from benchmarks.strangers.services import random_protocol
from benchmarks.sts_sessions import hold
from tests.pipeline.test_reactive_journals import cut

from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import Place
from fullproof.kinds.sts.conduct import plan_for
from fullproof.kinds.sts.model_system import StsModelSut
from fullproof.pipeline import run_suite

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples" / "protocols"
STRANGERS = ROOT / "benchmarks" / "strangers"


@pytest.mark.parametrize(
    ("folder", "mutant"), [("login", 1), ("login", 2), ("bounded-queue", 4), ("alternating-bit", 2)]
)
def test_faults_that_need_a_certain_sequence_or_value_are_found(folder: str, mutant: int) -> None:
    model, system = load(EXAMPLES / folder / "model.yaml"), load(EXAMPLES / folder / f"mutant{mutant}.yaml")
    request = request_for("auto", 0, 2000)
    assert finds(StsSemantics(model), plan_for(model, request, sha256="", at=Place()), system, request)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 8])
def test_the_default_finds_no_less_than_the_others_at_equal_steps(seed: int) -> None:
    (protocol,) = random_ones(range(seed, seed + 1), 5)
    found = compare(protocol, steps=500)
    assert sum(found["auto"]) >= max(sum(found["switch"]), sum(found["random"]))


@pytest.mark.parametrize("seed", range(3))
def test_a_protocol_passes_against_itself(seed: int) -> None:
    model = random_protocol(seed)
    request = request_for("auto", seed, 400)
    plan = plan_for(model, request, sha256="", at=Place())
    assert not finds(StsSemantics(model), plan, model, request)


def events_of(model, request: RunRequest) -> list:
    kept: list = []
    plan = plan_for(model, request, at=Place())
    hold(StsSemantics(model), plan, request, StsModelSut(model, Random(1)), seen=kept.append)
    return kept


@pytest.mark.parametrize("method", ["auto", "switch", "tour", "random"])
def test_the_budget_ends_a_run(method: str) -> None:
    model = load(EXAMPLES / "login" / "model.yaml")
    kept = events_of(model, request_for(method, 0, 300))
    steps = sum(conversation.length for conversation in kept)
    longest = max(conversation.length for conversation in kept)
    assert 300 <= steps < 300 + longest
    if method in ("auto", "random"):
        assert steps == 300


def test_a_run_is_the_same_twice() -> None:
    model = random_protocol(5)
    request = request_for("auto", 7, 300)
    assert events_of(model, request) == events_of(model, request)


def test_walks_are_resumed_and_judged_as_they_were(tmp_path: Path) -> None:
    path, journal = EXAMPLES / "token-bucket" / "model.yaml", tmp_path / "j"
    request = RunRequest(suite=SuiteRequest(seed=3), sut=f"model:{path}", steps=400, journal=journal)
    whole = run_suite(path, request, progress=unheard).record.result
    cut(journal, 3)
    again = run_suite(path, replace(request, resume=True), progress=unheard).record.result
    assert (again.verdict, again.steps, again.tests) == (whole.verdict, whole.steps, whole.tests)
    assert whole.steps == 400
    assert whole.verdict is Verdict.PASS


def test_walks_end_after_some_of_them_failed() -> None:
    model, system = load(EXAMPLES / "login" / "model.yaml"), load(EXAMPLES / "login" / "mutant3.yaml")
    request = replace(request_for("auto", 0, 2000), stop_on_failure=False)
    plan = plan_for(model, request, at=Place())
    held = hold(StsSemantics(model), plan, request, StsModelSut(system, Random(1)))
    assert held.coverage.failed_walks == 3


def test_a_system_that_takes_nothing_ends_the_walks() -> None:
    model = replace(random_protocol(1), transitions=random_protocol(1).transitions[:0])
    quiet = replace(random_protocol(1), name="quiet")
    assert model.transitions == ()
    request = request_for("random", 0, 50)
    plan = plan_for(model, request, at=Place())
    assert hold(StsSemantics(model), plan, request, StsModelSut(quiet, Random(1))).result.steps == 0
