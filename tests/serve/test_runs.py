"""Runs against the systems of the command line: progress, report, stopping."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from tests.processes import PATIENCE
from tests.serve.bench import Bench, model
from tests.serve.test_interface import BRAKE, TURNSTILE


def until_end(bench: Bench, run: dict[str, Any], seconds: float = PATIENCE) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        state: dict[str, Any] = bench.get(f"/api/runs/{run['id']}").json
        if state["status"] not in ("waiting", "running"):
            return state
        time.sleep(0.05)
    raise AssertionError(state)


def start(bench: Bench, **content: object) -> dict[str, Any]:
    answer = bench.ask("runs", content)
    assert answer.status == 202, answer.body
    state: dict[str, Any] = answer.json
    return state


def test_a_good_system_passes_and_has_a_report(bench: Bench) -> None:
    run = start(bench, **model(TURNSTILE), system="good", extra_states=1)
    state = until_end(bench, run)
    assert state["status"] == "done" and state["result"]["verdict"] == "pass"
    assert state["done"] == state["total"] == state["result"]["tests"]
    page = bench.get(state["report"])
    assert page.status == 200 and b"fullproof conformance report" in page.body and b"/tmp" not in page.body
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'") and "script-src 'sha256-" in policy
    files = bench.get(f"/api/runs/{run['id']}/files").json
    assert {"report.html", "junit.xml", "report.json", "tests.csv"} <= set(files)
    document = bench.get(f"/api/runs/{run['id']}/files/report.json").json
    assert document["model_file"] == "model.yaml"
    assert bench.get(f"/api/runs/{run['id']}/files/nothing").status == 404
    assert run["id"] in [known["id"] for known in bench.get("/api/runs").json]


def test_a_given_suite_is_run(bench: Bench) -> None:
    suite = bench.ask("generate", {**model(TURNSTILE), "method": "w"}).json
    state = until_end(bench, start(bench, **model(TURNSTILE), system="good", suite=suite["suite"]))
    assert state["result"]["tests"] == suite["tests"]


def test_a_faulty_system_fails(bench: Bench) -> None:
    state = until_end(bench, start(bench, **model(BRAKE), system="brake", repeat=3))
    assert state["result"]["verdict"] == "fail" and state["result"]["failures"]


def test_events_tell_the_progress(bench: Bench) -> None:
    run = start(bench, **model(TURNSTILE), system="slow", method="w", extra_states=2)
    text = bench.get(f"/api/runs/{run['id']}/events").body.decode()
    told = [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]
    assert told[-1]["status"] == "done" and told[-1]["result"]["verdict"] == "fail"
    assert any(0 < state["done"] < state["total"] for state in told if state["total"])


def test_a_run_can_be_stopped_and_only_one_goes_on(bench: Bench) -> None:
    run = start(bench, **model(TURNSTILE), system="slow", method="w", extra_states=6)
    busy = bench.ask("runs", {**model(TURNSTILE), "system": "good"})
    assert busy.status == 503 and "a run of slow is going on" in busy.json["message"]
    assert bench.ask("check", model(TURNSTILE)).status == 200, "short questions have a worker left"
    assert (
        bench.request("DELETE", f"/api/runs/{run['id']}", headers={"Authorization": f"Bearer {bench.token}"}).status
        == 200
    )
    assert until_end(bench, run)["status"] == "stopped"
    assert bench.get(f"/runs/{run['id']}/report.html").status == 404
    state = until_end(bench, start(bench, **model(TURNSTILE), system="good"))
    assert state["result"]["verdict"] == "pass"


def test_systems_come_from_the_command_line_alone(bench: Bench) -> None:
    assert [s["name"] for s in bench.get("/api/systems").json] == ["good", "slow", "deadly", "brake"]
    for system in ("python:os:system", "exec:touch x", "good=exec:ls", "GOOD"):
        answer = bench.ask("runs", {**model(TURNSTILE), "system": system})
        assert answer.status == 422 and "unknown system" in answer.json["message"]
    for key in ("sut", "spec", "report", "journal"):
        assert bench.ask("runs", {**model(TURNSTILE), "system": "good", key: "exec:ls"}).status == 422


def test_a_system_that_ends_its_process_ends_nothing_else(bench: Bench) -> None:
    state = until_end(bench, start(bench, **model(TURNSTILE), system="deadly"))
    assert state["status"] == "done" and state["result"]["verdict"] == "error"
    assert "died: " in state["result"]["failures"][0]["reason"]
    assert bench.ask("check", model(TURNSTILE)).status == 200


def test_a_bad_model_is_a_complaint(bench: Bench) -> None:
    state = until_end(bench, start(bench, **model("machine: fsm\nx: 3\n"), system="good"))
    assert state["status"] == "failed" and state["complaint"]["line"] == 2


def test_the_ids_of_a_suite_do_not_lead_out_of_the_report(bench: Bench, systems: Path) -> None:
    victim = systems / "reproduce-x.py"
    victim.write_text("precious")
    first, test = bench.ask("generate", {**model(TURNSTILE), "method": "w"}).json["suite"].splitlines()[:2]
    names = [f"{'../' * depth}..{systems}/reproduce-x" for depth in range(9)] + [f"/../../{'../' * 9}{systems}/x"]
    lines = [
        json.dumps(json.loads(test) | {"id": name, "inputs": ["coin", *["push"] * k]}) for k, name in enumerate(names)
    ]
    run = start(bench, **model(TURNSTILE), system="slow", suite="\n".join([first, *lines]))
    assert until_end(bench, run)["result"]["verdict"] == "fail"
    files = bench.get(f"/api/runs/{run['id']}/files").json
    assert sum(name.startswith("reproduce-") for name in files) == 1
    assert victim.read_text() == "precious"


def test_a_system_is_learnt(bench: Bench) -> None:
    pytest.importorskip("aalpy")
    answer = bench.ask("learn", {"system": "good", "inputs": ["coin", "push"], "extra_states": 1})
    assert answer.status == 202, answer.body
    state = until_end(bench, answer.json)
    assert state["question"] == "learn" and state["report"] is None and state["steps"] > 0
    learnt = {"name": "learnt.yaml", "text": state["result"]["text"]}
    assert bench.ask("compare", {**model(TURNSTILE), "other": learnt}).json["conforms"]
    assert "at most 3 states" in state["result"]["guarantee"]


def test_what_cannot_be_learnt_is_a_complaint(bench: Bench) -> None:
    pytest.importorskip("aalpy")
    assert bench.ask("learn", {"system": "python:evil.py:Evil", "inputs": ["a"]}).status == 422
    assert bench.ask("learn", {"system": "good", "inputs": []}).status == 422
    state = until_end(bench, bench.ask("learn", {"system": "deadly", "inputs": ["coin"]}).json)
    assert state["status"] == "failed" and "ended the process" in state["complaint"]["message"]
    state = bench.ask("learn", {"system": "slow", "inputs": ["a", "b", "c", "d"], "extra_states": 2}).json
    bench.request("DELETE", f"/api/runs/{state['id']}", headers={"Authorization": f"Bearer {bench.token}"})
    assert until_end(bench, state)["status"] == "stopped"
