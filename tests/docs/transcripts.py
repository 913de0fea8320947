"""Transcripts in documents: blocks of commands after ``$`` and what they print.

``python -m tests.docs.transcripts FILE...`` executes them and writes what they print now into the files; read the
difference before you commit it.
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.shared import ROOT

DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "examples").glob("*/README.md")),
]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
CHANGING = re.compile(r"\d+\.\d+ s\b")
"""Seconds differ from run to run; everything else must be as printed."""


def blocks(path: Path) -> list[str]:
    return BLOCK.findall(path.read_text(encoding="utf-8"))


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


def executed(block: str, folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Execute the commands one after the other; yield each with what it should print and what it prints."""
    for command, expected in commands(block):
        words = shlex.split(command)
        if words[0] == "cd":
            folder = folder / words[1]
            yield command, [], []
            continue
        if words[0] == "fullproof":
            words[0] = str(Path(sys.executable).parent / "fullproof")
        done = subprocess.run(
            words,
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env={"COLUMNS": "100", "PATH": "/usr/bin:/bin"},
        )
        yield command, expected, done.stderr.splitlines() + done.stdout.splitlines()


def plain(lines: list[str]) -> list[str]:
    return [CHANGING.sub("N s", line).rstrip() for line in lines]


def refreshed(text: str) -> str:
    """The document with what its commands print now."""

    def printed(block: re.Match[str]) -> str:
        lines = []
        for command, expected, seen in executed(block[1], Path(folder)):
            kept = expected if plain(expected) == plain(seen) else [line.rstrip() for line in seen]
            lines += [f"$ {command}", *kept]
        return "```console\n" + "".join(f"{line}\n" for line in lines) + "```"

    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        return BLOCK.sub(printed, text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        document = Path(name)
        document.write_text(refreshed(document.read_text(encoding="utf-8")), encoding="utf-8")
