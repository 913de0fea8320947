"""``components:`` in a model file of kind sts: systems in the file or in files of their own, in parallel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Protocol

from fullproof.core.errors import UserError
from fullproof.formats.components.composition import BadKey, CompositionSpec, composed
from fullproof.formats.document.document import Document
from fullproof.formats.document.tree import Fields, Node, Scalar
from fullproof.formats.format import ReadPart
from fullproof.formats.source import read_source, readable
from fullproof.model.sts import Sts

KEYS = ("machine", "name", "components", "sync", "hide")


class Parse(Protocol):
    """From a text to its tree."""

    def __call__(self, text: str, *, file: str) -> Node:
        """Parse the text of a file."""


ReadInline = Callable[[Document, str], Sts]


def has_components(document: Document) -> bool:
    """Whether a file of kind sts consists of components."""
    return isinstance(document.root, Fields) and any(key.text == "components" for key, _ in document.root.entries)


def read_components(document: Document, *, default_name: str, inline: ReadInline, file: ReadPart | None) -> Sts:
    """Read the components and compose them."""
    record = document.record(document.root, "a model of components", KEYS)
    name = document.name(record["name"], "name") if "name" in record else default_name
    entries = document.fields(record["components"], "components")
    if not entries:
        raise document.error("there are no components", record["components"])
    parts = [(key.text, _component(document, key, value, inline, file)) for key, value in entries]
    sync = None if "sync" not in record else _gates(document, record["sync"], "sync")
    hide = () if "hide" not in record else _gates(document, record["hide"], "hide")
    try:
        return composed(CompositionSpec(name=name, parts=parts, sync=sync, hide=hide))
    except BadKey as error:
        raise document.error(error.message, record[error.key]) from None
    except UserError as error:
        raise error if error.at.line is not None else document.error(error.message, record["components"]) from None


def component_files(path: Path, parse: Parse) -> list[Path]:
    """The files that a model names as components, and the systems in it that consist of components themselves."""
    with readable(path):
        if b"components" not in path.read_bytes():
            return []
    return [path.parent / text for text in _files(parse(read_source(path), file=str(path)))]


def _files(node: Node) -> Iterator[str]:
    for key, value in node.entries if isinstance(node, Fields) else ():
        if key.text == "components" and isinstance(value, Fields):
            for _, part in value.entries:
                if isinstance(part, Scalar):
                    yield part.text
                yield from _files(part)


def _gates(document: Document, node: Node, what: str) -> tuple[str, ...]:
    return document.names(document.one_or_more(node, what), "gate")


def _component(document: Document, key: Scalar, value: Node, inline: ReadInline, file: ReadPart | None) -> Sts:
    if isinstance(value, Fields):
        for entry, node in value.entries:
            if entry.text == "machine":
                document.known(node, "machine of a component", ("sts",))
        return inline(Document(value, file=document.file), key.text)
    text = document.name(value, f"component {key.text[:60]!r}")
    pure = PurePosixPath(text)
    if pure.is_absolute() or ".." in pure.parts or file is None:
        message = (
            f"component {key.text[:60]!r}: expected a file in the folder of this one or below it, found {text[:80]!r}"
        )
        raise document.error(message, value)
    model = file(Path(document.file).parent / text)
    if not isinstance(model, Sts):
        raise document.error(f"component {key.text[:60]!r} is a model of kind {model.kind}, expected an sts", value)
    return model
