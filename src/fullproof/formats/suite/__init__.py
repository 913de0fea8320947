"""Suite files: a header and then one test a line, so that a suite of any size can be streamed.

JSON Lines, or CSV where the name ends with ``.csv`` (``suite.csv``).
"""

from __future__ import annotations

from fullproof.formats.suite.reader import is_plain, is_suite, placed_tests, read_plain_suite, read_suite
from fullproof.formats.suite.writer import (
    header_line,
    json_text,
    lines_sha256,
    print_lines,
    suite_lines,
    symbol_line,
    test_line,
    write_lines,
    write_suite,
)

__all__ = [
    "SUITE_ENDINGS",
    "header_line",
    "is_plain",
    "is_suite",
    "json_text",
    "lines_sha256",
    "placed_tests",
    "print_lines",
    "read_plain_suite",
    "read_suite",
    "suite_lines",
    "symbol_line",
    "test_line",
    "write_lines",
    "write_suite",
]

SUITE_ENDINGS = (".jsonl", ".csv", ".json", ".txt")
"""Endings of files that may hold a suite. What a file holds is seen by its first line."""
