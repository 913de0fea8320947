"""Files by their endings, and files that are not there or not files."""

from pathlib import Path

import pytest
from tests.shared import REFERENCE

from fullproof.core.errors import UserError
from fullproof.formats import read_model, write_model
from fullproof.formats.table import readable_endings


def complaint(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        read_model(path)
    assert str(path) in str(caught.value)
    return caught.value.message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert complaint(tmp_path / "none.yaml") == "no such file"
    (tmp_path / "folder.yaml").mkdir()
    assert complaint(tmp_path / "folder.yaml") == "is a folder, expected a file"
    (tmp_path / "empty.dot").write_text(" \n\n")
    assert complaint(tmp_path / "empty.dot") == "the file is empty"
    (tmp_path / "latin.yaml").write_bytes("machine: fsm\nname: größe\n".encode("latin-1"))
    assert "byte 0xf6 is not UTF-8" in complaint(tmp_path / "latin.yaml")
    with pytest.raises(UserError, match="line 2, column 9"):
        read_model(tmp_path / "latin.yaml")
    loop = tmp_path / "loop.yaml"
    loop.symlink_to(loop)
    assert complaint(loop).startswith("cannot be read")
    assert complaint(tmp_path / "nul\0.yaml").startswith("cannot be read")
    assert complaint(tmp_path / ("x" * 5000 + ".yaml")).startswith("cannot be read")


def test_unknown_endings(tmp_path: Path) -> None:
    assert {".yaml", ".yml", ".json", ".dot", ".kiss2", ".fsm", ".csv", ".mmd"} <= set(readable_endings())
    expected = f"expected one of {', '.join(readable_endings())}"
    assert complaint(tmp_path / "m.yalm") == f"unknown file ending '.yalm', {expected}; did you mean '.yaml'?"
    assert complaint(tmp_path / "m") == f"the file name has no ending, {expected}"
    model = read_model(REFERENCE / "brake" / "brake.yaml")
    with pytest.raises(UserError, match=r"unknown file ending '.svg', expected one of .*\.mmd"):
        write_model(model, tmp_path / "m.svg")
    with pytest.raises(UserError, match="is a folder"):
        (tmp_path / "m.yaml").mkdir()
        write_model(model, tmp_path / "m.yaml")
    with pytest.raises(UserError, match="cannot write"):
        write_model(model, tmp_path / "none" / "m.yaml")
