"""Texts from the browser become files of a fixed name, since only their endings say what they are."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from fullproof.core.errors import UserError
from fullproof.formats.table import readable_endings
from fullproof.serve.work.content import Content


def placed(text: Content, what: str, *, folder: Path = Path()) -> Path:
    """Write ``{"name": ..., "text": ...}`` to ``what`` with the ending of the name, one of those that we read."""
    ending = PurePosixPath(text["name"]).suffix.lower()
    if ending not in readable_endings():
        known = ", ".join(readable_endings())
        raise UserError(f"the name of a model ends with one of {known}; this one ends with {ending[:20]!r}")
    return written(text["text"], folder / f"{what}{ending}")


def written(text: str, path: Path) -> Path:
    """Write a text unchanged; surrogate halves are reported by the reader."""
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path
