"""Decisions follow one template (a numbered title, the decision, why, what it costs) and name files that exist."""

from __future__ import annotations

import builtins
import functools
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


SOURCE = FOLDER.parents[1] / "src" / "fullproof"
PAGES = [*DECISIONS, FOLDER.parents[1] / "ARCHITECTURE.md"]


@functools.cache
def defined_names() -> frozenset[str]:
    """Classes, functions, attributes, constants and imported names of the package."""
    patterns = r"\b(?:class|def)\s+(\w+)|^\s*(\w+)\s*[:=]|\bimport\s+([\w, ]+)"
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    found = (name for groups in re.findall(patterns, text, flags=re.MULTILINE) for name in groups)
    return frozenset(word for names in found for word in re.findall(r"\w+", names)) | frozenset(dir(builtins))


def is_known(quoted: str) -> bool:
    """Whether a file, module or class that a page names exists; other quotations are not judged."""
    roots = (FOLDER.parents[1], SOURCE, FOLDER, FOLDER.parent)
    if "/" in quoted and re.fullmatch(r"[\w./-]+\.(?:py|md|svg|toml)", quoted):
        return any((root / quoted).exists() for root in roots)
    if re.fullmatch(r"[A-Z][a-z]+\w*(?:\.\w+)*", quoted):
        return set(quoted.split(".")) <= defined_names()
    if re.fullmatch(r"[a-z_]+(?:\.[a-z_]+)+", quoted) and (SOURCE / quoted.split(".", maxsplit=1)[0]).is_dir():
        path = SOURCE.joinpath(*quoted.split("."))
        modules = [path.is_dir(), path.with_suffix(".py").exists(), path.parent.with_suffix(".py").exists()]
        return any(modules) or quoted.endswith(".json")
    return True


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_what_a_page_names_exists(path: Path) -> None:
    quoted = re.findall(r"`([^`\n]+)`", path.read_text(encoding="utf-8"))
    assert [name for name in quoted if not is_known(name)] == []


def test_a_name_that_is_gone_is_noticed() -> None:
    assert is_known("language/strings.py")
    assert is_known("StringValue")
    assert is_known("language.assumptions")
    assert not is_known("language/tellers.py")
    assert not is_known("TellerValue")
    assert not is_known("language.assuming")
