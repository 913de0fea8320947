"""Suites by regions from the command line: sizes, fields, the independent checker, mistakes in one line."""

import json
from pathlib import Path

import pytest
from tests.strategies.regions import counting_regions

from fullproof import generate
from fullproof.artefacts.questions import CertifyRequest
from fullproof.core.errors import UserError
from fullproof.pipeline.certification import certify_files
from fullproof.pipeline.models import check_file


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.yaml"
    path.write_text(counting_regions(2, 3))
    return path


def test_eight_regions_of_five_states(tmp_path: Path) -> None:
    path, target = tmp_path / "eight.yaml", tmp_path / "eight.jsonl"
    path.write_text(counting_regions(8))
    found = generate(path, output=target)
    assert found.tests + found.inputs <= 5_000
    assert found.details["regions"] == [
        {"regions": [f"r{k}"], "states": 5, "extra_states": 0, "cone": [f"r{k}"]} for k in range(8)
    ]
    assert "more than 1 region of 8 act on each other" in found.guarantee
    (answer,) = certify_files(path, [target], CertifyRequest())
    assert answer.complete is True
    assert answer.reason.count("r7: ") == 1


def test_all_regions_together(model: Path) -> None:
    whole, auto = generate(model, regions="all"), generate(model)
    names = ["r0", "r1"]
    assert whole.details["regions"] == [{"regions": names, "states": 9, "extra_states": 0, "cone": names}]
    assert whole.guarantee == auto.guarantee


def test_a_suite_that_lacks_tests_of_one_region(model: Path, tmp_path: Path) -> None:
    target = tmp_path / "s.jsonl"
    generate(model, regions="1", output=target)
    head, *tests = target.read_text().splitlines()
    kept = [line for line in tests if not any(e.get("trigger") == "back1" for e in json.loads(line)["inputs"])]
    assert len(kept) < len(tests)
    target.write_text("\n".join([head, *kept]) + "\n")
    (answer,) = certify_files(model, [target], CertifyRequest())
    assert answer.complete is False
    assert answer.reason.split(":")[0] in ("r0", "r1") and answer.witness


@pytest.mark.parametrize("asked", ["0", "-1", "some", "1.5", "²"])
def test_no_number_of_regions(model: Path, asked: str) -> None:
    with pytest.raises(UserError, match="--regions must be a number from 1 on, all or auto"):
        generate(model, regions=asked)


def test_models_without_regions(tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text("machine: fsm\ninitial: a\nstates: {a: [{when: x, then: y, to: a}]}\n")
    with pytest.raises(UserError, match="only charts have regions"):
        generate(path, regions="1")
    path.write_text("machine: statemachine\nsignals: {in: [x], out: [y]}\ninitial: a\n"
                    "states: {a: [{trigger: x, send: y, to: a}]}\n")  # fmt: skip
    with pytest.raises(UserError, match="two regions or more have outputs of their own"):
        generate(path, regions="1")
    assert "regions" not in generate(path).details


@pytest.mark.parametrize(
    ("arrow", "rule"),
    [
        ("{trigger: go0, raise: [go0], kind: internal}", "livelock"),
        ("{trigger: go0, do: ['o0 = 2'], to: s0_3}", "nondeterministic"),
    ],
)
def test_what_is_wrong_with_a_region_of_a_chart_that_is_too_large_to_list(
    tmp_path: Path, arrow: str, rule: str
) -> None:
    text = counting_regions(8).replace("s0_2:\n", f"s0_2:\n            - {arrow}\n", 1)
    (tmp_path / "m.yaml").write_text(text)
    profile = check_file(tmp_path / "m.yaml")
    assert rule in [finding.rule for finding in profile.findings]
