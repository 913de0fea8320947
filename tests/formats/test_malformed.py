"""Files that are wrong in every way we could think of end in one line with the right position."""

from pathlib import Path

import pytest
from tests.shared import ROOT

from fullproof.core.errors import UserError
from fullproof.formats import read_model

FOLDER = ROOT / "tests" / "data" / "malformed"
EXPECTED = {
    name: int(line)
    for line, name in (
        entry.split(" ") for entry in (FOLDER / "expected-lines.txt").read_text().splitlines() if entry[0] != "#"
    )
}


def test_the_corpus_is_whole() -> None:
    files = {path.name for path in FOLDER.iterdir()} - {"expected-lines.txt"}
    assert {name for name in files if not name.endswith(".state")} == set(EXPECTED)
    assert len(EXPECTED) >= 100
    assert {Path(name).suffix for name in EXPECTED} >= {".yaml", ".json", ".dot", ".kiss2", ".fsm", ".csv"}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_malformed_file_is_the_users_mistake(name: str) -> None:
    with pytest.raises(UserError) as caught:
        read_model(FOLDER / name)
    error = caught.value
    assert len(str(error).splitlines()) == 1
    assert error.at.file == str(FOLDER / name)
    assert len(error.message) <= 300
    assert (error.at.line or 0) == EXPECTED[name]
