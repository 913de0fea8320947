"""Which claim a suite is scored by: that of its guarantee, whatever else is said of the suite."""

from pathlib import Path

import pytest
from tests.shared import ROOT

from fullproof.artefacts.questions import MutateRequest, ScoreRequest
from fullproof.artefacts.request import SuiteRequest
from fullproof.kinds.score import ScoringBasis
from fullproof.kinds.suite_file import SuiteFile
from fullproof.pipeline import generate_for, score, score_files, write_generated, write_mutants

TURNSTILE = ROOT / "examples/turnstile/turnstile.yaml"


@pytest.fixture
def scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, ScoreRequest, list[ScoringBasis]]:
    suite, bases = tmp_path / "suite.jsonl", []
    write_generated(generate_for(TURNSTILE, SuiteRequest(), target=suite), suite, to_stdout=False)
    write_mutants(TURNSTILE, MutateRequest(folder=tmp_path / "mutants", sample=2))
    inner = score._scorer
    monkeypatch.setattr(score, "_scorer", lambda question: bases.append(question.basis) or inner(question))
    return suite, ScoreRequest(mutants=tmp_path / "mutants"), bases


def test_a_remark_does_not_cost_the_claim(scored, monkeypatch: pytest.MonkeyPatch) -> None:
    suite, request, bases = scored
    monkeypatch.setattr(SuiteFile, "notes", lambda *_: ("a remark",))
    assert score_files(TURNSTILE, suite, request).notes == ("a remark",)
    assert bases[0].claim is not None


def test_a_doubt_does(scored) -> None:
    suite, request, bases = scored
    lines = suite.read_text().splitlines(keepends=True)
    suite.write_text("".join(lines[:-1]))
    assert "does not apply" in score_files(TURNSTILE, suite, request).notes[0]
    assert bases[0].claim is None
