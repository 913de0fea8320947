"""``exec:``: the command line of a system."""

from __future__ import annotations

import shlex

from fullproof.core.errors import UserError


def command_of(line: str) -> list[str]:
    """The words of a command line."""
    try:
        command = shlex.split(line)
    except ValueError as error:
        raise UserError(f"--sut exec:{line}: {error}") from error
    if not command:
        raise UserError("--sut exec: needs a command line, e.g. exec:./controller --json")
    return command
