"""Suites for faults by name, from the command line to the verdict on mutants."""

import json

import pytest

TURNSTILE = """\
machine: fsm
name: turnstile
initial: locked
states:
  locked:
    - {when: coin, then: unlock, to: open}
    - {when: push, then: beep, to: locked}
  open:
    - {when: coin, then: thanks, to: open}
    - {when: push, then: lock, to: locked}
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "turnstile.yaml"
    path.write_text(TURNSTILE)
    return path


def test_a_suite_for_named_faults_is_certified_for_them_and_kills_their_mutants(fullproof, model, tmp_path):
    suite, mutants = tmp_path / "suite.jsonl", tmp_path / "mutants"
    made = fullproof("generate", model, "--faults", "stuck,output", "-o", suite, "--json")
    assert made.code == 0
    assert made.json["faults"]["size"] == "2,500 machines"
    assert "stuck (the state does not change) or output (any output)" in made.json["guarantee"]
    head = json.loads(suite.read_text().splitlines()[0])
    assert json.loads(head["faults"]) == {"faults": ["stuck", "output"]}
    answer = fullproof("certify", model, suite, "--json")
    assert (answer.code, answer.json["complete"]) == (0, True)
    assert "none of 2,500 machines" in answer.json["reason"]
    assert fullproof("mutate", model, "--faults", "stuck,output", "-o", mutants, "--json").code == 0
    score = fullproof("score", model, "--suite", suite, "--mutants", mutants, "--json")
    assert score.code == 0
    assert score.json["killed"] == score.json["mutants"] - score.json["conforming"] > 20


def test_another_domain_is_refuted_with_a_survivor_that_passes(fullproof, model, tmp_path):
    suite, survivor = tmp_path / "suite.jsonl", tmp_path / "survivor.yaml"
    fullproof("generate", model, "--faults", "stuck", "-o", suite)
    answer = fullproof("certify", model, suite, "--faults", "output", "-o", survivor, "--json")
    assert (answer.code, answer.json["complete"]) == (1, False)
    assert fullproof("run", model, "--suite", suite, "--sut", f"model:{survivor}").code == 0
    assert fullproof("compare", model, survivor).code == 1


def test_the_model_may_name_its_faults(fullproof, model, tmp_path):
    model.write_text(TURNSTILE + "fault_domain: {faults: [transfer], states: [open], at_most: 1}\n")
    made = fullproof("generate", model, "-o", tmp_path / "s.jsonl", "--json")
    assert made.json["faults"]["name"] == "transfer (any target), only states open, at most 1 at once"
    assert made.json["faults"]["size"] == "3 machines"
    copy = tmp_path / "copy.json"
    assert fullproof("convert", model, copy).code == 0
    again = fullproof("generate", copy, "-o", tmp_path / "t.jsonl", "--json")
    assert again.json["faults"] == made.json["faults"]


def test_only_what_changed_since_an_older_model_may_be_wrong(fullproof, model, tmp_path):
    old = tmp_path / "old.yaml"
    old.write_text(TURNSTILE.replace("thanks", "beep").replace("open", "unlocked"))
    made = fullproof("generate", model, "--since", old, "--json")
    assert made.json["faults"]["size"] == "10 machines"
    assert fullproof("generate", model, "--since", model).code == 5


def test_listed_alternatives_come_from_a_file(fullproof, model, tmp_path):
    listed = tmp_path / "faults.yaml"
    listed.write_text("alternatives:\n  - {from: locked, when: push, to: open, then: [beep, lock]}\n")
    made = fullproof("generate", model, "--faults", listed, "--json")
    assert made.json["faults"]["size"] == "3 machines"
    assert made.json["inputs"] == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("faults: [stuck, foo]\n", "line 1, column 17: unknown fault 'foo'"),
        ("states: [open]\n", "line 1, column 9: a fault domain by name needs 'faults'"),
        ("alternatives: [{when: push, to: open}]\n", "line 1, column 16: the key 'from' is missing"),
        ("alternatives: [{from: open, when: push}]\n", "line 1, column 16: an alternative needs 'to' or 'then'"),
        ("fauts: [stuck]\n", "line 1, column 1: unknown key 'fauts' in a fault domain; did you mean 'faults'?"),
        ("faults: [stuck]\nstates: [opne]\n", "unknown state 'opne'"),
    ],
)
def test_mistakes_have_their_place(fullproof, model, tmp_path, text, complaint):
    listed = tmp_path / "faults.yaml"
    listed.write_text(text)
    answer = fullproof("generate", model, "--faults", listed)
    assert answer.code == 4
    assert complaint in answer.err


def test_what_faults_by_name_are_not_for(fullproof, model, tmp_path):
    assert "'stukc' is no fault; did you mean 'stuck'?" in fullproof("generate", model, "--faults", "stukc").err
    for options in (["--method", "w"], ["--relation", "reduction"], ["--shrink"], ["--certificate", tmp_path / "c"]):
        assert fullproof("generate", model, "--faults", "stuck", *options, "-o", tmp_path / "s").code == 4


CHART = """\
machine: statemachine
name: lamp
signals: {in: [press, hold]}
outputs: {light: 'enum none, white, red = none'}
initial: dark
states:
  dark:
    - {trigger: press, do: [light = white], to: lit}
    - {trigger: hold, do: [light = red], to: dark}
  lit:
    - {trigger: press, do: [light = none], to: dark}
    - {trigger: hold, do: [light = red], to: lit}
"""


def test_charts_have_faults_by_name(fullproof, tmp_path):
    chart, suite = tmp_path / "lamp.yaml", tmp_path / "lamp.jsonl"
    chart.write_text(CHART)
    made = fullproof("generate", chart, "--faults", "stuck", "-o", suite, "--json")
    assert made.code == 0, made.err
    assert made.json["method"] == "faults"
    assert "stuck (the state does not change)" in made.json["guarantee"]
    assert fullproof("certify", chart, suite, "--json").json["complete"] is True
    wider = fullproof("certify", chart, suite, "--faults", "output", "-o", tmp_path / "lamp.survivor.yaml", "--json")
    assert (wider.code, wider.json["complete"]) == (1, False)
    assert "machine: fsm" in (tmp_path / "lamp.survivor.yaml").read_text()
    assert fullproof("run", chart, "--suite", suite, "--sut", f"model:{chart}").code == 0
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(CHART.replace("light = none], to: dark", "light = none], to: lit"))
    assert fullproof("run", chart, "--suite", suite, "--sut", f"model:{wrong}").code == 1


def test_a_chart_may_name_its_faults_and_be_compared_with_an_older_one(fullproof, tmp_path):
    chart, old, suite = tmp_path / "lamp.yaml", tmp_path / "old.yaml", tmp_path / "lamp.jsonl"
    chart.write_text(CHART + "fault_domain: {faults: [transfer], states: [lit], inputs: [press]}\n")
    old.write_text(CHART.replace("light = none]", "light = red]"))
    named = fullproof("generate", chart, "-o", suite, "--json")
    assert "transfer (any target), only states lit" in named.json["faults"]["name"]
    changed = fullproof("generate", chart, "--faults", "transfer,output", "--since", old, "-o", suite, "--json")
    assert changed.code == 0
    assert "of the transitions" in changed.json["faults"]["name"]


def test_mutants_of_a_chart_are_machines_of_the_domain_and_die(fullproof, tmp_path):
    chart, suite, mutants = tmp_path / "lamp.yaml", tmp_path / "lamp.jsonl", tmp_path / "mutants"
    chart.write_text(CHART)
    fullproof("generate", chart, "--faults", "transfer,output", "-o", suite)
    made = fullproof("mutate", chart, "--faults", "transfer,output", "-o", mutants, "--json")
    assert made.code == 0, made.err
    assert {one["operator"] for one in made.json["mutants"]} == {"transfer", "output", "both"}
    assert "machine: statemachine" in (mutants / "mutant-0001.yaml").read_text()
    score = fullproof("score", chart, "--suite", suite, "--mutants", mutants, "--json")
    assert score.json["killed"] == score.json["mutants"] - score.json["conforming"] > 10
    assert fullproof("compare", chart, mutants / "mutant-0001.yaml").code == 1
