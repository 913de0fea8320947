"""A model with internal steps through the whole pipeline."""

import io
import json
from pathlib import Path

import pytest
from tests.cli.harness import Shell

from fullproof.execute.simulate import simulate
from fullproof.formats import read_model
from fullproof.kinds import play

COURIER = """\
machine: sts
name: courier
variables: {held: int 0..3 = 0}
inputs: {post: {n: int 1..3}}
outputs: {deliver: {n: int 1..3}, sorry: {}}
initial: idle
states:
  idle:
    - {gate: post, set: {held: n}, to: road}
  road:
    - {gate: tau, when: held == 3, set: {held: 0}, to: lost}
    - {gate: deliver, when: n == held, to: idle}
  lost:
    - {gate: sorry, to: idle}
"""


@pytest.fixture
def courier(tmp_path: Path) -> Path:
    path = tmp_path / "courier.yaml"
    path.write_text(COURIER)
    return path


def changed(courier: Path, old: str, new: str) -> Path:
    assert old in COURIER
    path = courier.with_name("changed.yaml")
    path.write_text(COURIER.replace(old, new))
    return path


@pytest.mark.parametrize("ending", ["yaml", "json", "mmd"])
def test_converting_keeps_internal_steps(fullproof: Shell, courier: Path, ending: str) -> None:
    target = courier.with_name(f"copy.{ending}")
    assert fullproof("convert", courier, target, "--quiet").code == 0
    assert read_model(target) == read_model(courier)


def test_a_picture_has_them(fullproof: Shell, courier: Path) -> None:
    target = courier.with_name("courier.dot")
    assert fullproof("draw", courier, "-o", target, "--quiet").code == 0
    assert "tau [held == 3]" in target.read_text()


def test_check_counts_them_as_hidden(fullproof: Shell, courier: Path) -> None:
    profile = fullproof("check", courier, "--json").json
    assert (profile["deterministic"], profile["complete"], profile["connected"]) == (False, False, True)
    rules = {finding["rule"]: finding for finding in profile["findings"]}
    assert "divergence" not in rules
    assert rules["quiescent"]["where"] == "location idle"


def test_endless_internal_steps_have_a_witness(fullproof: Shell, courier: Path) -> None:
    again = "    - {gate: tau, when: held == 0, set: {held: 3}, to: road}\n"
    back = changed(courier, "    - {gate: sorry,", again + "    - {gate: sorry,")
    found = fullproof("check", back, "--json").json["findings"]
    (finding,) = [finding for finding in found if finding["rule"] == "divergence"]
    assert finding["severity"] == "warning"
    assert finding["witness"] in ({"held": 3}, {"held": 0})
    assert "road -> lost -> road" in finding["message"] or "lost -> road -> lost" in finding["message"]


def test_runs_pass_and_fail(fullproof: Shell, courier: Path) -> None:
    right = fullproof("run", courier, "--sut", f"model:{courier}", "--repeat", "20", "--retries", "20", "--json")
    assert (right.code, right.json["coverage"]) == (0, {"transitions": 4, "of": 4})
    silent = changed(courier, "    - {gate: sorry, to: idle}", "    - {gate: post, to: idle}")
    wrong = fullproof("run", courier, "--sut", f"model:{silent}", "--repeat", "20", "--stop-on-failure", "--json")
    assert (wrong.code, wrong.json["failures"][0]["observed"]) == (1, "silence")
    eager = changed(courier, "held == 3", "held >= 2")
    wrong = fullproof("run", courier, "--sut", f"model:{eager}", "--repeat", "20", "--stop-on-failure", "--json")
    assert (wrong.code, wrong.json["failures"][0]["observed"][0]) == (1, "sorry")


def test_suites_name_them_and_are_read_back(fullproof: Shell, courier: Path) -> None:
    suite = courier.with_name("suite.jsonl")
    assert fullproof("generate", courier, "-o", suite, "--quiet").code == 0
    tests = [json.loads(line)["inputs"] for line in suite.read_text().splitlines()[1:]]
    assert any("road:tau" in test for test in tests)
    assert fullproof("run", courier, "--sut", f"model:{courier}", "--suite", suite, "--retries", "9").code in (0, 6)


def test_compare_sees_through_them(fullproof: Shell, courier: Path) -> None:
    assert fullproof("compare", courier, courier).out == "courier.yaml conforms to courier.yaml (ioco): no difference\n"
    never = changed(courier, "    - {gate: tau, when: held == 3, set: {held: 0}, to: lost}\n", "")
    assert fullproof("compare", courier, never).code == 0
    more = fullproof("compare", never, courier, "--json")
    assert more.code == 1
    assert more.json["counterexample"]["trace"] == [{"send": ["post", [3]]}]
    assert more.json["counterexample"]["observed"] == {"emit": ["sorry", []]}


def test_simulate_takes_them(courier: Path) -> None:
    lines, out = "".join(json.dumps(line) + "\n" for line in [{"send": ["post", [3]]}] * 40), io.StringIO()
    simulate(read_model(courier), io.StringIO(lines), out, play=play)
    gates = {json.loads(line)["emit"][0] for line in out.getvalue().splitlines()}
    assert gates == {"deliver", "sorry"}
