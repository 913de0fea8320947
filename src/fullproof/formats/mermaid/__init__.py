"""Mermaid state diagrams."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.formats.format import Format, ReadPart

if TYPE_CHECKING:
    from fullproof.model import Model


def _read(text: str, path: Path, _: ReadPart) -> Model:
    from fullproof.formats.mermaid.reader import read_mermaid

    return read_mermaid(text, path)


def _write(model: Model) -> Iterable[str]:
    from fullproof.formats.mermaid.writer import mermaid_lines

    return mermaid_lines(model)


MERMAID = Format(
    name="Mermaid",
    endings=(".mmd",),
    read=_read,
    write=_write,
)
