"""Commands in the documents are executed, and print what the documents say they print."""

from pathlib import Path

import pytest
from tests.docs.transcripts import DOCUMENTS, blocks, executed, plain, prepare
from tests.shared import ROOT


def transcripts() -> list[tuple[Path, str]]:
    return [(path, block) for path in DOCUMENTS for block in blocks(path)]


def _name(value: object) -> str:
    return str(value.relative_to(ROOT)) if isinstance(value, Path) else ""


@pytest.mark.parametrize(("path", "block"), transcripts(), ids=_name)
def test_transcripts(path: Path, block: str, tmp_path: Path) -> None:
    prepare(tmp_path)
    for command, expected, seen in executed(block, tmp_path):
        assert plain(seen) == plain(expected), command


def test_there_is_something_to_run() -> None:
    assert any(path.name == "README.md" for path, _ in transcripts())
