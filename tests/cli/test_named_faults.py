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


def test_any_suite_is_certified_for_what_changed_since_an_older_model(fullproof, model, tmp_path):
    old, suite, idle = tmp_path / "old.yaml", tmp_path / "suite.jsonl", tmp_path / "idle.txt"
    old.write_text(TURNSTILE.replace("then: thanks", "then: unlock"))
    idle.write_text("push coin\n")
    assert fullproof("generate", model, "--since", old, "-o", suite).code == 0
    made = fullproof("certify", model, suite, idle, "--since", old, "--json").json["suites"]
    assert [answer["complete"] for answer in made] == [True, False]
    assert "none of 10 machines" in made[0]["reason"]
    refused = fullproof("certify", model, suite, "--since", old, "--certificate", tmp_path / "proof")
    assert "--certificate and --with are for a bound on states, not for --since" in refused.err


def test_only_what_changed_since_an_older_model_may_be_wrong(fullproof, model, tmp_path):
    old = tmp_path / "old.yaml"
    old.write_text(TURNSTILE.replace("thanks", "beep").replace("open", "unlocked"))
    made = fullproof("generate", model, "--since", old, "--json")
    assert made.json["faults"]["size"] == "10 machines"
    assert fullproof("generate", model, "--since", model).code == 5


def test_mutants_have_no_more_faults_than_the_domain_allows(fullproof, model, tmp_path):
    listed = tmp_path / "faults.yaml"
    listed.write_text("faults: [transfer, output]\nat_most: 1\n")
    answer = fullproof("mutate", model, "--faults", listed, "--order", "2", "-o", tmp_path / "two")
    assert answer.code == 4
    assert "at most 1 wrong transition at once, and mutants of --order 2 have more" in answer.err
    assert fullproof("mutate", model, "--faults", listed, "-o", tmp_path / "one").code == 0
    listed.write_text("faults: [transfer, output]\nat_most: 2\n")
    assert fullproof("mutate", model, "--faults", listed, "--order", "2", "-o", tmp_path / "two").code == 0


def test_listed_alternatives_come_from_a_file(fullproof, model, tmp_path):
    listed = tmp_path / "faults.yaml"
    listed.write_text("alternatives:\n  - {from: locked, when: push, to: open, then: [beep, lock]}\n")
    made = fullproof("generate", model, "--faults", listed, "--json")
    assert made.json["faults"]["size"] == "3 machines"
    assert made.json["faults"]["name"] == "the listed alternatives of 1 transition (locked --push-->)"
    assert made.json["inputs"] == 2


def test_a_suite_that_was_not_trimmed_cites_what_proves_it(fullproof, model, tmp_path):
    made = fullproof("generate", model, "--faults", "transfer", "--timeout", "0", "-o", tmp_path / "s.jsonl", "--json")
    assert made.code == 0
    assert "complete for all machines with as many states" in made.json["guarantee"]
    assert any("not trimmed to the end: the clock" in note for note in made.json["notes"])


@pytest.mark.parametrize("kind", ["fsm", "statemachine", "sfsm"])
def test_a_system_that_kept_a_removed_state_fails(fullproof, tmp_path, kind):
    """The older versions have a state more, which only a further input shows."""
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    was, now = VERSIONS[kind]
    old.write_text(was)
    new.write_text(now)
    suite, damaged, mutants = tmp_path / "s.jsonl", tmp_path / "d.jsonl", tmp_path / "mutants"
    assert "1 state that only the older model has" in fullproof("generate", new, "--since", old, "-o", suite).out
    assert fullproof("run", new, "--suite", suite, "--sut", f"model:{old}").code == 1
    assert fullproof("run", new, "--suite", suite, "--sut", f"model:{new}").code == 0
    assert fullproof("certify", new, suite).code == 0
    damaged.write_text("".join(suite.read_text().splitlines(keepends=True)[:1]))
    assert fullproof("certify", new, damaged).code != 0
    assert fullproof("mutate", new, "--since", old, "-o", mutants).code == 0
    score = fullproof("score", new, "--suite", suite, "--mutants", mutants, "--json")
    assert score.json["killed"] == score.json["mutants"] - score.json["conforming"] > 0


CLOSED = """\
machine: fsm
initial: a
states:
  a:
    - {when: x, then: one, to: b}
    - {when: y, then: two, to: a}
  b:
    - {when: x, then: two, to: a}
    - {when: y, then: one, to: a}
"""
DOOR = """\
machine: statemachine
signals: {in: [press]}
outputs: {light: 'enum none, white = none'}
initial: dark
states:
  dark:
    - {trigger: press, do: [light = white], to: lit}
  lit:
    - {trigger: press, do: [light = none], to: dark}
"""
ALARM = """\
machine: sfsm
inputs: {x: int 0..200}
outputs: {y: 'enum Off, Warn, On'}
initial: quiet
states:
  quiet:
    - {when: x < 100, then: y == Off, to: quiet}
    - {when: x >= 100, then: y == Warn, to: warned}
  warned:
    - {when: x < 90, then: y == Off, to: quiet}
    - {when: x >= 90, then: y == On, to: warned}
"""
VERSIONS = {
    "fsm": (
        CLOSED.replace("y, then: one, to: a", "y, then: one, to: c")
        + "  c:\n    - {when: x, then: one, to: c}\n    - {when: y, then: two, to: a}\n",
        CLOSED,
    ),
    "statemachine": (
        DOOR.replace("to: dark}", "to: off}") + "  off:\n    - {trigger: press, do: [light = none], to: dark}\n",
        DOOR,
    ),
    "sfsm": (
        ALARM.replace("x >= 90, then: y == On, to: warned", "x >= 90, then: y == On, to: full")
        + "  full:\n    - {when: x < 50, then: y == Off, to: quiet}\n    - {when: x >= 50, then: y == On, to: full}\n",
        ALARM,
    ),
}
"""For each kind an older version and a new one."""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("faults: [stuck, foo]\n", "line 1, column 17: unknown fault 'foo'"),
        ("states: [open]\n", "line 1, column 9: a fault domain by name needs 'faults'"),
        ("alternatives: [{when: push, to: open}]\n", "line 1, column 16: the key 'from' is missing"),
        ("alternatives: [{from: open, when: push}]\n", "line 1, column 16: an alternative needs 'to' or 'then'"),
        ("fauts: [stuck]\n", "line 1, column 1: unknown key 'fauts' in a fault domain; did you mean 'faults'?"),
        ("faults: [stuck]\nstates: [opne]\n", "unknown state 'opne'"),
        ("faults: [stuck]\nstates: []\n", "line 2, column 9: there is no state here"),
        ("faults: [stuck]\nchanged_since: no.yaml\n", "line 2, column 16: "),
        ("faults: [stuck, start]\n", "line 1, column 17: start is a fault of models with timers"),
        ("faults: [stuck]\nmargin: 3 s\n", "line 2, column 9: a margin is for models with timers"),
        (
            "faults: [transfer]\nformer: [{from: gone, when: push, then: beep, to: gone}]\n",
            "line 2, column 17: former states must not be the model's, and need one transition for each input",
        ),
    ],
)
def test_mistakes_have_their_place(fullproof, model, tmp_path, text, complaint):
    listed = tmp_path / "faults.yaml"
    listed.write_text(text)
    answer = fullproof("generate", model, "--faults", listed)
    assert answer.code == 4
    assert complaint in answer.err


def test_what_faults_by_name_are_not_for(fullproof, model, tmp_path):
    assert fullproof("generate", model, "--faults", "stuck", "--domain", "k-A").code == 4
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
    assert "finite machine of the 4 configurations of the model" in made.json["guarantee"]
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
    assert "only 2 transitions (lit white --press-->, lit red --press-->)" in changed.json["faults"]["name"]


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
