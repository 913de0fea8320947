"""Decisions follow one template: a numbered title, then what was decided, why, and what it costs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "adr"
DECISIONS = sorted(FOLDER.glob("*.md"))


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_has_its_parts_in_order(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(rf"# {path.stem[:3]}: [A-Z0-9`]", text)
    parts = re.findall(r"^\*\*([^*]+)\.\*\*", text, flags=re.MULTILINE)
    expected = ["Decision", "Why", "What it costs"]
    assert [part for part in parts if part in expected] == expected
    assert parts[0] == "Decision"
    assert "\n## " not in text


def test_numbers_are_used_once() -> None:
    numbers = [path.stem[:3] for path in DECISIONS]
    assert len(numbers) == len(set(numbers))
