"""Atomic replacement of files: a reader sees the old contents or the new contents, never a mixture."""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO, TextIO

from fullproof.core.errors import Place, UserError

_NAME_KEPT = 40
"""How many characters of the target's name the temporary file's name keeps, so that the longer name stays valid."""


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Open a temporary file beside ``path`` that takes its place when the block ends, and vanishes when it fails."""
    with replacing_bytes(path) as raw:
        text = io.TextIOWrapper(raw, encoding="utf-8", newline="\n", write_through=False)
        try:
            yield text
        finally:
            text.flush()
            text.detach()


@contextmanager
def replacing_bytes(path: Path) -> Iterator[BinaryIO]:
    """Like ``replacing``, for bytes. Devices and pipes are written to directly: they must not be replaced."""
    with _complaining(path):
        mode = _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            with path.open("wb") as raw:
                yield raw
            return
        # A symbolic link stays a link: its target is replaced.
        target = Path(os.path.realpath(path))
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:_NAME_KEPT]}.", suffix=".tmp", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as raw:
                yield raw
                raw.flush()
                os.fsync(raw.fileno())
            # mkstemp makes files private: the new one gets the permissions of the old one, or of any new file.
            Path(name).chmod(_usual_mode() if mode is None else stat.S_IMODE(mode))
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def write_text(path: Path, text: str) -> None:
    """Replace the file's contents in one step."""
    with replacing(path) as out:
        out.write(text)


def second_name(path: Path) -> Path:
    """Give a file a further name, the first that is free of ``NAME.1``, ``NAME.2``, ...; a copy where links are not
    possible. What replaces the file afterwards does not touch it.
    """
    target = Path(os.path.realpath(path))
    with _complaining(path):
        for number in count(1):
            other = target.with_name(f"{target.name}.{number}")
            try:
                os.link(target, other)
            except FileExistsError:
                continue
            except OSError:  # the disk knows no links
                if other.exists():
                    continue
                shutil.copy2(target, other)
            return other
    raise AssertionError  # numbers do not end


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before long work begins."""
    with _complaining(path):
        mode = _mode(path)
        special = mode is not None and not stat.S_ISREG(mode)
        place = path if special else Path(os.path.realpath(path)).parent
        if not place.exists():
            raise FileNotFoundError(None, "no such folder")
        if not special and not place.is_dir():
            raise NotADirectoryError(None, f"{place} is not a folder")
        if not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _mode(path: Path) -> int | None:
    """The file mode at the path, or None where there is no file; a folder is an error."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(None, "is a folder, expected a file")
    return mode


def _usual_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def _complaining(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(f"cannot write: {error.strerror or error}", at=Place(file=str(path))) from error
