"""Systems that answer when they like: each kind of connection, and each kind of misbehaviour, has a clear verdict."""

import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.shared import REFERENCE

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.kinds.systems import open_sut
from fullproof.pipeline import run_suite

EXAMPLE = REFERENCE / "sts-example" / "example.yaml"
SYSTEMS = Path(__file__).parent / "systems"
PROCESS = f"{shlex.quote(sys.executable)} {shlex.quote(str(SYSTEMS / 'counter_process.py'))}"


def run(sut: str, *, silence: float = 1.0, step_timeout: float = 10.0, repeat: int = 1):
    suite = SuiteRequest(seed=3, method="tour")  # the walks that follow by default would wait for silence for long
    request = RunRequest(suite=suite, sut=sut, silence=silence, step_timeout=step_timeout, retries=0, repeat=repeat)
    return run_suite(EXAMPLE, request, progress=unheard).record


def python(name: str) -> str:
    return f"python:{SYSTEMS / 'counters.py'}:{name}"


@pytest.mark.parametrize("sut", [f"exec:{PROCESS}", f"torxakis:exec:{PROCESS} good --words", python("Counter")])
def test_a_right_counter_passes(sut: str) -> None:
    # One that speaks words says nothing when it has started: its start is part of a silence.
    result = run(sut, repeat=2, silence=3.0 if sut.startswith("torxakis") else 1.0).result
    assert result.verdict is Verdict.PASS
    assert (result.coverage.covered, result.coverage.total, result.resets) == (3, 3, 2)


@pytest.mark.parametrize(
    ("mode", "verdict", "reason"),
    [
        ("wrong", Verdict.FAIL, "does not allow this output"),
        ("silent", Verdict.FAIL, "stays silent"),
        ("alien", Verdict.FAIL, "total is not a gate of the model"),
        ("late", Verdict.FAIL, "stays silent"),
        ("chatty", Verdict.FAIL, "does not allow this output"),
        ("dead", Verdict.ERROR, "exit status 1"),
        ("babble", Verdict.ERROR, "unexpected output"),
        ("nonsense", Verdict.ERROR, "not a value"),
        ("deaf", Verdict.ERROR, "no answer to a reset within 0.4 s"),
    ],
)
def test_misbehaviour(mode: str, verdict: Verdict, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if mode == "deaf":
        monkeypatch.setattr("fullproof.execute.adapters.exec_sut.STARTING", 0.4)
    record = run(
        f"exec:{PROCESS} {mode}",
        silence=0.15 if mode == "late" else 1.0,
        step_timeout=0.4 if mode == "deaf" else 10.0,
    )
    assert record.result.verdict is verdict
    assert reason in record.tests[0].reason


def test_patience_makes_a_late_system_right() -> None:
    assert run(f"exec:{PROCESS} late", silence=5.0).result.verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("name", "verdict", "reason"),
    [
        ("Forgetful", Verdict.FAIL, "does not allow this output"),
        ("Silent", Verdict.FAIL, "stays silent"),
        ("Odd", Verdict.ERROR, "receive returned 42, expected (gate, values) or None"),
        ("Raising", Verdict.ERROR, "RuntimeError: no, thank you"),
        ("Hanging", Verdict.ERROR, "no answer within"),
    ],
)
def test_python_misbehaviour(name: str, verdict: Verdict, reason: str) -> None:
    record = run(python(name), step_timeout=1.0)
    assert record.result.verdict is verdict
    assert reason in record.tests[0].reason


def test_over_tcp_with_a_model_on_the_other_side() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    tool = Path(sys.executable).parent / "fullproof"
    command = [str(tool), "simulate", str(EXAMPLE), "--listen", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            assert "listening" in server.stderr.readline()
            result = run(f"tcp:127.0.0.1:{port}").result
            assert result.verdict in (Verdict.PASS, Verdict.INCONCLUSIVE)
        finally:
            server.kill()


@pytest.mark.parametrize(
    ("sut", "message"),
    [
        ("exec:", "needs a command line"),
        ("exec:/no/such/program", "cannot start"),
        ("tcp:127.0.0.1:1", "cannot connect"),
        ("tcp:nowhere", "expected HOST:PORT"),
        ("modle:x.yaml", "did you mean 'model'"),
        ("nothing", "expected python:FILE.py:Name"),
        (f"model:{REFERENCE / 'brp' / 'brp.yaml'}", "has no input gate 'inX'"),
        (f"model:{REFERENCE / 'm-ex' / 'm-ex.yaml'}", "cannot play the system"),
        (python("Halfway"), "has no method receive"),
    ],
)
def test_what_cannot_be_opened(sut: str, message: str) -> None:
    model = read_model(EXAMPLE)
    with pytest.raises(UserError) as error:
        open_sut(sut, model, step_timeout=1.0)
    assert message in str(error.value)
