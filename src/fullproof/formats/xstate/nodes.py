"""The state nodes of an XState machine, and which node a target means (XState 5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from fullproof.core.suggest import did_you_mean
from fullproof.formats.charts.hierarchy import flat_names
from fullproof.formats.document.document import Document
from fullproof.formats.document.tree import Fields, Node, Scalar, describe

_INDEX = re.compile(r"(?:0|[1-9][0-9]{0,8})\Z")
_MEANT = (
    "id", "initial", "type", "states", "on", "always", "entry", "exit", "onDone", "history", "target", "context",
    "meta", "after", "invoke",
)  # fmt: skip
_IGNORED = (
    "description", "tags", "version", "output", "data", "types", "schema", "schemas", "key", "order", "$schema",
)  # fmt: skip
"""What changes nothing that a test could see."""
OF_VERSION_4 = {
    "cond": "guard", "internal": "reenter", "in": "a guard", "activities": "invoke",
    "predictableActionArguments": "nothing", "preserveActionOrder": "nothing", "tsTypes": "types",
}  # fmt: skip
"""Keys of XState 4, whose machines have another meaning, and what XState 5 has instead."""
TYPES = ("atomic", "compound", "parallel", "final", "history")


Entries: TypeAlias = "tuple[tuple[Scalar, Node], ...]"
KeyOrder: TypeAlias = Callable[[Entries], Iterable[tuple[Scalar, Node]]]


@dataclass(slots=True)
class StateNode:
    """A node with its keys; the root has no parent and the empty path."""

    key: Scalar
    record: dict[str, Node]
    parent: StateNode | None
    type: str
    path: tuple[str, ...]
    name: str = ""
    """The name of the state in the chart."""
    inside: dict[str, StateNode] = field(default_factory=dict)

    @property
    def children(self) -> list[StateNode]:
        """The states inside it, without history states."""
        return [node for node in self.inside.values() if node.type != "history"]

    def around(self) -> list[StateNode]:
        """The nodes around it, from the inside out."""
        return [] if self.parent is None else [self.parent, *self.parent.around()]

    def within(self, other: StateNode) -> bool:
        """Whether it is another node, or inside it."""
        return self is other or other in self.around()


class StateNodes:
    """All nodes of a machine, outer before inner ones; ``ordered`` gives the order of keys."""

    def __init__(self, document: Document, ordered: KeyOrder) -> None:
        self.document = document
        self._ordered = ordered
        self.listed: list[StateNode] = []
        root = Scalar("(machine)", document.root.line, document.root.column)
        self.root = self._node(root, document.root, None)
        names = flat_names(node.path for node in self.listed if node.path)
        for node in self.listed:
            node.name = names.get(node.path, "")
        self.identifiers: dict[str, StateNode] = {}
        for node in self.listed:
            self._identify(node)

    @property
    def title(self) -> str | None:
        """The id of the machine, where it has one."""
        given = self.root.record.get("id")
        return None if given is None else self.document.name(given, "id")

    def _node(self, key: Scalar, value: Node, parent: StateNode | None) -> StateNode:
        what = "a machine" if parent is None else f"state {key.text[:60]!r}"
        record = self._record(value, what)
        inside = self.document.fields(record["states"], f"the states of {what}") if "states" in record else ()
        default = "compound" if inside else "atomic"
        type_ = self.document.known(record["type"], "type", TYPES) if "type" in record else default
        path = () if parent is None else (*parent.path, key.text)
        node = StateNode(key, record, parent, "history" if "history" in record else type_, path)
        self.listed.append(node)
        if inside and node.type not in ("compound", "parallel"):
            raise self.document.error(f"{what} is {node.type}, so it has no states inside it", record["states"])
        if not inside and node.type in ("compound", "parallel"):
            raise self.document.error(f"{what} is {node.type}, but has no states inside it", key)
        for name, state in self._ordered(inside):
            node.inside[name.text] = self._node(name, state, node)
        return node

    def _record(self, value: Node, what: str) -> dict[str, Node]:
        for key, _ in self.document.fields(value, what):
            if key.text in OF_VERSION_4:
                raise version_4(self.document, key)
        record = self.document.record(value, what, (*_MEANT, *_IGNORED))
        return {key: node for key, node in record.items() if key in _MEANT}

    def _identify(self, node: StateNode) -> None:
        identifier = self.identifier(node)
        if identifier in self.identifiers:
            raise self.document.error(f"two states have the id {identifier[:60]!r}", node.key)
        self.identifiers[identifier] = node

    def identifier(self, node: StateNode) -> str:
        """The id of a node: its own, or that of the machine and its path."""
        given = node.record.get("id")
        if given is not None:
            return self.document.name(given, "id")
        return ".".join(("(machine)" if self.title is None else self.title, *node.path))

    def initial(self, node: StateNode, key: Node) -> StateNode:
        """The child that an initial key names."""
        name = self.document.known(key, "initial state", node.inside)
        return node.inside[name]

    def target(self, source: StateNode, key: Node) -> StateNode:
        """The node that a target means from a source: a sibling ``b.c``, a child ``.c``, or ``#id.c``."""
        text = self.document.name(key, "target")
        if text.startswith("#"):
            first, *rest = _split(text[1:])
            if first not in self.identifiers:
                hint = did_you_mean(first[:60], self.identifiers)
                raise self.document.error(f"unknown id {first[:60]!r}{hint}", key)
            return self._below(self.identifiers[first], rest, key)
        if text.startswith("."):
            return self._below(source, _split(text[1:]), key)
        if source.parent is None:
            message = f"the target {text[:60]!r} is no sibling of the machine; expected {'.' + text[:60]!r}"
            raise self.document.error(message, key)
        return self._below(source.parent, _split(text), key)

    def _below(self, node: StateNode, path: list[str], key: Node) -> StateNode:
        for name in path:
            if name not in node.inside:
                where = f" in {node.name[:60]!r}" if node.path else ""
                hint = did_you_mean(name[:60], node.inside)
                raise self.document.error(f"unknown state {name[:60]!r}{where}{hint}", key)
            node = node.inside[name]
        return node


def version_4(document: Document, key: Scalar) -> Exception:
    """The complaint about a key of XState 4."""
    message = f"{describe(key)} is a key of XState 4, whose machines mean something else; XState 5 has"
    return document.error(f"{message} {OF_VERSION_4[key.text]}", key)


def js_order(entries: Entries) -> list[tuple[Scalar, Node]]:
    """Keys in the order of a JavaScript object: array indices first, by their size, then as written."""
    numbers = [entry for entry in entries if _INDEX.match(entry[0].text)]
    return [*sorted(numbers, key=lambda entry: int(entry[0].text)), *(e for e in entries if e not in numbers)]


def is_xstate(root: Node) -> bool:
    """Whether a JSON text is a machine of XState rather than a model file."""
    if not isinstance(root, Fields):
        return False
    keys = {key.text: value for key, value in root.entries}
    states = keys.get("states")
    described = any(key in keys for key in ("id", "initial", "type", "on", "context", "version"))
    return (
        "machine" not in keys
        and isinstance(states, Fields)
        and described
        and all(isinstance(value, Fields) for _, value in states.entries)
    )


def _split(text: str) -> list[str]:
    r"""The keys of a path; ``\.`` is a point in a key."""
    return [part.replace("\\.", ".").replace("\\\\", "\\") for part in re.split(r"(?<!\\)\.", text)] if text else []
