"""A folder that may not be searched: even to ask whether a file in it exists is an error of the system."""

import errno
from pathlib import Path

import pytest
from tests.shared import ROOT

from fullproof.cli.entry import run

TURNSTILE = str(ROOT / "examples/turnstile/turnstile.yaml")


@pytest.mark.parametrize(
    "words",
    [
        ["judge", "closed/run.sqlite"],
        ["run", TURNSTILE, "--sut", "python:closed/sut.py:Turnstile", "--no-isolate"],
        ["run", TURNSTILE, "--sut", "lib:closed/sut.so"],
    ],
)
def test_a_folder_that_may_not_be_searched_is_one_line(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stat(self: Path, *, follow_symlinks: bool = True) -> object:
        if self.parts[0] == "closed":
            raise PermissionError(errno.EACCES, "Permission denied", str(self))
        return ask(self, follow_symlinks=follow_symlinks)

    ask = Path.stat
    monkeypatch.setattr(Path, "stat", stat)
    assert run(words) == 4
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("fullproof: closed/")
    assert said.endswith(": Permission denied")
