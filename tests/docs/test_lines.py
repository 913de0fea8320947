"""Documents break lines where sentences and clauses end, so that a change shows what it changes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.shared import ROOT

LONGEST = 120


def pages() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    names = listed.split("\n") if listed else [str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md")]
    return [ROOT / name for name in names if name and (ROOT / name).exists()]


def prose(text: str) -> list[tuple[int, str]]:
    """The lines with their numbers, without fenced blocks and tables."""
    found, fence = [], ""
    for number, line in enumerate(text.splitlines(), start=1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence:
            if mark and mark[1].startswith(fence) and line.strip() == mark[1]:
                fence = ""
        elif mark:
            fence = mark[1]
        elif not line.lstrip().startswith("|"):
            found.append((number, line))
    return found


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_of_prose_is_too_long(page: Path) -> None:
    lines = prose(page.read_text(encoding="utf-8"))
    assert [(number, line) for number, line in lines if len(line) > LONGEST] == []


def test_fences_and_tables_may_be_wide() -> None:
    wide = "x" * 121
    assert prose(f"a\n```text\n{wide}\n```\n| {wide} |\n{wide}\n") == [(1, "a"), (6, wide)]
