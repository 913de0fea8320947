"""State diagrams to models: declarations in comments say the kind and the types, labels the rest."""

from __future__ import annotations

from fullproof.formats.diagrams.diagram import UNNAMED, Diagram, DiagramArrow, DiagramShape, DiagramState, state_names
from fullproof.formats.diagrams.labels import (
    looks_like_mealy,
    mealy_fields,
    switch_fields,
    symbolic_fields,
)
from fullproof.formats.document.comment_keys import key, read_comment_keys, read_comment_value, with_keys, without
from fullproof.formats.document.document import Document
from fullproof.formats.document.keys import KEYS
from fullproof.formats.document.reader import read_kind
from fullproof.formats.document.tree import Fields, Items, Node, Scalar
from fullproof.model import Model

_DRAWN = ("initial", "states")
"""Keys of a model file that the diagram itself answers."""
_PLAIN = (DiagramShape.STATE, DiagramShape.FINAL)


def read_diagram(diagram: Diagram, default_name: str) -> Model:
    """Read a model of any kind; a diagram without declarations is an fsm if all its labels are ``input / output``."""
    names, declarations = without(_read_declarations(diagram), "names")
    if names is not None:
        _rename(diagram, names)
    histories, declarations = without(declarations, "histories")
    if histories is not None:
        _mark_histories(diagram, histories)
    _check_shape(diagram)
    kind = _declared_kind(diagram, declarations) or _kind(diagram, declarations)
    _, declarations = without(declarations, "machine")
    name = default_name if diagram.title is None else diagram.title.text
    if kind == "statemachine":
        from fullproof.formats.diagrams.statemachine import build_statemachine

        return build_statemachine(diagram, declarations, name=name)
    document = _flat_document(diagram, declarations, kind)
    return read_kind(document, kind, default_name=name)


def _read_declarations(diagram: Diagram) -> Fields:
    """The keys with their values."""
    keys = read_comment_keys(diagram.declarations, diagram.columns)
    for name, _ in keys.entries:
        if name.text in (*_DRAWN, "name"):
            given = "its title" if name.text == "name" else "the diagram"
            raise diagram.columns.error_at(f"the key {name.text!r} is not declared: {given} says it", name)
    return keys


def _declared_kind(diagram: Diagram, declarations: Fields) -> str | None:
    """What ``machine`` says, if it is there."""
    document = Document(declarations, file=diagram.columns.file)
    for name, value in declarations.entries:
        if name.text == "machine":
            return document.known(value, "machine", tuple(KEYS))
    return None


def _rename(diagram: Diagram, names: Node) -> None:
    """``names: {id: name}`` names what has no text in a diagram."""
    document = Document(names, file=diagram.columns.file)
    for identifier, name in document.fields(names, "names"):
        box = diagram.boxes[document.known(identifier, "state", diagram.boxes)]
        box.name = document.name(name, "the name of a state")


def _mark_histories(diagram: Diagram, histories: Node) -> None:
    """``histories: {h: deep}`` says which states are history states, for which Mermaid has no sign that it draws.

    Of the state around it, or of another one: ``{h: deep of on}``, as a state with regions has room for nothing else.
    """
    document = Document(histories, file=diagram.columns.file)
    shapes = {"shallow": DiagramShape.HISTORY, "deep": DiagramShape.DEEP_HISTORY}
    for identifier, value in document.fields(histories, "histories"):
        box = diagram.boxes[document.known(identifier, "state", diagram.boxes)]
        given = document.scalar(value, "a depth of history")
        depth, of, around = given.text.partition(" of ")
        if box.composite or box.shape is not DiagramShape.STATE:
            raise diagram.columns.error_at(f"{box.shape.value} {box.name[:60]!r} cannot be a history state", box)
        if of:
            inside = [name for name, other in diagram.boxes.items() if other.composite]
            box.block = document.known(given._replace(text=around.strip()), "composite state", inside)
        if box.block is None:
            message = f"the diagram itself is never left, so {box.name[:60]!r} cannot be its history state"
            raise diagram.columns.error_at(message, identifier)
        box.shape = shapes[document.known(given._replace(text=depth.strip()), "depth of history", shapes)]


def _check_shape(diagram: Diagram) -> None:
    names: dict[str, DiagramState] = {}
    for box in diagram.boxes.values():
        if box.name in names and box.shape not in UNNAMED:
            message = f"state {box.name[:60]!r} is defined twice, first on line {names[box.name].line}"
            raise diagram.columns.error_at(message, box)
        names.setdefault(box.name, box)
    if not diagram.boxes:
        raise diagram.columns.error("there are no states, expected for example [*] --> idle", diagram.header, 1)
    if None not in diagram.starts:
        first = next(iter(diagram.boxes.values()))
        message = f"there is no initial state, expected for example [*] --> {first.identifier}"
        raise diagram.columns.error(message, diagram.header, 1)


def _kind(diagram: Diagram, declarations: Fields) -> str:
    plain = all(box.shape in _PLAIN and not box.composite and not _acts(box) for box in diagram.boxes.values()) and all(
        start.label is None for start in diagram.starts.values()
    )
    mealy = bool(diagram.lines) and all(looks_like_mealy(line.label) for line in diagram.lines)
    return "fsm" if plain and mealy and not declarations.entries else "statemachine"


def _acts(box: DiagramState) -> bool:
    """Whether the texts of a state are more than descriptions."""
    from fullproof.formats.diagrams.statemachine import is_behaviour

    return any(is_behaviour(remark) for remark in box.remarks)


def _flat_document(diagram: Diagram, declarations: Fields, kind: str) -> Document:
    """The model file that says the same as a diagram of an fsm, an sfsm or an sts."""
    for box in diagram.boxes.values():
        if box.composite or box.shape not in _PLAIN or _acts(box):
            what = "composite state" if box.composite else "state with actions" if _acts(box) else box.shape.value
            message = f"a {what} cannot be read in a diagram of machine: {kind}, only of a statemachine"
            raise diagram.columns.error_at(message, box)
    start = diagram.starts[None]
    if start.label is not None:
        raise diagram.columns.error_at(f"the arrow from [*] has no label in a diagram of machine: {kind}", start.label)
    names = state_names(diagram)
    states: dict[str, list[Node]] = {identifier: [] for identifier in diagram.boxes}
    for line in diagram.lines:
        states[line.source].append(_transition(diagram, line, kind, names[line.target]))
    entries = []
    for identifier, box in diagram.boxes.items():
        named = Scalar(names[identifier], box.line, box.column, quoted=True)
        entries.append((named, Items(tuple(states[identifier]), box.line, box.column)))
    at = Scalar("", start.line, start.column)
    initial = Scalar(diagram.boxes[start.target].name, start.line, start.column, quoted=True)
    added: dict[str, Node] = {
        "machine": Scalar(kind, start.line, start.column),
        "initial": initial,
        "states": Fields(tuple(entries), start.line, start.column),
    }
    return Document(with_keys(declarations, added, at=at), file=diagram.columns.file)


def _transition(diagram: Diagram, line: DiagramArrow, kind: str, to: str) -> Fields:
    if line.label is None:
        examples = {"fsm": "input / output", "sfsm": "guard / output", "sts": "gate? [guard] x := 1"}
        raise diagram.columns.error_at(f"the arrow has no label, expected for example : {examples[kind]}", line)
    read = {"fsm": mealy_fields, "sfsm": symbolic_fields, "sts": switch_fields}[kind]
    entries = read(line.label, diagram.columns)
    at = Scalar("", line.line, line.column)
    target = Scalar(to, line.line, line.column, quoted=True)
    entries.append((key("to", at), target))
    if line.req is not None:
        entries.append((key("req", line.req), read_comment_value(line.req, diagram.columns)))
    return Fields(tuple(entries), line.line, line.column)
