"""Model files in YAML or JSON: the tree, then the kind that ``machine`` names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from fullproof.core.errors import UserError
from fullproof.formats.document.document import Document
from fullproof.formats.document.sts_components import Parse, component_files
from fullproof.formats.document.tree import Fields
from fullproof.formats.format import Codec, ReadPart
from fullproof.model import Model


def document_codec(parse: Parse, write: Callable[[Model], Iterable[str]]) -> Codec[Model]:
    """The functions of a format that has trees of the keys of model files."""
    return Codec(
        read=lambda text, path, part: read_document(Document(parse(text, file=str(path)), file=str(path)), path, part),
        write=write,
        parts=lambda path: component_files(path, parse),
    )


def read_document(document: Document, path: Path, part: ReadPart) -> Model:
    """The model of a tree, of the kind that it names."""
    kind = _kind(document)
    try:
        return read_kind(document, kind, default_name=path.stem, part=part)
    except UserError as error:
        raise error if error.at.line is not None else document.error(error.message, document.root) from None


def _fsm(document: Document, default_name: str, _part: ReadPart | None) -> Model:
    from fullproof.formats.document.fsm import read_fsm

    return read_fsm(document, default_name=default_name)


def _sfsm(document: Document, default_name: str, _part: ReadPart | None) -> Model:
    from fullproof.formats.document.sfsm import read_sfsm

    return read_sfsm(document, default_name=default_name)


def _sts(document: Document, default_name: str, part: ReadPart | None) -> Model:
    from fullproof.formats.document.sts import read_sts

    return read_sts(document, default_name=default_name, file=part)


def _statemachine(document: Document, default_name: str, _part: ReadPart | None) -> Model:
    from fullproof.formats.document.statemachine import read_statemachine

    return read_statemachine(document, default_name=default_name)


READERS: Mapping[str, Callable[[Document, str, ReadPart | None], Model]] = {
    "fsm": _fsm,
    "sfsm": _sfsm,
    "sts": _sts,
    "statemachine": _statemachine,
}
"""By what ``machine`` says. A reader takes the document, a name where it has none, and a reader of other files."""


def read_kind(document: Document, kind: str, *, default_name: str, part: ReadPart | None = None) -> Model:
    """Read a model whose kind is known."""
    return READERS[kind](document, default_name, part)


def _kind(document: Document) -> str:
    entries = document.fields(document.root, "a model")
    for key, value in entries:
        if key.text == "machine":
            return document.known(value, "machine", tuple(READERS))
    kinds = ", ".join(READERS)
    close = next(
        (key for key, _ in entries if key.text.lower() in ("machin", "machines", "kind", "type", "model")), None
    )
    hint = f" (here is {close.text!r})" if close is not None else ""
    root = document.root
    where = close if close is not None else root.entries[0][0] if isinstance(root, Fields) and root.entries else root
    raise document.error(f"the key 'machine' is missing{hint}, expected machine: one of {kinds}", where)
