"""What a diagram does not show, in comments: ``%% fullproof: inputs: {x: real}``, with the keys of a model file.

The texts of all such lines together are one YAML document, so that long keys may go on over several lines.
"""

from __future__ import annotations

from fullproof.core.errors import Place, UserError
from fullproof.formats.document import Document
from fullproof.formats.keys import KEYS
from fullproof.formats.mermaid_diagram import Diagram
from fullproof.formats.mermaid_labels import key
from fullproof.formats.tree import Fields, Items, Node, Scalar

DRAWN = ("initial", "states")
"""Keys of a model file that the diagram itself answers."""


def read_declarations(diagram: Diagram) -> Fields:
    """The keys with their values, in file columns where ``Columns.in_file`` is asked."""
    from fullproof.formats.yaml_reader import parse_yaml

    lines = diagram.declarations
    if not any(line.text.strip() for line in lines):
        return Fields((), 1, 1)
    width = max(line.column for line in lines) - 1
    rows = [""] * lines[-1].line
    for line in lines:
        rows[line.line - 1] = " " * width + line.text
        if line.column - 1 < width:
            shifted = range(line.column, line.column + len(line.text) + 1)
            diagram.columns.tables[line.line] = [line.column] * width + list(shifted)
    root = parse_yaml("\n".join(rows), file=diagram.columns.file)
    if not isinstance(root, Fields):
        raise diagram.columns.error("expected keys with values after 'fullproof:'", root.line, root.column)
    for name, _ in root.entries:
        if name.text in (*DRAWN, "name"):
            given = "its title" if name.text == "name" else "the diagram"
            raise diagram.columns.error(
                f"the key {name.text!r} is not declared: {given} says it", name.line, name.column
            )
    return root


def declared_kind(diagram: Diagram, declarations: Fields) -> str | None:
    """What ``machine`` says, if it is there."""
    document = Document(declarations, file=diagram.columns.file)
    for name, value in declarations.entries:
        if name.text == "machine":
            return document.known(value, "machine", tuple(KEYS))
    return None


def read_req_comment(diagram: Diagram, req: Scalar) -> Node:
    """The names of a line ``%% fullproof: req: [R1]``."""
    from fullproof.formats.yaml_reader import parse_yaml

    text = "\n" * (req.line - 1) + " " * (req.column - 1) + req.text
    if not req.text.strip():
        raise diagram.columns.error("expected requirements such as [R1]", req.line, req.column)
    return parse_yaml(text, file=diagram.columns.file)


def with_keys(declarations: Fields, added: dict[str, Node], *, at: Scalar) -> Fields:
    """The declarations and further keys."""
    entries = [*declarations.entries, *((key(name, at), value) for name, value in added.items())]
    return Fields(tuple(entries), declarations.line, declarations.column)


def names_node(names: list[Scalar], *, at: Scalar) -> Items:
    """Distinct names as a list, in the order in which they are used."""
    found = {name.text: name for name in reversed(names)}
    order = dict.fromkeys(name.text for name in names)
    return Items(tuple(found[name] for name in order), at.line, at.column)


def in_file(diagram: Diagram, error: UserError) -> UserError:
    """The error with its place in the file."""
    at = diagram.columns.in_file(error.at)
    if at.line is None:
        at = Place(file=diagram.columns.file, line=1, column=1)
    return UserError(error.message, at=at)


def without(declarations: Fields, name: str) -> tuple[Node | None, Fields]:
    """The value of a key, and the other keys."""
    value = next((value for key, value in declarations.entries if key.text == name), None)
    entries = tuple(entry for entry in declarations.entries if entry[0].text != name)
    return value, Fields(entries, declarations.line, declarations.column)
