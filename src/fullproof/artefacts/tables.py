"""Cells of tables for spreadsheets: data must not be interpreted as a formula."""

from __future__ import annotations

FORMULA_MARKS = "=+-@\t\r\n"
"""The characters that start a formula in some spreadsheet program."""


def safe_cell(text: str) -> str:
    """The text, after an apostrophe where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.lstrip(" ")[:1] in tuple(FORMULA_MARKS) else text
