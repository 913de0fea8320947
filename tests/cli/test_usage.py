"""Exit codes of the contract, and one line for whatever the user did wrong."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE, ROOT

CARD = REFERENCE / "card-reader/card-reader.yaml"
TURNSTILE = ROOT / "examples/turnstile/turnstile.yaml"
COMMANDS = ["check", "draw", "convert", "generate", "run", "compare", "certify", "mutate", "score", "simulate", "demo"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(fullproof: Shell, command: str) -> None:
    ended = fullproof(command, "--help")
    assert ended.code == 0
    assert f"fullproof {'run' if command == 'run' else command}" in ended.out
    assert "Example:" in ended.out


@pytest.mark.parametrize(
    "words",
    [
        ("chek", CARD),
        ("check",),
        ("check", CARD, "--jsn"),
        ("check", "missing.yaml"),
        ("check", REFERENCE),
        ("generate", CARD, "--extra-states", "-1"),
        ("generate", CARD, "--extra-states", "many"),
        ("generate", CARD, "--relation", "equality"),
        ("generate", CARD, "--method", "wq"),
        ("run", CARD),
        ("run", TURNSTILE, "--sut", "pyton:x.py:X"),
        ("run", TURNSTILE, "--sut", "python:missing.py:X"),
        ("draw", CARD, "-o", "picture.bmp"),
        ("convert", CARD, "card.xyz"),
        ("compare", CARD, REFERENCE / "brake/brake.yaml"),
    ],
    ids=lambda words: " ".join(str(w).rsplit("/", 1)[-1] for w in words),
)
def test_bad_usage_is_one_line_and_four(fullproof: Shell, words: tuple[object, ...]) -> None:
    ended = fullproof(*words)
    assert ended.code == 4
    assert ended.err.startswith("fullproof: ")
    assert ended.err.count("\n") == 1
    assert "Traceback" not in ended.err
    assert ended.out == ""


def test_a_read_only_folder_is_one_line_and_leaves_nothing(fullproof: Shell, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        folder = Path("/proc/self")  # root may write everywhere else
    else:
        folder = tmp_path / "locked"
        folder.mkdir(mode=0o500)
    ended = fullproof("convert", CARD, folder / "card.dot")
    assert ended.code == 4
    assert "cannot write" in ended.err


@pytest.mark.parametrize("words", [("generate",), ("run", "--sut", f"model:{CARD}")])
def test_a_machine_without_inputs_leaves_nothing_to_do(
    fullproof: Shell, tmp_path: Path, words: tuple[str, ...]
) -> None:
    model = tmp_path / "still.yaml"
    model.write_text("machine: fsm\ninitial: a\nstates: {a: []}\n")
    ended = fullproof(words[0], model, *words[1:])
    assert ended.code == 5
    assert ended.out == ""
    assert ended.err == f"fullproof: {model}: the machine has no inputs, so there is nothing to test\n"


def test_the_version_needs_no_import() -> None:
    program = (
        "import sys; sys.argv = ['fullproof', '--version']\n"
        "from fullproof.cli import main\n"
        "try: main()\nfinally: print(sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("fullproof ")
    assert not any(f"'{heavy}'" in done.stdout for heavy in ("typer", "rich", "numpy", "z3", "lark", "ruamel"))


def test_an_interrupt_ends_with_two() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "from fullproof.cli import main; main()", "simulate", str(CARD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write('{"reset": true}\n')
    process.stdin.flush()
    assert '"ready"' in process.stdout.readline()
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert errors.strip() == "fullproof: interrupted"
