"""Which timer was wrong, and by how much as far as tests tell: the true time is in an interval that is shown."""

from __future__ import annotations

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
    assert '<th scope="col">at</th>' in page
