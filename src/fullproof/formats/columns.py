"""Columns of the file, where the decoded text differs from the text in the file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from fullproof.core.errors import Place, UserError


class Located(Protocol):
    """Something that stands in a file."""

    @property
    def line(self) -> int:
        """Its line."""

    @property
    def column(self) -> int:
        """The column of its first character."""


@dataclass(slots=True)
class ColumnTable:
    """Where the characters that are read stand: a table for each line on which they are not those of the file."""

    file: str
    tables: dict[int, list[int]] = field(default_factory=dict)

    def in_file(self, place: Place) -> Place:
        """A place among the characters that are read as a place in the file."""
        if place.line not in self.tables or place.column is None:
            return place
        table = self.tables[place.line]
        return replace(place, column=table[min(place.column, len(table)) - 1])

    def error(self, message: str, line: int, column: int) -> UserError:
        """A mistake at a character that is read."""
        return UserError(message, at=Place(file=self.file, line=line, column=column))

    def place(self, there: Located) -> Place:
        """Where something begins, among the characters that are read."""
        return Place(file=self.file, line=there.line, column=there.column)

    def error_at(self, message: str, there: Located) -> UserError:
        """A mistake at something that is read."""
        return UserError(message, at=self.place(there))

    def error_in_file(self, error: UserError) -> UserError:
        """The same mistake with its place in the file; the first character where it has none."""
        at = self.in_file(error.at)
        return UserError(error.message, at=at if at.line is not None else Place(file=self.file, line=1, column=1))
