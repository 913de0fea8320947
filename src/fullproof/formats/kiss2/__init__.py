"""KISS2, the state tables of logic synthesis."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.formats.format import Format, ReadPart

if TYPE_CHECKING:
    from fullproof.model import Fsm


def _read(text: str, path: Path, _: ReadPart) -> Fsm:
    from fullproof.formats.kiss2.reader import read_kiss2

    return read_kiss2(text, path)


def _write(model: Fsm) -> Iterable[str]:
    from fullproof.formats.kiss2.writer import kiss2_lines

    return kiss2_lines(model)


KISS2 = Format(
    name="KISS2",
    endings=(".kiss2",),
    kinds=("fsm",),
    read=_read,
    write=_write,
)
