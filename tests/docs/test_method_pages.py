"""Every method has a page that says what it guarantees, under which hypotheses, at what cost, and shows it at work."""

import re
from pathlib import Path

import pytest
from tests.docs.fences import fences
from tests.shared import ROOT

from fullproof.generate.finite.methods import EQUIVALENCE_METHODS

FOLDER = ROOT / "docs" / "methods"
PAGES = sorted(FOLDER.glob("*.md"))
OTHERS = {
    "abstraction",
    "counting",
    "general",
    "identify",
    "local",
    "paper",
    "partition",
    "random",
    "relaxed",
    "separable",
    "switch",
    "timers",
}


def test_every_method_has_a_page() -> None:
    assert {*EQUIVALENCE_METHODS, *OTHERS, "auto", "symbolic-auto", "generalised-wp"} == {page.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_what_one_wants_to_know(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    rows = re.findall(r"^\| \*\*(.+?)\*\* \|", text, re.MULTILINE)
    wanted = ["Guarantees", "Hypotheses", "Cost"] + (["Default"] if "auto" in page.stem else ["Paper"])
    assert [row for row in wanted if row not in rows] == []
    assert [title for title in ("How it works", "Worked example") if f"\n## {title}\n" not in text] == []
    example = text.split("\n## Worked example\n")[1]
    assert "```console\n$ fullproof " in example
    assert any(fence.language == "console" and len(fence.text.splitlines()) > 1 for fence in fences(page))


@pytest.mark.parametrize("name", EQUIVALENCE_METHODS)
def test_the_paper_is_that_of_the_catalogue(name: str) -> None:
    method = EQUIVALENCE_METHODS[name]
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    years = re.findall(r"\b(?:19|20)\d\d\b", method.paper)
    assert all(year in text for year in years)
    assert ("does not grow with the suite" in text) == method.streams
