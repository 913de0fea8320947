from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.core.files import replacing, write_text


def test_the_new_file_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "suite.jsonl"
    write_text(target, "old\n")
    write_text(target, "new ä\n")
    assert target.read_bytes() == "new ä\n".encode()
    assert list(tmp_path.iterdir()) == [target]


def test_a_failure_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "suite.jsonl"
    write_text(target, "old\n")
    with pytest.raises(ZeroDivisionError), replacing(target) as out:
        out.write("half")
        raise ZeroDivisionError
    assert target.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_that_does_not_exist_is_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write"):
        write_text(tmp_path / "missing" / "file", "text")


def test_a_target_that_is_a_folder_is_the_users_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    with pytest.raises(UserError, match="cannot write"):
        write_text(tmp_path / "here", "text")
    assert [p.name for p in tmp_path.iterdir()] == ["here"]


def test_new_files_get_the_usual_permissions(tmp_path: Path) -> None:
    plain, ours = tmp_path / "plain", tmp_path / "ours"
    plain.write_text("x")
    write_text(ours, "x")
    assert ours.stat().st_mode == plain.stat().st_mode
