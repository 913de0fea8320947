"""From an offset in the text of an expression to a place in the file it came from."""

from __future__ import annotations

from collections.abc import Callable

from fullproof.core.errors import Place


def locator(text: str, at: Place) -> Callable[[int], Place]:
    """Return the function from offsets to places, where ``at`` is the place of the text's first character.

    A line is only named where ``at`` has one or the text has several; where ``at`` knows a line but no column, neither
    does the answer.
    """
    several = "\n" in text
    first_column = at.column if at.column is not None else 1
    knows_column = at.column is not None or at.line is None

    def place(offset: int) -> Place:
        before = text.count("\n", 0, offset) if several else 0
        line = (at.line if at.line is not None else 1) + before if at.line is not None or several else None
        column = offset - text.rfind("\n", 0, offset) if before else first_column + offset
        return Place(file=at.file, line=line, column=column if knows_column else None)

    return place
