"""Comments, docstrings, messages and pages use plain technical terms; phrases that were riddles do not return."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest
from tests.docs.test_lines import prose
from tests.shared import ROOT

BANNED = {
    "nobody": "name the part that does not do it, or use the passive voice",
    "somebody": "a user, another process",
    "whoever": "any caller, regardless of the origin",
    "told": "distinguished, called with, notified, reported",
    "as one likes": "any, freely",
    "(?:it|they) likes?": "at any time; reactive",
    "of (?:its|their) own accord": "spontaneously",
    "for want of": "because there is no; vacuously",
    "so it is with": "also",
    "goes without saying": "is omitted",
    "in vain": "without a result",
    "speaks? of": "refers to",
    "tells? (?:[a-z]+ ){0,3}apart": "distinguishes",
    "could not tell": "could not decide",
    "(?:is|are) believed": "is used, is valid",
    "benefit of the doubt": "is kept as undecided",
    "cannot be negative": "must be >= 0, got -1",
    "dearer": "more expensive",
    "mend(?:s|ed|ing)?": "fix, correct, repair",
    "obituar(?:y|ies)": "exit error",
    "bury|buried": "on the death of a worker",
    "nursery": "fork server",
    "babbles?|babbling": "unexpected output",
    "hither|whence|lest|thereof": "here, from where, so that not, of it",
}
WORDS = re.compile(rf"\b(?:{'|'.join(BANNED)})\b", re.IGNORECASE)
"""Identifiers with underscores are no words here: a key of a file format, such as ``not_told_apart``, may stay."""


def texts(source: str) -> list[tuple[int, str]]:
    """Comments and strings of more than one word with their lines; a key such as ``"told"`` is data."""
    found = tokenize.generate_tokens(io.StringIO(source).readline)
    return [
        (token.start[0], token.string)
        for token in found
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in token.string)
    ]


def banned(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    if not WORDS.search(text):
        return []
    parts = texts(text) if path.suffix == ".py" else prose(text)
    return [
        f"{path.relative_to(ROOT)}:{line + part.count(chr(10), 0, hit.start())}: {hit.group()!r}"
        for line, part in parts
        for hit in WORDS.finditer(part)
    ]


@pytest.mark.parametrize("pattern", ["src/fullproof/**/*.py", "docs/**/*.md", "examples/**/*.md", "*.md"])
def test_riddles_do_not_return(pattern: str) -> None:
    pages = [path for path in sorted(ROOT.glob(pattern)) if path.name != "CHANGELOG.md"]
    assert pages
    assert [line for path in pages for line in banned(path)] == []


def test_a_riddle_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.quality.test_plain_words.ROOT", tmp_path)
    page, code = tmp_path / "page.md", tmp_path / "code.py"
    page.write_text("One.\n```text\nnobody\n```\nNobody sees it.\n")
    code.write_text('told = {"told": 1}  # a key\n"""One.\n\n    Words that tell two states apart.\n    """\n')
    assert banned(page) == ["page.md:5: 'Nobody'"]
    assert banned(code) == ["code.py:4: 'tell two states apart'"]


@pytest.mark.parametrize("phrase", BANNED)
def test_every_phrase_can_be_found(phrase: str) -> None:
    """A pattern that matches nothing would protect nothing: each has an example, its text without the syntax."""
    example = re.sub(r"\(\?:([^|)]*)[^)]*\)(?:\{0,3\})?|[?]", r"\1", phrase).split("|")[0].replace("[a-z]+ ", "")
    assert WORDS.fullmatch(example), example
