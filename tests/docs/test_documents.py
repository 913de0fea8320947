"""Commands in the documents are executed, and print what the documents say they print."""

import shutil
from itertools import chain
from pathlib import Path

import pytest
from tests.docs.transcripts import DOCUMENTS, blocks, commands, executed, plain, prepare
from tests.shared import ROOT


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


WITH_COMMANDS = [path for path in DOCUMENTS if blocks(path)]


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=_name)
def test_transcripts(path: Path, tmp_path: Path) -> None:
    """Every block begins in the same folder, where the files are that earlier blocks of the document have written."""
    for command, _ in chain.from_iterable(map(commands, blocks(path))):
        if (tool := command.split()[0]) in ("make", "cc") and shutil.which(tool) is None:
            pytest.skip(f"there is no {tool}")
    prepare(tmp_path)
    for block in blocks(path):
        for command, expected, seen in executed(block, tmp_path):
            assert plain(seen) == plain(expected), command


def test_there_is_something_to_run() -> None:
    assert any(path.name == "README.md" for path in WITH_COMMANDS)
