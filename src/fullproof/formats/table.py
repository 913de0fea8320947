"""The table of formats. Whoever reads, writes or lists files of models asks it: adding a format is adding an entry."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.core.errors import Place, UserError
from fullproof.formats.dot import DOT
from fullproof.formats.format import AnyFormat
from fullproof.formats.fsmlib import FSMLIB_COLUMNS, FSMLIB_CSV
from fullproof.formats.json import JSON
from fullproof.formats.kiss2 import KISS2
from fullproof.formats.mermaid import MERMAID
from fullproof.formats.scxml import SCXML
from fullproof.formats.sysml import SYSML
from fullproof.formats.yaml import YAML

if TYPE_CHECKING:
    from fullproof.model import Model

FORMATS: tuple[AnyFormat, ...] = (YAML, JSON, DOT, KISS2, FSMLIB_COLUMNS, FSMLIB_CSV, MERMAID, SCXML, SYSML)
"""In the order in which messages and help list them."""

DEEP = 8
"""Levels of components in components; more are a file that leads back to itself."""


def readable_endings() -> tuple[str, ...]:
    """The endings of all files that can be read."""
    return tuple(ending for format_ in FORMATS if format_.read is not None for ending in format_.endings)


def writable_endings(kind: str | None = None) -> tuple[str, ...]:
    """The endings of all files that can be written; with ``kind``, those that can hold a model of it."""
    return tuple(
        ending
        for format_ in FORMATS
        if format_.write is not None and (kind is None or format_.kinds is None or kind in format_.kinds)
        for ending in format_.endings
    )


def single_files() -> dict[str, AnyFormat]:
    """The formats whose models can be written as one text, by their first endings without the point."""
    return {f.endings[0].removeprefix("."): f for f in FORMATS if f.write is not None and not f.beside}


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
    read = _format_of(path, readable_endings()).read
    assert read is not None
    return read(text, path, lambda part: _read(part, level + 1))


def check_target(path: Path) -> None:
    """Complain before long work about a file that no model can be written to after it."""
    from fullproof.core.files import check_writable

    _format_of(path, writable_endings())
    check_writable(path)


def write_model(model: Model, path: Path) -> None:
    """Write a model in one step; a kind that the format cannot express is a UserError and leaves no file."""
    from fullproof.core.files import replacing

    path = Path(path)
    check_target(path)
    try:
        for target, lines in _files(model, path):
            with replacing(target) as out:
                out.writelines(lines)
    except UserError as error:
        raise error if error.at.file else UserError(error.message, at=Place(file=str(path))) from None


def _files(model: Model, path: Path) -> Iterable[tuple[Path, Iterable[str]]]:
    """The files that make up the model, the one with the wanted name last."""
    format_ = _format_of(path, writable_endings())
    assert format_.write is not None
    if format_.kinds is not None and model.kind not in format_.kinds:
        only = " or ".join(format_.kinds)
        advice = f"; {format_.advice}" if format_.advice else ""
        raise UserError(
            f"a {format_.endings[0]} file cannot hold a model of kind {model.kind}, only of kind {only}{advice}"
        )
    if not format_.beside:
        return [(path, format_.write(model))]
    # All of it is worked out before the first file is touched: a machine that cannot be written changes nothing.
    beside = [(path.with_suffix(ending), list(lines(model))) for ending, lines in format_.beside.items()]
    return [*beside, (path, list(format_.write(model)))]


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
    named = (format_.parts for format_ in FORMATS if path.suffix.lower() in format_.endings)
    parts = next(named, None)
    return () if parts is None else parts(path)


def _format_of(path: Path, allowed: tuple[str, ...]) -> AnyFormat:
    """The format that the ending of a file names, among those that can do what is asked."""
    ending = path.suffix.lower()
    if ending in allowed:
        return next(format_ for format_ in FORMATS if ending in format_.endings)
    raise UserError(_unknown(ending, allowed), at=Place(file=str(path)))


def _unknown(ending: str, known: tuple[str, ...]) -> str:
    from fullproof.core.suggest import did_you_mean

    names = ", ".join(known)
    if not ending:
        return f"the file name has no ending, expected one of {names}"
    hint = did_you_mean(ending[:20], known)
    near = hint if "did you mean" in hint else ""
    return f"unknown file ending {ending[:20]!r}, expected one of {names}{near}"
