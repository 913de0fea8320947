"""Cells of tables that people open in a spreadsheet: data must not become a formula there."""

from __future__ import annotations

FORMULA_MARKS = "=+-@\t\r\n"
"""What a formula begins with, for one program or another."""


def safe_cell(text: str) -> str:
    """The text, after an apostrophe where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.lstrip(" ")[:1] in tuple(FORMULA_MARKS) else text
