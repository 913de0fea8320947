"""Which format a file has: its ending says so."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.core.files import check_writable, replacing
from fullproof.core.suggest import did_you_mean
from fullproof.formats.source import read_source
from fullproof.model import Fsm, Model

READABLE = (".yaml", ".yml", ".json", ".dot", ".kiss2", ".fsm", ".csv", ".mmd", ".scxml", ".sysml")
WRITABLE = READABLE
DEEP = 8
"""Levels of components in components; more are a file that leads back to itself."""


def read_model(path: Path) -> Model:
    """Read a model of any kind; every mistake in the file is a UserError with file, line and column."""
    return _read(path, 0)


def _read(path: Path, level: int) -> Model:
    """Read a model that stands so many levels below the one that was asked for."""
    path = Path(path)
    if level > DEEP:
        message = f"components lead back to a file they are in, or are more than {DEEP} levels deep"
        raise UserError(message, at=Place(file=str(path)))
    ending = path.suffix.lower()
    if ending not in READABLE:
        raise UserError(_unknown(ending, READABLE), at=Place(file=str(path)))
    text = read_source(path)
    match ending:
        case ".dot":
            from fullproof.formats.dot.reader import read_dot

            return read_dot(text, path)
        case ".kiss2":
            from fullproof.formats.kiss2.reader import read_kiss2

            return read_kiss2(text, path)
        case ".fsm":
            from fullproof.formats.fsmlib.columns import read_columns

            return read_columns(text, path)
        case ".csv":
            from fullproof.formats.fsmlib.csv import read_csv

            return read_csv(text, path)
        case ".mmd":
            from fullproof.formats.mermaid.reader import read_mermaid

            return read_mermaid(text, path)
        case ".sysml":
            from fullproof.formats.sysml.reader import read_sysml

            return read_sysml(text, path)
        case ".scxml":
            from fullproof.formats.scxml.reader import read_scxml

            return read_scxml(text, path)
        case _:
            from fullproof.formats.document.reader import read_document

            return read_document(text, path, file=lambda part: _read(part, level + 1))


def check_target(path: Path) -> None:
    """Complain before long work about a file that no model can be written to after it."""
    if path.suffix.lower() not in WRITABLE:
        raise UserError(_unknown(path.suffix.lower(), WRITABLE), at=Place(file=str(path)))
    check_writable(path)


def write_model(model: Model, path: Path) -> None:
    """Write a model in one step; a kind that the format cannot express is a UserError and leaves no file."""
    path = Path(path)
    ending = path.suffix.lower()
    place = Place(file=str(path))
    check_target(path)
    try:
        for target, lines in _files(model, path, ending):
            with replacing(target) as out:
                out.writelines(lines)
    except UserError as error:
        raise error if error.at.file else UserError(error.message, at=place) from None


def _files(model: Model, path: Path, ending: str) -> Iterable[tuple[Path, Iterable[str]]]:
    """The files that make up the model, the one with the wanted name last."""
    if ending in (".yaml", ".yml"):
        from fullproof.formats.yaml.writer import yaml_lines

        return [(path, yaml_lines(model))]
    if ending == ".json":
        from fullproof.formats.json.writer import json_lines

        return [(path, json_lines(model))]
    if ending == ".mmd":
        from fullproof.formats.mermaid.writer import mermaid_lines

        return [(path, mermaid_lines(model))]
    if ending == ".sysml":
        from fullproof.formats.sysml.writer import sysml_lines

        return [(path, sysml_lines(model))]
    if ending == ".scxml":
        from fullproof.formats.scxml.writer import scxml_lines

        return [(path, scxml_lines(model))]
    if not isinstance(model, Fsm):
        hint = "; 'fullproof draw' makes a picture of it" if ending == ".dot" else ""
        raise UserError(f"a {ending} file cannot hold a model of kind {model.kind}, only an fsm{hint}")
    return _mealy_files(model, path, ending)


def _mealy_files(fsm: Fsm, path: Path, ending: str) -> Iterable[tuple[Path, Iterable[str]]]:
    if ending == ".dot":
        from fullproof.formats.dot.writer import dot_lines

        return [(path, dot_lines(fsm))]
    if ending == ".kiss2":
        from fullproof.formats.kiss2.writer import kiss2_lines

        return [(path, kiss2_lines(fsm))]
    if ending == ".csv":
        from fullproof.formats.fsmlib.csv import csv_lines

        return [(path, csv_lines(fsm))]
    from fullproof.formats.fsmlib.columns import columns_lines, name_file_lines

    # All of it is worked out before the first file is touched: a machine that cannot be written changes nothing.
    names = [(path.with_suffix(suffix), lines) for suffix, lines in name_file_lines(fsm).items()]
    return [*names, (path, list(columns_lines(fsm)))]


def _unknown(ending: str, known: tuple[str, ...]) -> str:
    names = ", ".join(known)
    if not ending:
        return f"the file name has no ending, expected one of {names}"
    hint = did_you_mean(ending[:20], known)
    near = hint if "did you mean" in hint else ""
    return f"unknown file ending {ending[:20]!r}, expected one of {names}{near}"
