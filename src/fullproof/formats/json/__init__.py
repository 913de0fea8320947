"""Model files in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.formats.format import Format, ReadPart

if TYPE_CHECKING:
    from fullproof.model import Model


def _read(text: str, path: Path, part: ReadPart) -> Model:
    from fullproof.formats.document.reader import read_document
    from fullproof.formats.json.reader import parse_json

    return read_document(parse_json(text, file=str(path)), path, part=part)


def _write(model: Model) -> Iterable[str]:
    from fullproof.formats.json.writer import json_lines

    return json_lines(model)


def _parts(path: Path) -> Iterable[Path]:
    from fullproof.formats.document.sts_components import component_files
    from fullproof.formats.json.reader import parse_json

    return component_files(path, parse_json)


JSON = Format(name="JSON", endings=(".json",), read=_read, write=_write, parts=_parts)
