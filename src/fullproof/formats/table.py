"""The table of formats. All code that reads, writes or lists files of models uses it: adding a format is adding an
entry.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from fullproof.core.errors import Place, UserError
from fullproof.formats.format import Codec, Format, ReadPart, alone

if TYPE_CHECKING:
    from fullproof.model import Fsm, Model, StateMachine


def _yaml() -> Codec[Model]:
    from fullproof.formats.document.reader import document_codec
    from fullproof.formats.yaml.reader import parse_yaml
    from fullproof.formats.yaml.writer import yaml_lines

    return document_codec(parse_yaml, yaml_lines)


def _json() -> Codec[Model]:
    from fullproof.formats.document.reader import document_codec
    from fullproof.formats.json.reader import parse_json
    from fullproof.formats.json.writer import json_lines

    return replace(document_codec(parse_json, json_lines), read=_read_json)


def _read_json(text: str, path: Path, part: ReadPart) -> Model:
    """A model file, or a machine of XState: their keys differ."""
    from fullproof.formats.document.document import Document
    from fullproof.formats.document.reader import read_document
    from fullproof.formats.json.reader import parse_json
    from fullproof.formats.xstate.nodes import is_xstate
    from fullproof.formats.xstate.reader import read_xstate

    document = Document(parse_json(text, file=str(path)), file=str(path))
    return read_xstate(document, path) if is_xstate(document.root) else read_document(document, path, part)


def _dot() -> Codec[Any]:
    from fullproof.formats.dot.reader import read_graph
    from fullproof.formats.dot.writer import dot_lines

    return Codec(read=alone(read_graph), write=dot_lines)


def _kiss2() -> Codec[Fsm]:
    from fullproof.formats.kiss2.reader import read_kiss2
    from fullproof.formats.kiss2.writer import kiss2_lines

    return Codec(read=alone(read_kiss2), write=kiss2_lines)


def _fsmlib_columns() -> Codec[Fsm]:
    from fullproof.formats.fsmlib.columns import columns_lines, name_file_lines, read_columns

    return Codec(read=alone(read_columns), write=columns_lines, write_beside=name_file_lines)


def _fsmlib_csv() -> Codec[Fsm]:
    from fullproof.formats.fsmlib.csv import csv_lines, read_csv

    return Codec(read=alone(read_csv), write=csv_lines)


def _mermaid() -> Codec[Model]:
    from fullproof.formats.mermaid.reader import read_mermaid
    from fullproof.formats.mermaid.writer import mermaid_lines

    return Codec(read=alone(read_mermaid), write=mermaid_lines)


def _plantuml() -> Codec[Model]:
    from fullproof.formats.plantuml.reader import read_plantuml
    from fullproof.formats.plantuml.writer import plantuml_lines

    return Codec(read=alone(read_plantuml), write=plantuml_lines)


def _scxml() -> Codec[StateMachine]:
    from fullproof.formats.scxml.reader import read_scxml
    from fullproof.formats.scxml.writer import scxml_lines

    return Codec(read=alone(read_scxml), write=scxml_lines)


def _xstate() -> Codec[StateMachine]:
    from fullproof.formats.xstate.writer import xstate_lines

    return Codec(read=_read_json, write=xstate_lines)


def _xmi() -> Codec[StateMachine]:
    from fullproof.formats.xmi.reader import read_xmi
    from fullproof.formats.xmi.writer import xmi_lines

    return Codec(read=alone(read_xmi), write=xmi_lines)


def _sysml() -> Codec[StateMachine]:
    from fullproof.formats.sysml.reader import read_sysml
    from fullproof.formats.sysml.writer import sysml_lines

    return Codec(read=alone(read_sysml), write=sysml_lines)


def _has_timers(model: Model) -> bool:
    """Mealy machines with local timers are state machines."""
    return model.kind == "statemachine" and bool(cast("StateMachine", model).timers)


_DRAW = "; 'fullproof draw' makes a picture of it"
FORMATS = (
    Format(name="YAML", endings=(".yaml", ".yml"), comment="# ", codec=_yaml),
    Format(name="JSON", endings=(".json",), codec=_json),
    Format(
        name="Graphviz DOT",
        endings=(".dot",),
        kinds=("fsm",),
        also=_has_timers,
        comment="// ",
        codec=_dot,
        advice=_DRAW,
    ),
    Format(name="KISS2", endings=(".kiss2",), kinds=("fsm",), comment="# ", codec=_kiss2),
    Format(
        name="fsmlib columns",
        endings=(".fsm",),
        kinds=("fsm",),
        codec=_fsmlib_columns,
        beside=(".in", ".out", ".state"),
    ),
    Format(name="fsmlib CSV", endings=(".csv",), kinds=("fsm",), codec=_fsmlib_csv),
    Format(name="Mermaid", endings=(".mmd",), codec=_mermaid),
    Format(name="PlantUML", endings=(".puml", ".plantuml"), codec=_plantuml),
    Format(name="SCXML", endings=(".scxml",), kinds=("statemachine",), codec=_scxml),
    Format(name="XState", endings=(".xstate.json",), kinds=("statemachine",), codec=_xstate),
    Format(name="UML XMI", endings=(".uml", ".xmi"), kinds=("statemachine",), codec=_xmi),
    Format(name="SysML v2", endings=(".sysml",), kinds=("statemachine",), codec=_sysml),
)
"""In the order in which messages and help list them."""

_COMMENT_WIDTH = 110
DEEP = 8
"""Levels of components in components; more are a file that leads back to itself."""


def readable_endings() -> tuple[str, ...]:
    """The endings of all files that can be read."""
    return tuple(ending for format_ in FORMATS for ending in format_.endings)


def writable_endings() -> tuple[str, ...]:
    """The endings of all files that can be written."""
    return tuple(ending for format_ in FORMATS if format_.writes for ending in format_.endings)


def single_files() -> dict[str, Format]:
    """The formats whose models can be written as one text, by their first endings without the point."""
    return {f.endings[0].removeprefix("."): f for f in FORMATS if f.writes and not f.beside}


def read_model(path: Path) -> Model:
    """Read a model of any kind; every mistake in the file is a UserError with file, line and column."""
    return _read(path, 0)


def read_model_text(text: str, path: Path) -> Model:
    """The model of a text that would stand in a file of this name."""
    return _read_text(text, Path(path), 0)


def _read(path: Path, level: int) -> Model:
    """Read a model that stands so many levels below the one that was asked for."""
    from fullproof.formats.source import read_source

    path = Path(path)
    if level > DEEP:
        message = f"components lead back to a file they are in, or are more than {DEEP} levels deep"
        raise UserError(message, at=Place(file=str(path)))
    _format_of(path, readable_endings())
    return _read_text(read_source(path), path, level)


def _read_text(text: str, path: Path, level: int) -> Model:
    codec = _format_of(path, readable_endings()).codec()
    return codec.read(text, path, lambda part: _read(part, level + 1))


def check_target(path: Path) -> None:
    """Complain before long work about a file that no model can be written to after it."""
    from fullproof.core.files import check_writable

    _format_of(path, writable_endings())
    check_writable(path)


def write_model(model: Model, path: Path, *, header: Iterable[str] = ()) -> None:
    """Write a model in one step; a kind that the format cannot express is a UserError and leaves no file.

    ``header``: lines that stand first as comments, where the format has comments.
    """
    from fullproof.core.files import replacing

    path = Path(path)
    check_target(path)
    try:
        for target, lines in _files(model, path):
            with replacing(target) as out:
                out.writelines(_comments(path, header) if target == path else ())
                out.writelines(lines)
    except UserError as error:
        raise error if error.at.file else UserError(error.message, at=Place(file=str(path))) from None


def _comments(path: Path, header: Iterable[str]) -> list[str]:
    """Texts as lines of comment, which end where a line of a file may not go on."""
    mark = _format_of(path, writable_endings()).comment
    wrap = textwrap.TextWrapper(_COMMENT_WIDTH, break_on_hyphens=False).wrap
    lines = [line for text in header for line in wrap(" ".join(text.split()))]
    return [f"{mark}{line}\n" for line in lines] if mark else []


def model_text(model: Model) -> str:
    """The YAML of a model."""
    return model_text_for(model, Path("model.yaml"))


def model_text_for(model: Model, path: Path) -> str:
    """What a file of this name would hold. UserError: its format cannot express the model."""
    return "".join(line for _, lines in _files(model, path) for line in lines)


def _files(model: Model, path: Path) -> Iterable[tuple[Path, Iterable[str]]]:
    """The files that make up the model, the one with the wanted name last."""
    format_ = _format_of(path, writable_endings())
    also = format_.also is not None and format_.also(model)
    if format_.kinds is not None and model.kind not in format_.kinds and not also:
        message = f"a {format_.endings[0]} file cannot hold a model of kind {model.kind}, only of kind "
        raise UserError(message + " or ".join(format_.kinds) + format_.advice)
    codec = format_.codec()
    assert codec.write is not None
    if codec.write_beside is None:
        return [(path, codec.write(model))]
    # All of it is worked out before the first file is touched: a machine that cannot be written changes nothing.
    beside = [(path.with_suffix(ending), list(lines)) for ending, lines in codec.write_beside(model).items()]
    return [*beside, (path, list(codec.write(model)))]


def model_files(path: Path) -> list[Path]:
    """A file and all others that its model is read from: names beside it, and the files of components."""
    found: dict[Path, None] = {}
    waiting = [Path(path)]
    while waiting:
        here = waiting.pop()
        if here not in found:
            format_ = _format_of(here, readable_endings())
            beside = [file for file in map(here.with_suffix, format_.beside) if file.is_file()]
            found.update(dict.fromkeys((here, *beside)))
            waiting += _parts(here)
    return list(found)


def model_sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal; of a model of components that of all files together.

    Needs: the model can be read, so that no file leads back to itself.
    """
    import hashlib

    path = Path(path)
    try:
        digest = hashlib.sha256(path.read_bytes())
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", at=Place(file=str(path))) from None
    for part in _parts(path):
        digest.update(model_sha256(part).encode())
    return digest.hexdigest()


def _parts(path: Path) -> Iterable[Path]:
    parts = next((f.codec().parts for f in FORMATS if path.suffix.lower() in f.endings), None)
    return () if parts is None else parts(path)


def _format_of(path: Path, allowed: tuple[str, ...]) -> Format:
    """The format that the ending of a file names, among those that can do what is asked."""
    longest = max((ending for ending in allowed if path.name.lower().endswith(ending)), key=len, default=None)
    if longest is not None and path.name.lower() != longest:
        return next(format_ for format_ in FORMATS if longest in format_.endings)
    raise UserError(_unknown(path.suffix.lower(), allowed), at=Place(file=str(path)))


def _unknown(ending: str, known: tuple[str, ...]) -> str:
    from fullproof.core.suggest import did_you_mean

    names = ", ".join(known)
    if not ending:
        return f"the file name has no ending, expected one of {names}"
    hint = did_you_mean(ending[:20], known)
    near = hint if "did you mean" in hint else ""
    return f"unknown file ending {ending[:20]!r}, expected one of {names}{near}"
