"""Commands in the documents are executed, and print what the documents say they print."""

from pathlib import Path

import pytest
from tests.docs.transcripts import DOCUMENTS, blocks, executed, plain, prepare
from tests.shared import ROOT


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


WITH_COMMANDS = [path for path in DOCUMENTS if blocks(path)]


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=_name)
def test_transcripts(path: Path, tmp_path: Path) -> None:
    """Every block begins in the same folder, where the files are that earlier blocks of the document have written."""
    prepare(tmp_path)
    for block in blocks(path):
        for command, expected, seen in executed(block, tmp_path):
            assert plain(seen) == plain(expected), command


def test_there_is_something_to_run() -> None:
    assert any(path.name == "README.md" for path in WITH_COMMANDS)
