"""Which timer was wrong, and by how much as far as tests tell: the true time is in an interval that is shown."""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from tests.cli.harness import Shell

MODEL = """
machine: statemachine
name: blinker
signals: {in: [go], out: [tick, done, start]}
initial: off
states:
  "off": [{trigger: go, send: start, to: running}]
  running:
    - {every: TICK s, kind: internal, send: tick}
    - {after: END s, send: done, to: "off"}
"""


def _seconds(text: str) -> Fraction:
    number, unit = text.split()
    return Fraction(number) * {"s": 1, "ms": Fraction(1, 1000), "min": 60}[unit]


def _holds(text: str, time: Fraction) -> bool:
    if between := re.search(r"expires between (.+?) and (.+?), should", text):
        return _seconds(between[1]) <= time <= _seconds(between[2])
    if before := re.search(r"expires before (.+?), should", text):
        return time <= _seconds(before[1])
    after = re.search(r"expires after more than (.+?), or never, should", text)
    assert after is not None, text
    return time >= _seconds(after[1])


@pytest.mark.parametrize(("tick", "end"), [(2, 5.5), (2, 9), (2, 5), (3, 7), (1.5, 7), (2.5, 7)])
def test_the_true_time_is_in_the_interval(tick: float, end: float, tmp_path: Path,
                                          capsys: pytest.CaptureFixture[str]):  # fmt: skip
    model, system = tmp_path / "model.yaml", tmp_path / "system.yaml"
    model.write_text(MODEL.replace("TICK", "2").replace("END", "7"))
    system.write_text(MODEL.replace("TICK", str(tick)).replace("END", str(end)))
    ended = Shell(capsys)("run", model, "--faults", "duration", "--sut", f"model:{system}", "--json")
    assert ended.code == 1, ended.err
    cause = json.loads(ended.out)["groups"][0]["cause"]
    name, time = ("every", tick) if tick != 2 else ("after", end)
    found = [text for text in cause["faults"] if name in text]
    assert found, cause
    assert any(_holds(text, Fraction(time)) for text in found), cause


def test_a_time_that_only_the_sum_of_several_times_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Three timers expire one after the other before a test looks; the interval is where the tests put it, no wider."""
    text = """
machine: statemachine
name: chain
signals: {in: [go], out: [a, b, c]}
initial: idle
states:
  idle: [{trigger: go, to: one}]
  one: [{after: 2 s, send: a, to: two}]
  two: [{after: 3 s, send: b, to: three}]
  three: [{after: 1 s, send: c, to: idle}]
"""
    (tmp_path / "model.yaml").write_text(text)
    (tmp_path / "system.yaml").write_text(text.replace("after: 2 s", "after: 2.9 s"))
    tests = [[{"trigger": "go"}, {"advance": seconds}] for seconds in (6.5, 7.5)]
    sha = hashlib.sha256(text.encode()).hexdigest()
    head = {"fullproof": "suite/1", "model": "chain", "model_sha256": sha, "kind": "statemachine", "tool": "hand",
            "relation": "equivalence", "method": "by hand", "extra_states": 0, "guarantee": "None."}  # fmt: skip
    lines = [head, *({"id": f"t-{k}", "inputs": inputs} for k, inputs in enumerate(tests))]
    (tmp_path / "suite.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ended = Shell(capsys)("run", tmp_path / "model.yaml", "--suite", tmp_path / "suite.jsonl", "--sut",
                          f"model:{tmp_path / 'system.yaml'}", "--json")  # fmt: skip
    cause = json.loads(ended.out)["groups"][0]["cause"]
    (found,) = cause["faults"]
    between = re.search(r"one after 2 s expires between (.+?) and (.+?), should be 2 s", found)
    assert between is not None, cause
    assert Fraction(5, 2) <= _seconds(between[1]) < Fraction(29, 10) < _seconds(between[2]) <= Fraction(7, 2)


def test_a_report_has_a_time_axis(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    model, system, report = tmp_path / "model.yaml", tmp_path / "system.yaml", tmp_path / "report"
    model.write_text(MODEL.replace("TICK", "2").replace("END", "7"))
    system.write_text(MODEL.replace("TICK", "2").replace("END", "5.5"))
    ended = Shell(capsys)("run", model, "--faults", "duration", "--sut", f"model:{system}", "--report", report)
    assert ended.code == 1
    assert re.search(r"^1 +0 s +trigger = go +send start", ended.out, re.MULTILINE)
    page = (report / "report.html").read_text()
    assert "The sequence in time" in page
    assert ">wait " in page
    assert '<g color="#c0392b"><g class="fp-output">' in page
    assert '<th scope="col">at</th>' in page
