"""How the command begins and ends."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.processes import PATIENCE, eventually, is_alive
from tests.serve.bench import model, workbench
from tests.serve.hostile import hostile

from fullproof.serve.named_systems import given_models


@pytest.fixture
def fullproof(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_it_ends_with_all_its_workers(number: signal.Signals, tmp_path: Path) -> None:
    from threading import Thread

    os.environ["TMPDIR"] = str(tmp_path)
    try:
        with workbench("--seconds", 50) as bench:
            slow = next(text for name, _, text in hostile() if name == "exponential classes")
            clients = [Thread(target=_ask_in_vain, args=(bench, slow), daemon=True) for _ in range(4)]
            for client in clients:
                client.start()
            assert eventually(lambda: len(bench.children()) >= 3), "a fork server and two workers"
            children = bench.children()
            bench.process.send_signal(number)
            assert bench.process.wait(timeout=PATIENCE) == (-9 if number == signal.SIGKILL else 2)
            assert eventually(lambda: not any(map(is_alive, children)))
    finally:
        del os.environ["TMPDIR"]
    if number != signal.SIGKILL:
        assert list(tmp_path.iterdir()) == []


def _ask_in_vain(bench: object, text: str) -> None:
    import contextlib

    with contextlib.suppress(Exception):
        bench.ask("classes", {**model(text), "timeout": 100})  # type: ignore[attr-defined]


def test_a_port_in_use(fullproof: Shell) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = fullproof("serve", "--no-open", "--port", taken.getsockname()[1])
    assert ended.code == 4 and ended.err.count("\n") == 1
    assert "cannot listen on port" in ended.err and "Address already in use" in ended.err


@pytest.mark.parametrize("sut", ["x", "=python:a:B", "a=", "<b>=exec:ls"])
def test_systems_have_names(fullproof: Shell, sut: str) -> None:
    ended = fullproof("serve", "--no-open", "--sut", sut)
    assert ended.code == 4 and "expected NAME=SUT" in ended.err


def test_two_systems_of_one_name(fullproof: Shell) -> None:
    ended = fullproof("serve", "--no-open", "--sut", "a=exec:ls", "--sut", "a=exec:pwd")
    assert ended.code == 4 and "two systems" in ended.err


def test_a_model_that_is_not_there(fullproof: Shell) -> None:
    ended = fullproof("serve", "--no-open", "nothing.yaml")
    assert ended.code == 4 and "no such file" in ended.err


def test_without_the_extra_one_line_names_it() -> None:
    hide = "import sys; sys.modules['fastapi'] = None; from fullproof.cli.entry import run; sys.exit(run(['serve']))"
    done = subprocess.run([sys.executable, "-c", hide], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert done.stderr == "fullproof: the workbench needs the package fastapi: pip install 'fullproof[serve]'\n"


def test_models_of_the_command_line_come_first(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("machine: fsm\ninitial: a\nstates: {a: []}\n")
    first, *bundled = given_models([path])
    assert (first.name, first.text) == ("mine.yaml", path.read_text()) and len(bundled) == 4
