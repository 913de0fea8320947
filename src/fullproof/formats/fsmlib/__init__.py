"""The two formats of fsmlib: columns with name files beside them, and tables."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.formats.format import Format, ReadPart

if TYPE_CHECKING:
    from fullproof.model import Fsm

NAME_FILES = {"inputs": ".in", "outputs": ".out", "states": ".state"}
"""What numbers in the columns are called, one file for each alphabet."""


def _read_columns(text: str, path: Path, _: ReadPart) -> Fsm:
    from fullproof.formats.fsmlib.columns import read_columns

    return read_columns(text, path, NAME_FILES)


def _write_columns(fsm: Fsm) -> Iterable[str]:
    from fullproof.formats.fsmlib.columns import columns_lines

    return columns_lines(fsm)


def _write_names(key: str, fsm: Fsm) -> Iterable[str]:
    from fullproof.formats.fsmlib.columns import name_lines

    return name_lines(fsm, key)


def _read_csv(text: str, path: Path, _: ReadPart) -> Fsm:
    from fullproof.formats.fsmlib.csv import read_csv

    return read_csv(text, path)


def _write_csv(fsm: Fsm) -> Iterable[str]:
    from fullproof.formats.fsmlib.csv import csv_lines

    return csv_lines(fsm)


FSMLIB_COLUMNS = Format(
    name="fsmlib columns",
    endings=(".fsm",),
    kinds=("fsm",),
    read=_read_columns,
    write=_write_columns,
    beside={ending: partial(_write_names, key) for key, ending in NAME_FILES.items()},
)
FSMLIB_CSV = Format(name="fsmlib CSV", endings=(".csv",), kinds=("fsm",), read=_read_csv, write=_write_csv)
