"""Property runs from the model file to the report."""

import json
import re
from pathlib import Path

import pytest
from tests.shared import REFERENCE

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.questions import JudgeRequest
from fullproof.artefacts.request import Relation, RunRequest, SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import Place, UserError
from fullproof.formats import read_model
from fullproof.kinds import kind_of
from fullproof.pipeline import run_suite
from fullproof.pipeline.judgement import judge_journal
from fullproof.pipeline.suites import generate_for, write_generated

BRAKE, ALARM = REFERENCE / "brake", REFERENCE / "alarm"


def _run(
    model: Path, sut: Path, *properties: str, suite: Path | None = None, report: Path | None = None, jobs: int = 1
):
    request = RunRequest(
        suite=SuiteRequest(properties=properties, seed=1),
        suite_file=suite,
        sut=f"model:{sut}",
        repeat=8,
        report=report,
        jobs=jobs,
    )
    return run_suite(model, request, progress=unheard).record


@pytest.mark.parametrize(
    ("mutant", "violated"), [("ibrake.yaml", {"R2"}), ("ibrake1.yaml", {"R2"}), ("ibrake2.yaml", set())]
)
def test_mutants_of_the_brake(mutant: str, violated: set[str], tmp_path: Path) -> None:
    """Paper 000: IBRAKE satisfies R1 and violates R2; all mutants fail."""
    record = _run(BRAKE / "brake.yaml", BRAKE / mutant, "R1", "R2", report=tmp_path)
    assert record.result.verdict is Verdict.FAIL
    assert record.result.violations is not None
    assert {name for name, count in record.result.violations.items() if count} == violated
    written = json.loads((tmp_path / "report.json").read_text())
    assert written["properties"] == record.result.violations
    for failure in written["failures"]:
        if failure["verdict"] == "fail":
            assert bool(failure["violates"]) != ("no property asked for is violated" in failure["reason"])
    page = (tmp_path / "report.html").read_text()
    assert ("violates R2 at step" in page) == bool(violated)
    assert "property R1 is violated by no test" in page


def test_violations_are_at_the_step_that_shows_them(tmp_path: Path) -> None:
    record = _run(ALARM / "alarm.yaml", ALARM / "early-alarm.yaml", "R1", report=tmp_path)
    telling = [failure for failure in record.result.failures if failure.violates]
    assert telling
    rows = {row.id: row for row in record.tests}
    for failure in telling:
        (violation,) = failure.violates or ()
        steps = rows[failure.test].steps
        bad = next(k for k, row in enumerate(steps, 1) if re.search(r"y = A$", row.observed))
        assert (bad, violation.property) == (violation.step, "R1")
        assert not steps[bad - 1].ok


def test_several_instances_see_the_same() -> None:
    one, two = (_run(ALARM / "alarm.yaml", ALARM / "early-alarm.yaml", "R1", jobs=jobs).result for jobs in (1, 2))
    assert one.failures == two.failures
    assert one.violations == two.violations


def test_a_suite_file_for_properties_watches_those_that_hold(tmp_path: Path) -> None:
    model = tmp_path / "brake.yaml"
    model.write_text((BRAKE / "brake.yaml").read_text().replace("properties:\n", "properties:\n  R0: G(y < 1)\n"))
    suite = tmp_path / "suite.jsonl"
    made = generate_for(model, SuiteRequest(properties=("R1",)))
    write_generated(made, suite, to_stdout=False)
    result = _run(model, BRAKE / "ibrake.yaml", suite=suite).result
    assert result.violations is not None
    assert set(result.violations) == {"R1", "R2"}
    with pytest.raises(UserError, match="violates its own property R0"):
        _run(model, BRAKE / "ibrake.yaml", "R0", suite=suite)


def test_derived_faults_are_told_apart(tmp_path: Path) -> None:
    """A system that never reaches the end of a range may use the strict bound that --mutate-outputs thinks of."""
    model, system = tmp_path / "model.yaml", tmp_path / "system.yaml"
    text = (
        "machine: sfsm\nname: m\ninputs: {x: int 0..1}\noutputs: {y: int 0..9}\ninitial: s\n"
        "states:\n  s:\n    - {when: true, then: y <= 5, to: s}\n"
    )
    model.write_text(text)
    system.write_text(text.replace("y <= 5", "y < 5"))
    verdicts = []
    for mutate in (False, True):
        request = RunRequest(suite=SuiteRequest(mutate_outputs=mutate, seed=1), sut=f"model:{system}", repeat=30)
        verdicts.append(run_suite(model, request, progress=unheard).record.result.verdict)
    assert verdicts == [Verdict.PASS, Verdict.FAIL]


def test_what_cannot_be_watched_is_said() -> None:
    model, inferior = read_model(BRAKE / "brake.yaml"), read_model(BRAKE / "ibrake.yaml")
    monitored = kind_of(model).monitored
    assert monitored(model, Relation.EQUIVALENCE, (), Place()) == ()
    with pytest.raises(UserError, match="unknown property 'R3'"):
        monitored(model, Relation.PROPERTY, ("R3",), Place())
    with pytest.raises(UserError, match="there is none"):
        monitored(inferior, Relation.PROPERTY, (), Place())


def test_repetitions_may_end_once_everything_was_seen(tmp_path: Path) -> None:
    def outcome(**more):
        request = RunRequest(
            suite=SuiteRequest(seed=1),
            sut=f"model:{ALARM / 'alarm.yaml'}",
            repeat=60,
            report=tmp_path,
            **more,
        )
        return run_suite(ALARM / "alarm.yaml", request, progress=unheard)

    full, short, crowd = outcome(), outcome(until_seen=True), outcome(until_seen=True, jobs=2)
    assert full.record.result.verdict is Verdict.PASS
    assert full.record.result.resets == crowd.record.result.resets == 60 * full.record.result.tests
    assert short.record.result.verdict is Verdict.PASS
    assert short.record.result.tests == full.record.result.tests
    assert short.record.result.resets < full.record.result.resets / 4
    assert not any("until" in note for note in full.notes)
    assert any("repeated until all answers" in note for note in short.notes)
    assert any("no effect with --jobs" in note for note in crowd.notes)


def test_a_journal_with_fewer_repetitions_is_judged_alike(tmp_path: Path) -> None:
    request = RunRequest(
        suite=SuiteRequest(seed=1, properties=("R1",)),
        sut=f"model:{ALARM / 'early-alarm.yaml'}",
        repeat=20,
        report=tmp_path,
        until_seen=True,
    )
    done = run_suite(ALARM / "alarm.yaml", request, progress=unheard)
    again = judge_journal(tmp_path / "run.sqlite", JudgeRequest(), progress=unheard)
    assert again.record.result.failures == done.record.result.failures
    assert again.record.result.violations == done.record.result.violations
