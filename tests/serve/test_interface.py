"""Every question of the JSON interface, for every kind of model and every format."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.serve.bench import Bench, model
from tests.shared import REFERENCE, ROOT

from fullproof import pipeline
from fullproof.artefacts.questions import CompareRequest
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.formats.table import single_files

MODELS = ROOT / "src" / "fullproof" / "serve" / "models"
KINDS = {"brake.yaml": "sfsm", "door-lock.yaml": "statemachine", "turnstile.yaml": "fsm", "vending-machine.yaml": "sts"}
BRAKE = (REFERENCE / "brake" / "brake.yaml").read_text()
TURNSTILE = (MODELS / "turnstile.yaml").read_text()
LAMP = """
machine: statemachine
name: lamp
signals: {in: [press], out: []}
inputs: {dark: bool}
outputs: {light: bool = false}
initial: off
states:
  off: [{trigger: press, when: dark, do: [light = true], to: lit}]
  lit: [{trigger: press, do: [light = false], to: off}]
"""


def asked(name: str) -> dict[str, Any]:
    return model((MODELS / name).read_text(), name)


def test_the_bundled_models_are_offered(bench: Bench) -> None:
    assert {m["name"] for m in bench.get("/api/models").json} == set(KINDS)


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_all_kinds(bench: Bench, name: str, kind: str) -> None:
    profile = bench.ask("check", asked(name)).json
    assert profile["kind"] == kind
    drawn = bench.ask("draw", asked(name)).json
    assert drawn["svg"].startswith("<svg") and len(drawn["states"]) == profile["states"]
    assert drawn["svg"].count('class="fp-arrow') == len(drawn["arrows"])
    assert drawn["svg"].count('class="fp-state') + drawn["svg"].count('class="fp-choice') == profile["states"]
    known = bench.ask("methods", asked(name)).json
    assert known["kind"] == kind and known["methods"] and known["relations"]
    assert known["idle"] == (["extra_states", "faults"] if kind == "sts" else [])
    small = asked(name) if kind != "statemachine" else model(LAMP)
    method = known["methods"][0]["name"]
    cost = bench.ask("cost", {**small, "method": method}).json
    assert cost["tests"] > 0 and cost["guarantee"] and cost["method"] == method
    classes = bench.ask("classes", small)
    assert classes.status == (200 if kind in ("sfsm", "statemachine") else 422)


@pytest.mark.parametrize("ending", single_files())
def test_all_formats(bench: Bench, ending: str) -> None:
    states = "{a: [{when: '0', then: '1', to: b}], b: [{when: '0', then: '0', to: a}]}"
    finite = f"machine: fsm\ninitial: a\nstates: {states}\n"
    kinds = single_files()[ending].kinds
    source = model(finite if kinds is None or "fsm" in kinds else LAMP)
    text = bench.ask("convert", {**source, "format": ending}).json["text"]
    there = bench.ask("check", model(text, f"x.{ending}")).json["states"]
    assert there == bench.ask("check", source).json["states"]


def test_columns_are_read(bench: Bench) -> None:
    assert bench.ask("check", model("a x y b\nb x z a\n", "x.fsm")).json["states"] == 2


@pytest.mark.parametrize("name", ["m.txt", "m", ".yaml/../../x", "/etc/passwd", "m.yaml\0"])
def test_the_name_is_only_an_ending(bench: Bench, name: str) -> None:
    answer = bench.ask("check", model(TURNSTILE, name))
    assert answer.status == 422 and "ends with" in answer.json["message"]
    assert bench.ask("check", model(TURNSTILE, "../../../etc/x.yaml")).status == 200


def test_mistakes_have_places(bench: Bench) -> None:
    text = BRAKE.replace("then: y == 0, to: s0", "then: y == , to: s0", 1)
    line = text.splitlines().index(next(x for x in text.splitlines() if "then: y == , to" in x)) + 1
    complaint = bench.ask("check", model(text)).json
    assert (complaint["file"], complaint["line"]) == ("model", line) and complaint["column"] > 1
    other = {**model(TURNSTILE), "other": {"name": "o.yaml", "text": "machine: fsm\nnonsense: 3\n"}}
    assert bench.ask("compare", other).json["file"] == "other"
    suite = {**model(TURNSTILE), "suite": "coin push\ncoin jump\n"}
    complaint = bench.ask("certify", suite).json
    assert (complaint["file"], complaint["line"]) == ("suite", 2)
    assert bench.ask("check", model("")).json["message"] == "the file is empty"
    assert "folder" not in json.dumps(complaint) and "/tmp" not in json.dumps(complaint)


def test_findings_are_those_of_the_command(bench: Bench) -> None:
    shown = bench.ask("check", model(BRAKE)).json["findings"]
    profile = pipeline.check_file(REFERENCE / "brake" / "brake.yaml")
    assert [(f["rule"], f["message"], f["line"]) for f in shown] == [
        (f.rule, f.message, f.at.line) for f in profile.findings
    ]


@pytest.mark.parametrize("method", ["w", "hsi", "spyh", "walks"])
def test_suites_are_those_of_the_command(bench: Bench, tmp_path: Path, method: str) -> None:
    made = bench.ask("generate", {**model(TURNSTILE), "method": method, "extra_states": 1}).json
    path = tmp_path / "m.yaml"
    path.write_text(TURNSTILE)
    suite = pipeline.generate_for(path, SuiteRequest(method=method, extra_states=1))
    pipeline.write_generated(suite, tmp_path / "s.jsonl", to_stdout=False)
    assert made["suite"] == (tmp_path / "s.jsonl").read_text()
    as_csv = bench.ask("generate", {**model(TURNSTILE), "method": method, "extra_states": 1, "format": "csv"}).json
    assert as_csv["tests"] == made["tests"] and as_csv["suite"] != made["suite"]
    assert bench.ask("certify", {**model(TURNSTILE), "suite": as_csv["suite"]}).json["complete"] is True
    complete = bench.ask("certify", {**model(TURNSTILE), "suite": made["suite"]}).json
    assert complete["complete"] is True
    short = bench.ask("certify", {**model(TURNSTILE), "suite": made["suite"], "extra_states": 3}).json
    assert short["complete"] is not True


def test_survivors_are_models(bench: Bench) -> None:
    found = bench.ask("certify", {**model(TURNSTILE), "suite": "coin push\n"}).json
    assert found["complete"] is False and found["witness"]
    other = {"name": "s.yaml", "text": found["survivor"]}
    assert bench.ask("compare", {**model(TURNSTILE), "other": other}).json["conforms"] is False


def test_comparisons(bench: Bench) -> None:
    wrong = {"name": "o.yaml", "text": (REFERENCE / "brake" / "ibrake1.yaml").read_text()}
    found = bench.ask("compare", {**model(BRAKE), "other": wrong, "relation": "reduction"}).json
    expected = pipeline.compare_files(
        REFERENCE / "brake" / "brake.yaml",
        REFERENCE / "brake" / "ibrake1.yaml",
        CompareRequest(relation=Relation.REDUCTION),
    )
    assert found["conforms"] is expected.conforms
    mixed = {**model(BRAKE), "other": {"name": "o.yaml", "text": TURNSTILE}}
    assert bench.ask("compare", mixed).status == 422


def test_simulation_of_an_fsm(bench: Bench) -> None:
    played = bench.ask("simulate", {**model(TURNSTILE), "moves": [{"name": "push"}, {"name": "coin"}]}).json
    assert [step["output"] for step in played["steps"]] == ["alarm", "unlock"]
    assert played["state"] == "open" and [c["name"] for c in played["choices"]] == ["coin", "push"]
    refused = bench.ask("simulate", {**model(TURNSTILE), "moves": [{"name": "coin"}, {"name": "jump"}]}).json
    assert len(refused["steps"]) == 1 and "unknown input" in refused["refused"] and refused["state"] == "open"


def test_simulation_of_the_others(bench: Bench) -> None:
    moves = [{"values": {"x": "250"}}, {"values": {"x": "401"}}]
    played = bench.ask("simulate", {**model(BRAKE), "moves": moves}).json
    way = {"from": "s0", "to": "s2", "active": ["s2"], "taken": [2]}
    assert played["steps"] == [{"input": "x = 250", "output": "y = 2.5", **way}]
    assert "not a value of real 0..400" in played["refused"]
    assert {way["to"] for way in played["outgoing"]} == {"s2", "s0"}
    for way in played["outgoing"]:
        tried = bench.ask("simulate", {**model(BRAKE), "moves": [moves[0], way["try"]]}).json
        assert tried["state"] == way["to"]

    lock = asked("door-lock.yaml")
    moves = [{"name": "enter", "values": {"code": "42", "now": "5"}}, {"name": "", "values": {"now": "40"}}]
    played = bench.ask("simulate", {**lock, "moves": moves}).json
    assert [step["to"] for step in played["steps"]] == ["unlocked", "locked"]
    assert played["values"]["now"] == "40" and "beep" in played["steps"][0]["output"]

    machine = asked("vending-machine.yaml")
    start = bench.ask("simulate", machine).json
    assert {c["name"] for c in start["choices"]} == {"", "coin", "select", "cancel"}
    field = next(c for c in start["choices"] if c["name"] == "select")["fields"][0]
    assert field["type"] == "int 1..3"
    played = bench.ask("simulate", {**machine, "moves": [{"name": "select", "values": {"product": "9"}}]}).json
    assert "outside" in played["refused"] and played["steps"] == []
    played = bench.ask(
        "simulate", {**machine, "moves": [{"name": "coin", "values": {"value": "5"}}, {"name": ""}]}
    ).json
    assert played["steps"][1]["output"].startswith("display(")


def test_the_same_seed_gives_the_same_choices(bench: Bench) -> None:
    text = "machine: fsm\ninitial: a\nstates:\n  a:\n" + "".join(
        f"    - {{when: x, then: o{k}, to: a}}\n" for k in range(9)
    )
    outputs = []
    for seed in (1, 1, 2, 3):
        played = bench.ask("simulate", {**model(text), "moves": [{"name": "x"}] * 12, "seed": seed}).json
        outputs.append([step["output"] for step in played["steps"]])
    assert outputs[0] == outputs[1] and len({tuple(o) for o in outputs}) > 1


CHART = """
machine: statemachine
name: door
signals: {in: [open, close, knock], out: []}
outputs: {locked: bool = true}
initial: shut
states:
  shut:
    - {trigger: open, do: [locked = false], to: opened}
  opened:
    initial: calm
    transitions:
      - {trigger: close, do: [locked = true], to: shut}
    states:
      calm:
        - {trigger: knock, to: calm}
        - {after: 20 s, to: warning}
      warning: []
"""


def test_every_part_of_a_chart_has_its_line(bench: Bench) -> None:
    drawn = bench.ask("draw", model(CHART)).json
    lines = CHART.splitlines()
    for state, line in zip(drawn["states"], drawn["state_lines"], strict=True):
        assert lines[line - 1].strip().startswith(f"{state}:")
    begins = ("trigger: open", "trigger: close", "trigger: knock", "after: 20 s")
    for text, line in zip(begins, drawn["transition_lines"], strict=True):
        assert text in lines[line - 1]
    starts = {tuple(arrow): line for arrow, line in zip(drawn["arrows"], drawn["arrow_lines"], strict=True)}
    assert lines[starts["start of opened", "calm"] - 1].strip() == "initial: calm"
    assert all(line is not None for line in starts.values())


def test_steps_say_which_transitions_they_took(bench: Bench) -> None:
    """Of a chart, those that are drawn, not those of the flat machine."""
    moves = [{"name": "open"}, {"name": "knock"}, {"name": "advance", "values": {"seconds": "20"}}]
    played = bench.ask("simulate", {**model(CHART), "moves": [*moves, {"name": "close"}]}).json
    assert [step["taken"] for step in played["steps"]] == [[0], [2], [3], [1]]
    assert [way["of"] for way in played["outgoing"]] == [[0]]
    played = bench.ask("simulate", {**model(TURNSTILE), "moves": [{"name": "push"}, {"name": "coin"}]}).json
    transitions = bench.ask("draw", model(TURNSTILE)).json["transition_lines"]
    lines = TURNSTILE.splitlines()
    taken = [lines[transitions[k] - 1] for step in played["steps"] for k in step["taken"]]
    assert ["when: push" in line for line in taken] == [True, False]


def test_delays_of_a_failure_are_played(bench: Bench) -> None:
    """As suites write them."""
    moves = [{"name": "open"}, {"values": {"advance": "20"}}]
    played = bench.ask("simulate", {**model(CHART), "moves": moves}).json
    assert (played["refused"], played["state"]) == (None, "warning")


def test_methods_for_timers_are_those_that_make_suites(bench: Bench) -> None:
    offered = bench.ask("methods", model(CHART)).json["methods"]
    assert [method["name"] for method in offered] == ["faults"]
    assert bench.ask("cost", {**model(CHART), "method": "faults"}).json["tests"] > 0
