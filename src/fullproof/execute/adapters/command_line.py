"""The command line of a system, and commands that bring one into its initial state."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.execute.sut import SutError

_KEPT = 4000


def command_of(line: str) -> list[str]:
    """The words of a command line."""
    try:
        command = shlex.split(line)
    except ValueError as error:
        raise UserError(f"--sut exec:{line}: {error}") from error
    if not command:
        raise UserError("--sut exec: needs a command line, e.g. exec:./controller --json")
    return command


def check_command(text: str, *, at: Place) -> str:
    """The text where it is a command line; a UserError with its place where it is none."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"{text!r} is not a command: {error}", at=at) from None
    if not words:
        raise UserError("expected a command", at=at)
    return text


def run_command(line: str, folder: Path, *, timeout: float | None) -> None:
    """Run a command of a mapping file, in the folder of that file; SutError where it fails."""
    words = shlex.split(line)
    try:
        done = subprocess.run(
            words, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        raise SutError(f"{words[0]} did not end within {timeout:g} s") from None
    except OSError as error:
        raise UserError(f"cannot start {words[0]!r}: {error.strerror}") from error
    if done.returncode:
        evidence = done.stderr[-_KEPT:].decode("utf-8", "replace")
        raise SutError(f"{words[0]} ended with status {done.returncode}", evidence=evidence)
