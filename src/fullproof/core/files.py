"""Files that are either the old one or the new one, never half of each."""

from __future__ import annotations

import errno
import io
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from fullproof.core.errors import Place, UserError

_NAME_KEPT = 40
"""Characters of the target's name in that of the temporary file, which is longer and yet must not be too long."""


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
    """Like ``replacing``, for bytes. Devices and pipes are written to as they are: nothing may take their place."""
    with _complaining(path):
        mode = _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            with path.open("wb") as raw:
                yield raw
            return
        # A link stays one: what it points to is replaced.
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


def check_writable(path: Path) -> None:
    """Complain before long work about a file that cannot be written after it."""
    with _complaining(path):
        mode = _mode(path)
        special = mode is not None and not stat.S_ISREG(mode)
        place = path if special else Path(os.path.realpath(path)).parent
        if not place.exists():
            raise FileNotFoundError(None, "no such folder")
        if not special and not place.is_dir():
            raise NotADirectoryError(None, f"{place} is no folder")
        if not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _mode(path: Path) -> int | None:
    """What the path leads to, or None for nothing; a folder is an error."""
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
