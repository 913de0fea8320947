"""A suite as a table goes wherever one as JSON Lines goes."""

from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import ROOT

DOOR = ROOT / "src/fullproof/cli/demo_data/model.yaml"
UNICODE = """
machine: fsm
name: größe, "groß"
initial: '0'
states:
  '0':
    - {when: 'a,b', then: ja, to: '1', req: [R 1]}
    - {when: '"x"', then: nein, to: '0'}
    - {when: '{', then: ja, to: '0'}
  '1':
    - {when: 'a,b', then: nein, to: '1'}
    - {when: '"x"', then: ja, to: '0', req: ['R,2']}
    - {when: '{', then: '日本', to: '1'}
requirements: {R 1: first, 'R,2': second}
"""


@pytest.fixture(params=["door", "unicode"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "door":
        return DOOR
    path = tmp_path / "model.yaml"
    path.write_text(UNICODE)
    return path


def test_generate_run_certify_and_score(fullproof: Shell, model: Path, tmp_path: Path) -> None:
    table, lines, folder = tmp_path / "suite.csv", tmp_path / "suite.jsonl", tmp_path / "mutants"
    made = [fullproof("generate", model, "--extra-states", 1, "-o", path, "--json").json for path in (table, lines)]
    assert {k: v for k, v in made[0].items() if k != "seconds"} == {k: v for k, v in made[1].items() if k != "seconds"}
    assert table.read_text().startswith("fullproof,suite/1\n")
    certified = [fullproof("certify", model, path, "--json") for path in (table, lines)]
    assert certified[0].json == certified[1].json
    assert (certified[0].code, certified[0].json["complete"]) == (0, True)
    ran = [
        fullproof("run", model, "--sut", f"model:{model}", "--suite", path, "--json").json for path in (table, lines)
    ]
    assert (ran[0]["verdict"], ran[0]["notes"], ran[0]["tests"]) == ("pass", [], made[0]["tests"])
    assert ran[0]["guarantee"] == ran[1]["guarantee"] == made[0]["guarantee"]
    fullproof("mutate", model, "--extra-states", 1, "--sample", 60, "-o", folder)
    scores = [fullproof("score", model, "--suite", path, "--mutants", folder, "--json") for path in (table, lines)]
    assert (scores[0].code, scores[0].json) == (0, scores[1].json)


def test_a_row_that_was_lost_is_noticed(fullproof: Shell, tmp_path: Path) -> None:
    suite = tmp_path / "suite.csv"
    fullproof("generate", DOOR, "--method", "walks", "--extra-states", 1, "-o", suite)
    rows = suite.read_text().splitlines(keepends=True)
    suite.write_text("".join(rows[:-1]))
    ended = fullproof("run", DOOR, "--sut", f"model:{DOOR}", "--suite", suite, "--json")
    assert ended.json["guarantee"].startswith("No guarantee")
    ended = fullproof("certify", DOOR, suite, "--json")
    assert (ended.code, ended.json["complete"]) == (1, False)
    suite.write_text("".join(rows).replace("test,covers,inputs", "test;covers;inputs"))
    ended = fullproof("certify", DOOR, suite)
    assert (ended.code, ended.out) == (4, "")
    heading = next(number for number, row in enumerate(rows, start=1) if row.startswith("test,"))
    assert f"line {heading}:" in ended.err
