"""Transcripts in documents: blocks of commands after ``$`` and what they print.

``python -m tests.docs.transcripts FILE...`` executes them and writes what they print now into the files; read the
difference before you commit it. A command that ends with ``&`` goes on in the background until its page is done.
"""

import contextlib
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

from tests.docs.fences import FENCE, Fence, fence_of, fences
from tests.docs.forking import commands as prepared
from tests.shared import ROOT

DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]
CHANGING = re.compile(r"\b\d+\.\d+ ?s\b")
"""Seconds differ from run to run; everything else must be as printed."""
TOOLS = Path(sys.executable).parent
ENVIRONMENT = {"COLUMNS": "100", "PATH": f"{TOOLS}:/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
_PATIENCE = 400
_SHRINK = "--shrink-failures"
"""Given with more seconds than by default: on a busy machine the budget of steps has to end the search."""
_PORT = re.compile(r"\b473\d\d\b")
"""Documents print such ports; where they are executed, free ones take their place, so that runs can go side by side."""


def blocks(path: Path) -> list[str]:
    return [fence.text for fence in fences(path) if fence.language == "console"]


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Split a transcript at its prompts into commands and the lines that they print."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def prepare(folder: Path) -> None:
    """Put what documents speak of where they say it is."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    shutil.copytree(ROOT / "tests/data/reference", folder / "reference")


class Desk:
    """A folder in which the blocks of one page are put and executed; leave it, and what still runs is ended."""

    def __init__(self, folder: Path) -> None:
        prepare(folder)
        self.folder = folder
        self.last = folder
        """Where the last transcript ended."""
        self._running: list[subprocess.Popen[str]] = []
        self._ports: dict[str, str] = {}

    def __enter__(self) -> "Desk":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running:
            process.kill()
            process.communicate()

    def put(self, fence: Fence) -> None:
        """Write a block that is a file."""
        if fence.title is not None:
            target = self.folder / fence.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self._with_free_ports(fence.text), encoding="utf-8")

    def executed(self, block: str) -> Iterator[tuple[str, list[str], list[str]]]:
        """Execute the commands one after the other; yield each with what it should print and what it prints."""
        self.last = self.folder
        for command, expected in commands(block):
            words = shlex.split(self._with_free_ports(command))
            if words[:2] == ["fullproof", "run"] and _SHRINK not in words:
                words[2:2] = [_SHRINK, str(_PATIENCE)]
            if words[0] == "cd":
                self.last = self.last / words[1]
                yield command, [], []
            elif words[-1] == "&":
                yield command, expected, self._as_printed(self._started(words[:-1], len(expected)))
            else:
                yield command, expected, self._as_printed(self._finished(words))

    def _with_free_ports(self, text: str) -> str:
        return _PORT.sub(lambda match: self._ports.setdefault(match[0], _free_port()), text)

    def _as_printed(self, lines: list[str]) -> list[str]:
        for printed, port in self._ports.items():
            lines = [line.replace(port, printed) for line in lines]
        return lines

    def run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        """Run a command where the last transcript ended."""
        environment = ENVIRONMENT | {"HOME": os.environ.get("HOME", "/")}
        if words[0] == "fullproof" and hasattr(os, "fork"):
            return prepared(tuple(environment.items())).run(words[1:], folder=self.last, seconds=_PATIENCE)
        return subprocess.run(
            [shutil.which(words[0], path=ENVIRONMENT["PATH"]) or words[0], *words[1:]],
            cwd=self.last,
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE,
            env=environment,
        )

    def _finished(self, words: list[str]) -> list[str]:
        done = self.run(words)
        return done.stderr.splitlines() + done.stdout.splitlines()

    def _started(self, words: list[str], lines: int) -> list[str]:
        """Start a process and wait for the lines that say that it is ready: at least one."""
        process = subprocess.Popen(
            [shutil.which(words[0], path=ENVIRONMENT["PATH"]) or words[0], *words[1:]],
            cwd=self.last,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=ENVIRONMENT,
        )
        self._running.append(process)
        assert process.stdout is not None
        return [process.stdout.readline().rstrip("\n") for _ in range(max(1, lines))]


def _free_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def plain(lines: list[str]) -> list[str]:
    return [CHANGING.sub("N s", line).rstrip() for line in lines]


def refreshed(text: str) -> str:
    """The document with what its commands print now."""

    from tests.docs.languages import execute

    names: dict[str, object] = {"__name__": "page"}

    def printed(match: re.Match[str]) -> str:
        fence = fence_of(match)
        if fence.language != "console":
            with contextlib.chdir(desk.folder):
                execute(fence, desk, names)
            return match[0]
        lines = []
        for command, expected, seen in desk.executed(fence.text):
            if any("bug in fullproof" in line for line in seen):
                raise SystemExit(f"{command}: a bug, nothing was written")
            kept = expected if plain(expected) == plain(seen) else [line.rstrip() for line in seen]
            lines += [f"$ {command}", *kept]
        body = textwrap.indent("".join(f"{line}\n" for line in lines), match["indent"])
        return f"{match['indent']}```{match['info']}\n{body}{match['indent']}```"

    with tempfile.TemporaryDirectory() as folder, Desk(Path(folder)) as desk:
        return FENCE.sub(printed, text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        document = Path(name)
        document.write_text(refreshed(document.read_text(encoding="utf-8")), encoding="utf-8")
