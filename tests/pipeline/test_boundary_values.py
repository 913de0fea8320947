"""Suites of symbolic machines take values beside the boundaries, and say what stays outside of their fault domain."""

from pathlib import Path

import pytest
from tests.cli.harness import Shell

THERMOSTAT = """\
machine: sfsm
name: thermostat
inputs: {temp: int -20..60}
outputs: {heater: bool}
initial: idle
states:
  idle:
    - {when: temp < 18, then: heater == true, to: heating}
    - {when: temp >= 18, then: heater == false, to: idle}
  heating:
    - {when: temp > 21, then: heater == false, to: idle}
    - {when: temp <= 21, then: heater == true, to: heating}
"""
SYSTEM = """\
class Thermostat:
    def __init__(self):
        self.heating = False

    def step(self, temp):
        self.heating = temp <= 21 if self.heating else temp < 18
        return self.heating
"""
NOTE = (
    "wrong guards, such as temp < 19 instead of temp < 18, are outside of the fault domain; "
    "--mutate-guards adds typical ones"
)


def _run(tmp_path: Path, capsys, system: str, *options: str):
    (tmp_path / "model.yaml").write_text(THERMOSTAT)
    (tmp_path / "system.py").write_text(system)
    sut = f"python:{tmp_path / 'system.py'}:Thermostat"
    return Shell(capsys)("run", tmp_path / "model.yaml", "--sut", sut, "--json", *options)


OFF_BY_ONE = [("< 18", "< 17"), ("< 18", "< 19"), ("<= 21", "<= 20"), ("<= 21", "< 23")]


@pytest.mark.parametrize(
    ("method", "right", "wrong"),
    [*(("auto", *one) for one in OFF_BY_ONE), ("general", "< 18", "<= 18"), ("abstraction", "<= 21", "< 21")],
)
def test_guards_that_are_off_by_one_fail_by_default(
    tmp_path: Path, capsys, method: str, right: str, wrong: str
) -> None:
    ended = _run(tmp_path, capsys, SYSTEM.replace(right, wrong), "--method", method, "--no-isolate")
    assert (ended.code, ended.json["verdict"]) == (1, "fail")


def test_the_right_system_passes_and_the_result_says_what_is_outside(tmp_path: Path, capsys) -> None:
    ended = _run(tmp_path, capsys, SYSTEM, "--no-isolate")
    assert (ended.code, ended.json["verdict"]) == (0, "pass")
    assert NOTE in ended.json["notes"]


def test_with_guard_faults_in_the_domain_there_is_no_such_note(tmp_path: Path, capsys) -> None:
    ended = _run(tmp_path, capsys, SYSTEM, "--mutate-guards", "--no-isolate")
    assert not any("outside of the fault domain" in note for note in ended.json["notes"])


def test_values_differ_from_place_to_place(tmp_path: Path, capsys) -> None:
    (tmp_path / "model.yaml").write_text(THERMOSTAT)
    ended = Shell(capsys)("generate", tmp_path / "model.yaml", "-o", tmp_path / "suite.jsonl", "--json")
    text = (tmp_path / "suite.jsonl").read_text()
    assert ended.json["representatives"] == 3
    assert all(f'"temp":{value}' in text for value in (17, 18, 21, 22))
