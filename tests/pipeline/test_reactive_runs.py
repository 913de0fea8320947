"""Runs of purposes from end to end: the paper's numbers, the three outcomes, soundness under attack."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from benchmarks.attack_sts import (
    FULL,
    QUICK,
    Conforming,
    Crossing,
    run,
    shortest_difference,
)
from benchmarks.brp import load, steps
from benchmarks.random_sts import random_model, random_mutant
from tests.shared import REFERENCE

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import Criterion, PurposeOrder, RunRequest, SuiteRequest, Values
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.kinds.sts.model_system import StsModelSut
from fullproof.pipeline import generate_for, run_suite, write_generated

BRP = REFERENCE / "brp"
EXAMPLE = REFERENCE / "sts-example" / "example.yaml"


def outcome(path: Path, sut: str, **options):
    suite = options.pop("suite", SuiteRequest(seed=1))
    request = RunRequest(suite=suite, sut=sut, silence=0.1, **options)
    return run_suite(path, request, progress=unheard)


@pytest.mark.parametrize(("mutant", "count"), [(1, 44), (2, 16), (3, 8), (4, 6), (5, 18)])
def test_table_1_of_the_paper(mutant: int, count: int) -> None:
    sut = f"model:{BRP / f'mutant{mutant}.yaml'}"
    result = outcome(BRP / "brp.yaml", sut, order=PurposeOrder.LONGEST, stop_on_failure=True).record.result
    assert (result.verdict, result.steps) == (Verdict.FAIL, count)


@pytest.mark.parametrize("mutant", range(1, 7))
def test_the_default_needs_fewer_inputs_and_outputs_on_the_whole(mutant: int) -> None:
    ceiling = (4, 18, 10, 8, 20, 30)[mutant - 1]
    assert max(steps(load("brp"), load(f"mutant{mutant}"), "default", 6)) <= ceiling


@pytest.mark.parametrize("values", list(Values))
@pytest.mark.parametrize("criterion", [Criterion.SWITCH, Criterion.SWITCH_PAIR])
def test_brp_passes_against_itself(values: Values, criterion: Criterion) -> None:
    suite = SuiteRequest(seed=1, coverage=criterion)
    found = outcome(BRP / "brp.yaml", f"model:{BRP / 'brp.yaml'}", suite=suite, values=values)
    result = found.record.result
    assert (result.verdict, result.coverage.covered, result.inconclusive) == (Verdict.PASS, 16, 0)


def test_a_random_walk_needs_no_purposes() -> None:
    suite = SuiteRequest(seed=1, method="random", max_length=300)
    sut = f"model:{BRP / 'mutant1.yaml'}"
    result = outcome(BRP / "brp.yaml", sut, suite=suite).record.result
    assert result.verdict is Verdict.FAIL
    assert outcome(BRP / "brp.yaml", f"model:{BRP / 'brp.yaml'}", suite=suite).record.result.verdict is Verdict.PASS


def test_a_suite_file_runs_as_it_was_generated(tmp_path: Path) -> None:
    target = tmp_path / "purposes.jsonl"
    suite = generate_for(EXAMPLE, SuiteRequest(coverage=Criterion.BOUNDARY), target=target)
    summary = write_generated(suite, target, to_stdout=False)
    assert summary.details["purposes"] == summary.tests
    result = outcome(EXAMPLE, f"model:{EXAMPLE}", suite_file=target, retries=0).record.result
    assert result.tests == summary.tests
    assert result.verdict is Verdict.PASS


def test_a_suite_of_another_model_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "purposes.jsonl"
    write_generated(generate_for(EXAMPLE, SuiteRequest(), target=target), target, to_stdout=False)
    with pytest.raises(UserError, match="not a switch of the model"):
        outcome(BRP / "brp.yaml", f"model:{BRP / 'brp.yaml'}", suite_file=target)


QUIESCENT = """
machine: sts
name: door
inputs: {knock: {}, ring: {}}
outputs: {open: {}, call: {}}
initial: closed
states:
  closed:
    - {gate: knock, to: perhaps}
    - {gate: knock, to: closed}
    - {gate: ring, to: ringing}
  perhaps:
    - {gate: open, to: closed}
  ringing:
    - {gate: call, to: closed}
"""


@pytest.mark.parametrize(
    ("behaviour", "verdict"),
    [
        ({"knock": None, "ring": None}, Verdict.FAIL),
        ({"knock": None, "ring": "call"}, Verdict.PASS),
        ({"knock": None, "ring": "call"}, Verdict.INCONCLUSIVE),
        ({"knock": "call", "ring": "call"}, Verdict.FAIL),
    ],
    ids=["silent where it should answer", "silent where it may be", "silent where an output was wanted", "wrong"],
)
def test_three_outcomes_of_silence(behaviour: dict, verdict: Verdict, tmp_path: Path) -> None:
    calm = QUIESCENT.replace("    - {gate: knock, to: perhaps}\n", "")  # then nothing ever opens it
    (tmp_path / "door.yaml").write_text(calm if verdict is Verdict.PASS else QUIESCENT)
    (tmp_path / "door.py").write_text(
        f"REACTION = {behaviour!r}\n"
        "class Door:\n"
        "    def reset(self): self.due = None\n"
        "    def send(self, gate): self.due = REACTION[gate]\n"
        "    def receive(self, timeout):\n"
        "        due, self.due = self.due, None\n"
        "        return None if due is None else (due, ())\n"
    )
    found = outcome(tmp_path / "door.yaml", f"python:{tmp_path / 'door.py'}:Door")
    assert found.record.result.verdict is verdict
    if verdict is Verdict.INCONCLUSIVE:
        row = next(row for row in found.record.tests if row.verdict is Verdict.INCONCLUSIVE)
        assert "may stay silent here, and did; the purpose wanted perhaps:open" in row.reason
        assert any("perhaps:open" in note for note in found.notes)


def test_a_failing_purpose_does_not_hide_what_lies_behind_it() -> None:
    found = outcome(BRP / "brp.yaml", f"model:{BRP / 'mutant1.yaml'}")
    assert found.record.result.coverage.covered == 15  # all but what follows the fault itself
    assert found.record.result.resets > 1


@pytest.mark.parametrize("kind", [Conforming, Crossing])
@pytest.mark.parametrize("seed", range(20))
def test_conforming_systems_never_fail(seed: int, kind) -> None:
    model = random_model(Random(f"sound {seed}"))
    campaign = FULL if seed % 10 == 0 else QUICK
    for result in run(model, kind(model, Random(f"system {seed}")), campaign, seed):
        assert result.verdict in (Verdict.PASS, Verdict.INCONCLUSIVE), result.failures


@pytest.mark.parametrize("seed", range(20))
def test_models_conform_to_themselves(seed: int) -> None:
    model = random_model(Random(f"itself {seed}"))
    for result in run(model, StsModelSut(model, Random(seed)), QUICK, seed):
        assert result.verdict in (Verdict.PASS, Verdict.INCONCLUSIVE), result.failures


def test_mutants_that_differ_are_found() -> None:
    found = differing = 0
    for seed in range(40):
        random = Random(f"found {seed}")
        model = random_model(random)
        mutant = random_mutant(random, model)
        if shortest_difference(model, mutant, depth=6) is not None:
            differing += 1
            results = run(model, StsModelSut(mutant, Random(seed)), FULL, seed)
            found += any(result.verdict is Verdict.FAIL for result in results)
    assert differing > 10
    assert found >= 0.95 * differing


def test_the_same_seed_gives_the_same_run() -> None:
    sut = f"model:{BRP / 'mutant6.yaml'}"
    first, second = (replace(outcome(BRP / "brp.yaml", sut, repeat=3).record.result, seconds=0) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"suite": SuiteRequest(method="wp")}, "unknown method 'wp' for an sts"),
        ({"share_prefixes": True}, "driven one by one"),
    ],
)
def test_what_a_run_of_an_sts_does_not_do(options: dict, message: str) -> None:
    with pytest.raises(UserError, match=message):
        outcome(EXAMPLE, f"model:{EXAMPLE}", **options)
