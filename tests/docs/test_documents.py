"""Commands in the documents are executed, and print what the documents say they print."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.shared import ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
CHANGING = re.compile(r"\d+\.\d+ s\b")
"""Seconds differ from run to run; everything else must be as printed."""


def transcripts() -> list[tuple[Path, str]]:
    return [(path, block) for path in DOCUMENTS for block in BLOCK.findall(path.read_text(encoding="utf-8"))]


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Split a transcript at its prompts into commands and the lines that they print."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize(("path", "block"), transcripts(), ids=lambda v: v.name if isinstance(v, Path) else "")
def test_transcripts(path: Path, block: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "tests/data/reference", tmp_path / "reference")
    folder = tmp_path
    for command, expected in commands(block):
        words = shlex.split(command)
        if words[0] == "cd":
            folder = folder / words[1]
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
        seen = done.stderr.splitlines() + done.stdout.splitlines()
        assert _plain(seen) == _plain(expected), command


def _plain(lines: list[str]) -> list[str]:
    return [CHANGING.sub("N s", line).rstrip() for line in lines]


def test_there_is_something_to_run() -> None:
    assert any(path.name == "README.md" for path, _ in transcripts())
