import os
import stat
from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.core.files import check_writable, replacing, write_text


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


def test_a_pipe_or_device_is_written_to_and_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    check_writable(pipe)
    write_text(pipe, "text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "dangling").symlink_to("new")
    write_text(tmp_path / "link", "text")
    write_text(tmp_path / "dangling", "other")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "text"
    assert (tmp_path / "new").read_text() == "other"


def test_the_permissions_of_an_old_file_stay(tmp_path: Path) -> None:
    target = tmp_path / "secret"
    target.write_text("old")
    target.chmod(0o600)
    write_text(target, "new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_name_as_long_as_the_system_allows(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 255)
    write_text(target, "text")
    assert target.read_text() == "text"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("missing/file", "no such folder"),
        ("file/below", "cannot write"),
        (".", "is a folder"),
        ("loop", "symbolic links"),
    ],
)
def test_what_cannot_be_written_is_known_before(tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(UserError, match=complaint):
        check_writable(tmp_path / name)
    with pytest.raises(UserError, match="cannot write"):
        write_text(tmp_path / name, "text")


def test_new_files_get_the_usual_permissions(tmp_path: Path) -> None:
    plain, ours = tmp_path / "plain", tmp_path / "ours"
    plain.write_text("x")
    write_text(ours, "x")
    assert ours.stat().st_mode == plain.stat().st_mode
