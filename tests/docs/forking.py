"""Commands of fullproof for the documents: one process has imported everything and forks for each command.

Half a second of start for each of the commands in the documents is more than what most of them do. A command still has
a process, a folder, streams and an exit code of its own, and begins at the same function as the installed program.

As a program it reads questions from standard input, one JSON object a line, and answers each in one line.
"""

import functools
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

_NOT_NEEDED = ("fullproof.__main__", "fullproof.pytest_plugin", "fullproof.serve", "fullproof.testing")


class Commands:
    """The process that forks; it ends when we do."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def run(self, words: list[str], *, folder: Path, seconds: float) -> subprocess.CompletedProcess[str]:
        """Run ``fullproof`` with these arguments; as ``subprocess.run`` does, also where it takes too long."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        question = {"words": words, "folder": str(folder), "seconds": seconds}
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if answer["code"] is None:
            raise subprocess.TimeoutExpired(["fullproof", *words], seconds)
        return subprocess.CompletedProcess(["fullproof", *words], answer["code"], answer["out"], answer["err"])


@functools.cache
def commands(environment: tuple[tuple[str, str], ...]) -> Commands:
    """One such process for each environment that commands are to have."""
    return Commands(dict(environment))


def _serve() -> None:
    # As for the installed program: its own folder, in which there are no modules, comes first.
    sys.path[0] = str(Path(sys.executable).parent)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # nothing else may get among the answers
    _import_all()
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), file=answers, flush=True)


def _import_all() -> None:
    """No solver is started here: only what is imported is the same after a fork."""
    import fullproof
    from fullproof.cli import entry
    from fullproof.language.parser import parse_expression

    for found in pkgutil.walk_packages(fullproof.__path__, "fullproof.", onerror=lambda _name: None):
        if not found.name.startswith(_NOT_NEEDED) and "demo_data" not in found.name:
            try:
                importlib.import_module(found.name)
            except ImportError:  # an extra that is not installed
                continue
    parse_expression("x > 1")
    entry.run(["check", os.devnull])  # the tree of all commands


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        out, err = Path(name) / "out", Path(name) / "err"
        child = os.fork()
        if child == 0:
            _become(question, out, err)
        code = _waited(child, question["seconds"])
        return {"code": code, "out": out.read_text(), "err": err.read_text()}


def _waited(child: int, seconds: float) -> int | None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return None


def _become(question: dict[str, Any], out: Path, err: Path) -> None:
    """The command; it never returns."""
    code: Any = 99
    try:
        for number, path in ((0, Path(os.devnull)), (1, out), (2, err)):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # without the questions
        os.chdir(question["folder"])
        sys.argv = ["fullproof", *question["words"]]
        from fullproof.cli import main

        main()
    except SystemExit as left:
        code = left.code
    except BaseException:  # noqa: BLE001  # whatever it is, the test is to see it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve()
