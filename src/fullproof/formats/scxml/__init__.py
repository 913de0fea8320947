"""SCXML, the state charts of the W3C."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.formats.format import Format, ReadPart

if TYPE_CHECKING:
    from fullproof.model import StateMachine


def _read(text: str, path: Path, _: ReadPart) -> StateMachine:
    from fullproof.formats.scxml.reader import read_scxml

    return read_scxml(text, path)


def _write(model: StateMachine) -> Iterable[str]:
    from fullproof.formats.scxml.writer import scxml_lines

    return scxml_lines(model)


SCXML = Format(
    name="SCXML",
    endings=(".scxml",),
    kinds=("statemachine",),
    read=_read,
    write=_write,
)
