"""Two families of errors: the user's errors have a place and no traceback, our own errors have a traceback."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Place:
    """A position in a file; line and column count from 1."""

    file: str = ""
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        parts = [self.file] if self.file else []
        if self.line is not None:
            parts.append(f"line {self.line}")
        if self.column is not None:
            parts.append(f"column {self.column}")
        return ", ".join(parts)


NOWHERE = Place()


class UserError(Exception):
    """Something the user can fix: a bad model, a bad option, a missing file. Exit code 4, one line, no traceback."""

    def __init__(self, message: str, *, at: Place = NOWHERE) -> None:
        self.message = " ".join(message.split())
        self.at = at
        super().__init__(f"{at}: {self.message}" if str(at) else self.message)


class NothingToDo(UserError):
    """The request selects nothing. Exit code 5, one line."""


class Bug(Exception):
    """An invariant of ours is broken. Exit code 3, with traceback."""
