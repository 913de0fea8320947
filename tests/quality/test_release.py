"""What `make wheel` relies on: it sees files that an archive lacks, and kernels that are compiled or not."""

import tarfile
import tomllib
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from release import installs, probe
from tests.shared import ROOT

PACKAGE = ROOT / "src" / "fullproof"


def _files() -> list[str]:
    return [str(path.relative_to(ROOT / "src")) for path in PACKAGE.rglob("*") if installs._kept(path)]


def test_a_wheel_that_lacks_a_file_is_seen(tmp_path: Path) -> None:
    left_out = "fullproof/py.typed"
    for names, lacking in ((_files(), []), ([name for name in _files() if name != left_out], [left_out])):
        wheel = tmp_path / "fullproof-1-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as opened:
            for name in names:
                opened.writestr(name, "")
        assert installs.missing(wheel) == lacking


def test_a_source_archive_that_lacks_a_file_is_seen(tmp_path: Path) -> None:
    archive = tmp_path / "fullproof-1.tar.gz"
    left_out = next(name for name in _files() if name.endswith(".pxd"))
    with tarfile.open(archive, "w:gz") as opened:
        for name in _files():
            if name != left_out:
                opened.addfile(tarfile.TarInfo(f"fullproof-1/src/{name}"))
    assert installs.missing(archive) == [left_out]


def test_every_file_of_the_package_has_an_ending_that_is_installed() -> None:
    """Package data are listed by their endings: a new ending has to be listed, too."""
    with (ROOT / "pyproject.toml").open("rb") as opened:
        listed = tomllib.load(opened)["tool"]["setuptools"]["package-data"]["fullproof"]
    endings = {Path(pattern).suffix for pattern in listed} | {".py"}
    assert [name for name in _files() if Path(name).suffix not in endings and Path(name).name != "py.typed"] == []


def test_kernels_are_counted_as_compiled_or_not(tmp_path: Path) -> None:
    folder = tmp_path / "room" / "kernels"
    folder.mkdir(parents=True)
    for name in ("__init__.py", "one.py", "two.py", f"two{EXTENSION_SUFFIXES[0]}"):
        (folder / name).touch()
    assert probe.kernels(tmp_path) == (["room/kernels/two.py"], ["room/kernels/one.py"])


@pytest.mark.parametrize(
    ("expected", "compiled", "uncompiled", "said"),
    [
        ("compiled", ["a"], [], None),
        ("uncompiled", [], ["a"], None),
        ("compiled", ["a"], ["b"], "expected all kernels compiled, but 1 are not: b"),
        ("uncompiled", ["a"], ["b"], "expected all kernels uncompiled, but 1 are not: a"),
        ("uncompiled", [], [], "the package has no kernels"),
    ],
)
def test_kernels_of_the_wrong_sort_are_an_error(expected: str, compiled, uncompiled, said: str | None) -> None:
    assert probe.complaint(expected, compiled, uncompiled) == said


def test_a_folder_without_archives_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"expected one fullproof-.*whl, found 0"):
        installs.main(tmp_path)


def test_cibuildwheel_asks_each_wheel() -> None:
    with (ROOT / "pyproject.toml").open("rb") as opened:
        command = tomllib.load(opened)["tool"]["cibuildwheel"]["test-command"]
    assert (ROOT / command.split()[1].removeprefix("{project}/")).is_file()
    assert command.split()[2] in probe.STATES
