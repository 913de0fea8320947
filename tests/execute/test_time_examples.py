"""The examples with timeouts: systems that are right pass, each fault is found."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import ROOT

TIME = ROOT / "examples" / "time"
LOGIN = f"exec:{sys.executable} {TIME / 'login_lockout.py'}"


def suite(model: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    made = folder / f"{model}.jsonl"
    ended = Shell(capsys)("generate", TIME / f"{model}.yaml", "-o", made)
    assert ended.code == 0, ended.err
    return made


def check(model: str, systems: dict[str, int], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests = suite(model, folder, capsys)
    for system, code in systems.items():
        ended = Shell(capsys)("run", TIME / f"{model}.yaml", "--suite", tests, "--sut", system,
                              "--shrink-failures", "0", "--no-isolate")  # fmt: skip
        assert ended.code == code, (system, ended.out, ended.err)


def test_the_traffic_light(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    right, *wrong = (f"python:{TIME}/traffic_light.py:{n}" for n in ("TrafficLight", "Hasty", "Patient", "Forgetful"))
    check("traffic-light", {right: 0, **dict.fromkeys(wrong, 1)}, tmp_path, capsys)


def test_the_login(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    wrong = {f"{LOGIN} {fault}": 1 for fault in ("short", "sliding", "stubborn")}
    check("login-lockout", {LOGIN: 0, **wrong}, tmp_path, capsys)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_watchdog(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    systems = {}
    for name, flags, code in (("right", [], 0), ("late", ["-DLATE=100"], 1), ("deaf", ["-DDEAF"], 1)):
        library = tmp_path / f"{name}.so"
        subprocess.run(["cc", "-shared", "-fPIC", *flags, "-o", library, TIME / "watchdog.c"], check=True)
        mapping = tmp_path / f"{name}.yaml"
        mapping.write_text((TIME / "watchdog-lib.yaml").read_text().replace("watchdog.so", library.name))
        systems[f"lib:{mapping}"] = code
    check("watchdog", systems, tmp_path, capsys)


def test_the_circuit_breakers_of_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("pybreaker")
    pytest.importorskip("circuitbreaker")
    wrong = ("PyBreakerInMinutes", "CircuitBreakerTooEarly", "Unguarded", "Restless")
    found = dict.fromkeys(("PyBreaker", "CircuitBreaker"), 0) | dict.fromkeys(wrong, 1)
    systems = {f"python:{TIME}/circuit_breakers.py:{name}": code for name, code in found.items()}
    check("circuit-breaker", systems, tmp_path, capsys)
