"""check, draw and convert on every model of the papers, and on machines of real systems."""

import json
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE, SHARED, needs_shared_models

from fullproof.formats import read_model

ALL = sorted(REFERENCE.glob("*/*.yaml"))
FINITE = [REFERENCE / "m-ex/m-ex.yaml", REFERENCE / "card-reader/card-reader.yaml"]
PUBLISHED = [
    "CoffeeMachine/coffeemachine.dot",
    "TLS/OpenSSL_1.0.2_server_regular.dot",
    "TLS/GnuTLS_3.3.12_client_full.dot",
    "MQTT/mosquitto__two_client_will_retain.dot",
    "MQTT/VerneMQ__simple.dot",
    "TCP/TCP_Linux_Client.dot",
    "TCP/TCP_Windows8_Server.dot",
    "Bankcard/4_learnresult_PIN_fix.dot",
    "Bankcard/Rabo_learnresult_MAESTRO_fix.dot",
    "ToyModels/lee_yannakakis_distinguishable.dot",
]
FIELDS = {
    "kind",
    "name",
    "states",
    "transitions",
    "deterministic",
    "complete",
    "observable",
    "minimal",
    "connected",
    "findings",
}


@pytest.mark.parametrize("path", ALL, ids=lambda p: p.stem)
def test_check_says_what_each_model_is(fullproof: Shell, path: Path) -> None:
    ended = fullproof("check", path, "--json")
    assert ended.code == 0
    assert set(ended.json) == FIELDS
    for finding in ended.json["findings"]:
        assert set(finding) == {"severity", "rule", "where", "message", "witness"}


def test_a_model_that_is_fine_says_so_in_three_lines(fullproof: Shell, tmp_path: Path) -> None:
    model = tmp_path / "lamp.yaml"
    model.write_text(
        "machine: fsm\nname: lamp\ninitial: off\nstates:\n"
        "  off: [{when: press, then: light, to: lit}]\n  lit: [{when: press, then: dark, to: off}]\n"
    )
    ended = fullproof("check", model)
    assert ended.code == 0
    assert ended.out.splitlines() == [
        "lamp: fsm, 2 states, 2 transitions",
        "deterministic, complete, observable, minimal, connected",
        "no findings",
    ]


def test_brake_is_what_the_paper_says(fullproof: Shell) -> None:
    seen = fullproof("check", REFERENCE / "brake/brake.yaml", "--json").json
    assert [seen[k] for k in ("deterministic", "complete", "observable", "minimal")] == [False, True, True, True]


def test_an_error_in_the_model_ends_with_one(fullproof: Shell, tmp_path: Path) -> None:
    text = (REFERENCE / "brake/brake.yaml").read_text()
    (tmp_path / "bad.yaml").write_text(text.replace("R1: (y <= B1) W (x > vmax)", "R1: F(x > vmax)", 1))
    ended = fullproof("check", tmp_path / "bad.yaml", "--json")
    assert ended.code == 1
    assert {"property-violated"} == {f["rule"] for f in ended.json["findings"] if f["severity"] == "error"}


@pytest.mark.parametrize("path", ALL, ids=lambda p: p.stem)
def test_draw_and_convert_take_every_model(fullproof: Shell, path: Path, tmp_path: Path) -> None:
    for ending in ("svg", "dot", "mmd"):
        picture = tmp_path / f"picture.{ending}"
        ended = fullproof("draw", path, "-o", picture, "--json")
        assert (ended.code, ended.json) == (0, {"output": str(picture)})
        assert picture.stat().st_size > 100
    for ending in ("yaml", "json"):
        copy = tmp_path / f"copy.{ending}"
        assert fullproof("convert", path, copy, "--json").code == 0
        assert read_model(copy) == read_model(path)


@pytest.mark.parametrize("ending", ["dot", "kiss2", "fsm"])
@pytest.mark.parametrize("path", FINITE, ids=lambda p: p.stem)
def test_finite_machines_convert_to_every_format(fullproof: Shell, path: Path, ending: str, tmp_path: Path) -> None:
    target, back = tmp_path / f"m.{ending}", tmp_path / "back.yaml"
    assert fullproof("convert", path, target).code == 0
    assert fullproof("convert", target, back).code == 0
    assert fullproof("compare", path, back, "--relation", "strong-reduction").code == 0
    assert fullproof("compare", back, path, "--relation", "strong-reduction").code == 0


def test_a_symbolic_model_does_not_fit_a_finite_format(fullproof: Shell, tmp_path: Path) -> None:
    ended = fullproof("convert", REFERENCE / "brake/brake.yaml", tmp_path / "brake.kiss2")
    assert ended.code == 4
    assert ended.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@needs_shared_models
@pytest.mark.parametrize("name", PUBLISHED)
def test_machines_of_real_systems(fullproof: Shell, name: str, tmp_path: Path) -> None:
    path = SHARED / "models/automata-wiki" / name
    seen = fullproof("check", path, "--json").json
    assert (seen["deterministic"], seen["complete"], seen["minimal"]) == (True, True, True)
    assert fullproof("draw", path, "-o", tmp_path / "m.svg").code == 0
    assert fullproof("convert", path, tmp_path / "m.yaml").code == 0
    assert fullproof("compare", path, tmp_path / "m.yaml").code == 0
    ended = fullproof("generate", path, "--method", "w", "-o", tmp_path / "s.jsonl", "--json")
    assert ended.code == 0
    assert len((tmp_path / "s.jsonl").read_text().splitlines()) == ended.json["tests"] + 1
    ended = fullproof("run", path, "--sut", f"model:{path}", "--suite", tmp_path / "s.jsonl", "--json")
    assert (ended.code, ended.json["verdict"], ended.json["tests"]) == (0, "pass", ended.json["passed"])


def test_compare_gives_a_shortest_counterexample(fullproof: Shell, tmp_path: Path) -> None:
    model, other = tmp_path / "a.yaml", tmp_path / "b.yaml"
    text = (
        "machine: fsm\nname: m\ninitial: s\nstates:\n"
        "  s: [{when: x, then: '0', to: t}, {when: y, then: '0', to: s}]\n"
        "  t: [{when: x, then: '0', to: t}, {when: y, then: '1', to: s}]\n"
    )
    model.write_text(text)
    other.write_text(text.replace("'1'", "'0'"))
    ended = fullproof("compare", model, other, "--json")
    assert ended.code == 1
    assert ended.json == {
        "relation": "equivalence",
        "conforms": False,
        "counterexample": {
            "inputs": ["x", "y"],
            "outputs": ["0"],
            "observed": "0",
            "allowed": ["1"],
            "reason": "the model does not allow the output",
        },
    }


def test_json_and_quiet(fullproof: Shell) -> None:
    assert fullproof("check", FINITE[0], "--quiet").out == ""
    assert json.loads(fullproof("check", FINITE[0], "--json", "--quiet").out)["name"] == "m-ex"
