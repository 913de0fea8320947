"""SysML v2 textual state definitions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.formats.format import Format, ReadPart

if TYPE_CHECKING:
    from fullproof.model import StateMachine


def _read(text: str, path: Path, _: ReadPart) -> StateMachine:
    from fullproof.formats.sysml.reader import read_sysml

    return read_sysml(text, path)


def _write(model: StateMachine) -> Iterable[str]:
    from fullproof.formats.sysml.writer import sysml_lines

    return sysml_lines(model)


SYSML = Format(
    name="SysML v2",
    endings=(".sysml",),
    kinds=("statemachine",),
    read=_read,
    write=_write,
)
