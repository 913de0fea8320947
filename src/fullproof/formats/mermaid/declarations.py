"""What a diagram does not show, in comments: ``%% fullproof: inputs: {x: real}``, with the keys of a model file."""

from __future__ import annotations

from fullproof.formats.document.comment_keys import read_comment_keys
from fullproof.formats.document.document import Document
from fullproof.formats.document.keys import KEYS
from fullproof.formats.document.tree import Fields
from fullproof.formats.mermaid.diagram import Diagram

DRAWN = ("initial", "states")
"""Keys of a model file that the diagram itself answers."""


def read_declarations(diagram: Diagram) -> Fields:
    """The keys with their values."""
    keys = read_comment_keys(diagram.declarations, diagram.columns)
    for name, _ in keys.entries:
        if name.text in (*DRAWN, "name"):
            given = "its title" if name.text == "name" else "the diagram"
            message = f"the key {name.text!r} is not declared: {given} says it"
            raise diagram.columns.error(message, name.line, name.column)
    return keys


def declared_kind(diagram: Diagram, declarations: Fields) -> str | None:
    """What ``machine`` says, if it is there."""
    document = Document(declarations, file=diagram.columns.file)
    for name, value in declarations.entries:
        if name.text == "machine":
            return document.known(value, "machine", tuple(KEYS))
    return None
