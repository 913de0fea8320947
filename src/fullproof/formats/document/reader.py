"""Model files in YAML or JSON: the tree, then the kind that ``machine`` names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fullproof.core.errors import UserError
from fullproof.formats.document.document import Document
from fullproof.formats.document.keys import KEYS
from fullproof.formats.document.tree import Fields
from fullproof.model import Model


def read_document(text: str, path: Path, *, file: Callable[[Path], Model] | None = None) -> Model:
    """Read a model of any kind from YAML, or from JSON of the same shape; ``file`` reads the files that it names."""
    document = parse_document(text, path)
    kind = _kind(document)
    try:
        match kind:
            case "fsm":
                from fullproof.formats.document.fsm import read_fsm

                return read_fsm(document, default_name=path.stem)
            case "sfsm":
                from fullproof.formats.document.sfsm import read_sfsm

                return read_sfsm(document, default_name=path.stem)
            case "sts":
                from fullproof.formats.document.sts import read_sts

                return read_sts(document, default_name=path.stem, file=file)
            case _:
                from fullproof.formats.document.statemachine import read_statemachine

                return read_statemachine(document, default_name=path.stem)
    except UserError as error:
        raise error if error.at.line is not None else document.error(error.message, document.root) from None


def parse_document(text: str, path: Path) -> Document:
    """The tree of a file, by its ending."""
    if path.suffix.lower() == ".json":
        from fullproof.formats.json.reader import parse_json

        root = parse_json(text, file=str(path))
    else:
        from fullproof.formats.yaml.reader import parse_yaml

        root = parse_yaml(text, file=str(path))
    return Document(root, file=str(path))


def _kind(document: Document) -> str:
    entries = document.fields(document.root, "a model")
    for key, value in entries:
        if key.text == "machine":
            return document.known(value, "machine", tuple(KEYS))
    kinds = ", ".join(KEYS)
    close = next(
        (key for key, _ in entries if key.text.lower() in ("machin", "machines", "kind", "type", "model")), None
    )
    hint = f" (here is {close.text!r})" if close is not None else ""
    root = document.root
    where = close if close is not None else root.entries[0][0] if isinstance(root, Fields) and root.entries else root
    raise document.error(f"the key 'machine' is missing{hint}, expected machine: one of {kinds}", where)
