"""Every block in the documents is executed, and prints what the documents say it prints."""

import re
import shutil
from itertools import chain
from pathlib import Path

import pytest
from tests.browser import needs_browser
from tests.docs.fences import FENCE, fences
from tests.docs.languages import LANGUAGES, Names, execute
from tests.docs.transcripts import DOCUMENTS, Desk, blocks, commands
from tests.shared import ROOT


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


WITH_BLOCKS = [path for path in DOCUMENTS if fences(path)]


def _as_parameter(path: Path) -> object:
    needs = [needs_browser] if any("browser:" in block for block in blocks(path)) else []
    return pytest.param(path, id=_name(path), marks=needs)


@pytest.mark.parametrize("path", [_as_parameter(path) for path in WITH_BLOCKS])
def test_blocks(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page share a folder, and what its Python code has defined."""
    tools = {command.split()[0] for command, _ in chain.from_iterable(map(commands, blocks(path)))}
    tools |= {"cc" for fence in fences(path) if fence.language == "c"}
    for tool in tools & {"make", "cc", "node"}:
        if shutil.which(tool) is None:
            pytest.skip(f"there is no {tool}")
    monkeypatch.setenv("TOKEN", "s3cret")
    monkeypatch.chdir(tmp_path)
    names: Names = {"__name__": "page"}
    with Desk(tmp_path) as desk:
        for fence in fences(path):
            execute(fence, desk, names)


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_languages(path: Path) -> None:
    """A block is executed, or says that it is text; nothing slips through by having no language."""
    for fence in fences(path):
        assert fence.language in LANGUAGES, f"line {fence.line}: {fence.language or 'no language'}"
    assert path.read_text(encoding="utf-8").count("```") == 2 * len(fences(path))


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_files_are_used(path: Path) -> None:
    """A block that is a file is there for a command or for another file that names it.

    Files of a CI server are executed by themselves, and nobody names those that say what a package is.
    """
    found = fences(path)
    for number, fence in enumerate(found):
        if fence.title is not None and not re.search(r"\.yml$|\.dist-info/", fence.title):
            name = fence.title.rsplit("/", 1)[-1]
            others = [other for place, other in enumerate(found) if place != number and other.language != "text"]
            assert any(name in other.text or Path(name).stem in other.text for other in others), fence.title


def test_there_is_something_to_run() -> None:
    assert any(path.name == "README.md" for path in WITH_BLOCKS)


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_no_code_hides_in_indentation(path: Path) -> None:
    """Markdown takes indented lines for code, too, in no language."""
    before, blank = "", True
    for line in FENCE.sub("", path.read_text(encoding="utf-8")).splitlines():
        inside = before.startswith(" ") or re.match(r"([-*+]|\d+[.)]) ", before.lstrip())
        assert not (line.startswith("    ") and line.strip() and blank and not inside), line
        before, blank = (line, False) if line.strip() else (before, True)
