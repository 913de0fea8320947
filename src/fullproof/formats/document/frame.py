"""What the model files of all kinds have in common: keys, a name, states with lists of transitions."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.formats.document.document import Document
from fullproof.formats.document.keys import KEYS
from fullproof.formats.document.tree import Node, Scalar


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A file's keys, and the parts that do not depend on the kind."""

    record: dict[str, Node]
    name: str
    initial: str
    states: tuple[str, ...]
    transitions: tuple[tuple[str, Node], ...]
    """The source state and the node of each transition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A file's keys, its name, and its states as they stand there."""

    record: dict[str, Node]
    name: str
    states: tuple[tuple[Scalar, Node], ...]


def read_head(document: Document, kind: str, *, default_name: str) -> Head:
    """Check the keys of the file; what is below each state is left to the kind."""
    record = read_keys(document, kind)
    for key in ("initial", "states"):
        if key not in record:
            example = {"initial": "initial: s0", "states": "states: {s0: [...]}"}[key]
            raise document.error(f"the key {key!r} is missing, expected for example {example}", document.root)
    entries = document.fields(record["states"], "states")
    if not entries:
        raise document.error("there are no states", record["states"])
    name = document.name(record["name"], "name") if "name" in record else default_name
    return Head(record=record, name=name, states=entries)


def read_frame(document: Document, kind: str, *, default_name: str) -> Frame:
    """Check the keys of the file and read what does not depend on the kind."""
    head = read_head(document, kind, default_name=default_name)
    states = tuple(key.text for key, _ in head.states)
    transitions: list[tuple[str, Node]] = []
    for state, value in head.states:
        transitions.extend((state.text, item) for item in read_transitions(document, state, value))
    return Frame(
        record=head.record,
        name=head.name,
        initial=document.known(head.record["initial"], "initial state", states),
        states=states,
        transitions=tuple(transitions),
    )


def read_transitions(document: Document, state: Scalar, value: Node) -> tuple[Node, ...]:
    """The items below a state."""
    if isinstance(value, Scalar) and value.empty:
        message = f"state {state.text[:60]!r} has no list of transitions, expected {state.text[:60]}: []"
        raise document.error(message, state)
    return document.items(value, f"the transitions of state {state.text[:60]!r}")


def read_transition(
    document: Document, node: Node, keys: tuple[str, ...], required: tuple[str, ...]
) -> dict[str, Node]:
    """The keys of one transition."""
    record = document.record(node, "a transition", (*keys, "to", "req"))
    for key in (*required, "to"):
        if key not in record:
            raise document.error(f"the transition lacks the key {key!r}", node)
    return record


def read_keys(document: Document, kind: str) -> dict[str, Node]:
    """The values of the keys of a kind, any of which may be missing; a key of another kind is an error."""
    for key, _ in document.fields(document.root, "a model"):
        owners = [other for other, keys in KEYS.items() if key.text in keys]
        if owners and kind not in owners:
            raise document.error(f"{key.text!r} is not a key of machine: {kind}, only of {' and '.join(owners)}", key)
    return document.record(document.root, f"a model of kind {kind}", KEYS[kind])


def read_keys_beside(document: Document, kind: str) -> dict[str, Node]:
    """The keys beside states that another notation has; what it says itself would be said twice."""
    record = read_keys(document, kind)
    for key in ("initial", "states", "transitions", "timers", "started"):
        if key in record:
            raise document.error(f"the key {key!r} is not declared: the chart says it", record[key])
    return record
