"""Graphviz files of Mealy machines, as on the Automata Wiki."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.formats.format import Format, ReadPart

if TYPE_CHECKING:
    from fullproof.model import Fsm


def _read(text: str, path: Path, _: ReadPart) -> Fsm:
    from fullproof.formats.dot.reader import read_dot

    return read_dot(text, path)


def _write(model: Fsm) -> Iterable[str]:
    from fullproof.formats.dot.writer import dot_lines

    return dot_lines(model)


DOT = Format(
    name="Graphviz DOT",
    endings=(".dot",),
    kinds=("fsm",),
    read=_read,
    write=_write,
    advice="'fullproof draw' makes a picture of it",
)
