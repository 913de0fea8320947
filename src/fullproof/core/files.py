"""Files that are either the old one or the new one, never half of each."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from fullproof.core.errors import Place, UserError


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
    """Like ``replacing``, for bytes."""
    place = Place(file=str(path))
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise UserError(f"cannot write: {error.strerror}", at=place) from error
    try:
        with os.fdopen(handle, "wb") as raw:
            yield raw
            raw.flush()
            os.fsync(raw.fileno())
        # mkstemp makes files private; what the user asked for gets the permissions any new file would have.
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise UserError(f"cannot write: {error.strerror or error}", at=place) from error
        raise


def write_text(path: Path, text: str) -> None:
    """Replace the file's contents in one step."""
    with replacing(path) as out:
        out.write(text)
