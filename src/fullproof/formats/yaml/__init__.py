"""Model files in YAML."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.formats.format import Format, ReadPart

if TYPE_CHECKING:
    from fullproof.model import Model


def _read(text: str, path: Path, part: ReadPart) -> Model:
    from fullproof.formats.document.reader import read_document
    from fullproof.formats.yaml.reader import parse_yaml

    return read_document(parse_yaml(text, file=str(path)), path, part=part)


def _write(model: Model) -> Iterable[str]:
    from fullproof.formats.yaml.writer import yaml_lines

    return yaml_lines(model)


def _parts(path: Path) -> Iterable[Path]:
    from fullproof.formats.document.sts_components import component_files
    from fullproof.formats.yaml.reader import parse_yaml

    return component_files(path, parse_yaml)


YAML = Format(name="YAML", endings=(".yaml", ".yml"), read=_read, write=_write, parts=_parts)
