"""Whether the fullproof of this environment works: run with its Python, and with ``compiled`` or ``uncompiled``.

Needs nothing of the project: it runs where only a wheel is installed, and in an empty folder.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import sysconfig
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

MODEL = """machine: fsm
name: turnstile
initial: locked
states:
  locked: [{when: coin, then: unlock, to: open}, {when: push, then: beep, to: locked}]
  open: [{when: coin, then: thanks, to: open}, {when: push, then: lock, to: locked}]
"""
COMMANDS = (
    "--version",
    "generate model.yaml --extra-states 1 -o suite.jsonl",
    "certify model.yaml suite.jsonl --extra-states 1",
    "run model.yaml --suite suite.jsonl --sut model:model.yaml --report report",
    "draw model.yaml -o model.svg",
    "new gate",
)
STATES = ("compiled", "uncompiled")


def kernels(package: Path) -> tuple[list[str], list[str]]:
    """The kernels that are compiled, and those that are not."""
    found: tuple[list[str], list[str]] = ([], [])
    for source in sorted(package.glob("**/kernels/**/[a-z]*.py")):
        there = any(source.with_name(source.stem + ending).exists() for ending in EXTENSION_SUFFIXES)
        found[0 if there else 1].append(str(source.relative_to(package)))
    return found


def complaint(expected: str, compiled: list[str], uncompiled: list[str]) -> str | None:
    """What is wrong with the kernels of a package that should have all of them so; None where nothing is."""
    wrong = uncompiled if expected == "compiled" else compiled
    if wrong:
        return f"expected all kernels {expected}, but {len(wrong)} are not: {', '.join(wrong[:3])}"
    return None if compiled or uncompiled else "the package has no kernels"


def main(expected: str) -> None:
    """End with a message where something does not work."""
    spec = importlib.util.find_spec("fullproof")
    if spec is None or spec.origin is None:
        raise SystemExit("fullproof is not installed")
    problem = complaint(expected, *kernels(Path(spec.origin).parent))
    if problem is not None:
        raise SystemExit(problem)
    command = Path(sysconfig.get_path("scripts")) / "fullproof"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.yaml").write_text(MODEL, encoding="utf-8")
        for words in COMMANDS:
            done = subprocess.run(
                [str(command), *words.split()], cwd=folder, capture_output=True, text=True, check=False
            )
            if done.returncode != 0:
                raise SystemExit(f"fullproof {words}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    if sys.argv[1:] not in ([state] for state in STATES):
        raise SystemExit(f"usage: probe.py {'|'.join(STATES)}")
    main(sys.argv[1])
