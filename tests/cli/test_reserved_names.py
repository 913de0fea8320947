"""The keys of the protocol, ``trigger`` and ``send``, where a model may use them itself and where it may not."""

import json

import pytest

MACHINE = """machine: statemachine
name: m
signals: {in: [go, 1/2], out: [beep]}
inputs: {x: int 0..9}
outputs: {y: int = 0}
variables: {m: int = 0}
initial: s
states:
  s:
    - {trigger: go, do: [y = x], send: [beep], to: s}
    - {trigger: 1/2, do: [y = x + 1], to: s}
"""

CHART = """<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="s" name="c">
  <datamodel><data id="trigger" expr="0"/></datamodel>
  <state id="s"><transition event="go" target="s"><assign location="trigger" expr="1"/></transition></state>
</scxml>
"""

SYMBOLIC = """machine: sfsm
name: s
inputs: {trigger: int 0..3}
outputs: {send: int 0..4}
initial: a
states:
  a:
    - {when: trigger < 2, then: send == trigger, to: a}
    - {when: trigger >= 2, then: send == trigger + 1, to: a}
"""


@pytest.mark.parametrize(
    ("old", "name"), [("x: int 0..9", "trigger"), ("y: int = 0", "send"), ("m: int = 0", "trigger")]
)
def test_check_refuses_a_variable_of_such_a_name_in_one_line(fullproof, tmp_path, old, name):
    model = tmp_path / "m.yaml"
    model.write_text(MACHINE.replace(old, f"{old}, {name}: int 0..9 = 0"))
    ended = fullproof("check", model)
    assert ended.code == 4
    (line,) = ended.err.splitlines()
    number = next(k for k, text in enumerate(MACHINE.splitlines(), 1) if old in text)
    assert f"m.yaml, line {number}, column {MACHINE.splitlines()[number - 1].index(old) + len(old) + 3}" in line
    assert f": a variable of a statemachine cannot be called '{name}': suites and systems have " in line


def test_so_it_is_in_a_chart(fullproof, tmp_path):
    (tmp_path / "c.scxml").write_text(CHART)
    ended = fullproof("check", tmp_path / "c.scxml")
    assert ended.code == 4
    assert "cannot be called 'trigger'" in ended.err
    assert len(ended.err.splitlines()) == 1


def test_an_sfsm_may_use_both_names(fullproof, tmp_path):
    model, suite, journal = tmp_path / "s.yaml", tmp_path / "s.jsonl", tmp_path / "run.sqlite"
    model.write_text(SYMBOLIC)
    assert fullproof("generate", model, "-o", suite).code == 0
    assert all("trigger" in i for line in suite.read_text().splitlines()[1:] for i in json.loads(line)["inputs"])
    system = tmp_path / "s.py"
    system.write_text(
        "class S:\n    def reset(self): pass\n"
        "    def step(self, trigger): return trigger if trigger < 2 else trigger + 1\n"
    )
    ran = ("run", model, "--suite", suite, "--sut", f"python:{system}:S", "--journal", journal, "--json")
    assert fullproof(*ran).json["verdict"] == "pass"
    assert fullproof("judge", journal, "--json").json["verdict"] == "pass"


def test_a_signal_that_looks_like_a_number_stays_a_name(fullproof, tmp_path):
    model, suite, journal = tmp_path / "m.yaml", tmp_path / "m.jsonl", tmp_path / "run.sqlite"
    model.write_text(MACHINE)
    assert fullproof("generate", model, "-o", suite).code == 0
    assert '"1/2"' in suite.read_text()
    ran = fullproof("run", model, "--suite", suite, "--sut", f"model:{model}", "--journal", journal, "--json")
    assert (ran.code, ran.json["verdict"]) == (0, "pass")
    assert fullproof("judge", journal, "--json").json["verdict"] == "pass"
