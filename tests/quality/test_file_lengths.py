"""A file that grows beyond 400 lines holds more than one thing: it is split, by what its parts are about."""

import pytest
from tests.shared import ROOT

LONGEST = 400
CHECKER = 600
"""The small checker is one file, so that it can be read and carried as a whole."""


@pytest.mark.parametrize("folder", ["src", "tests", "benchmarks", "checker", "docs", "release", "qualification"])
def test_no_file_is_too_long(folder: str) -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / folder).rglob("*.py")
    }
    assert lengths
    assert {path: n for path, n in lengths.items() if n > (CHECKER if folder == "checker" else LONGEST)} == {}
