"""The states of a state machine file, one inside another, and what their names mean from where they are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import read_transitions
from fullproof.formats.document.state_paths import Path, StatePaths
from fullproof.formats.document.tree import Fields, Node, Scalar, describe

_STATE_KEYS = ("initial", "entry", "exit", "final", "history", "transitions", "states", "parallel")
_TRANSITION_KEYS = ("trigger", "after", "every", "when", "do", "send", "raise", "restart", "to")


@dataclass(frozen=True, slots=True, kw_only=True)
class StateEntry:
    """A state: its path from the outermost one, its keys where it has any, and its transitions."""

    path: Path
    key: Scalar
    record: dict[str, Node]
    transitions: tuple[Node, ...]
    final: bool
    parallel: bool = False
    """Whether the states inside it are regions."""


class States:
    """All states of a file, outer before inner ones, with the names that they have in the flat machine."""

    def __init__(self, entries: tuple[StateEntry, ...]) -> None:
        self.entries = entries
        self._paths = StatePaths(entry.path for entry in entries)
        self.names = self._paths.names

    def resolved(self, document: Document, node: Node, place: Path, what: str) -> str:
        """The state that a name means: one inside ``place``, else the nearest around it, else the only one."""
        found = self._paths.meant(document.name(node, what), place)
        if len(found) == 1:
            return self.names[found[0]]
        if found:
            names = " or ".join(self.names[path] for path in found)
            raise document.error(f"{what} {describe(node)} may be {names[:200]}", node)
        return document.known(node, what, tuple(self.names.values()))


def read_states(document: Document, entries: tuple[tuple[Scalar, Node], ...]) -> States:
    """The states below ``states:``."""
    return States(tuple(_walk(document, entries, ())))


def _walk(document: Document, entries: tuple[tuple[Scalar, Node], ...], around: Path) -> Iterator[StateEntry]:
    for key, value in entries:
        path = (*around, key.text)
        if not isinstance(value, Fields) or any(name.text in _TRANSITION_KEYS for name, _ in value.entries):
            listed = read_transitions(document, key, value)
            yield StateEntry(path=path, key=key, record={}, transitions=listed, final=False)
            continue
        record = document.record(value, f"state {key.text[:60]!r}", _STATE_KEYS)
        yield StateEntry(
            path=path,
            key=key,
            record=record,
            transitions=read_transitions(document, key, record["transitions"]) if "transitions" in record else (),
            final=_truth(document, record["final"]) if "final" in record else False,
            parallel="parallel" in record,
        )
        if "states" in record and "parallel" in record:
            message = f"state {key.text[:60]!r} has both states and parallel regions: put the states into a region"
            raise document.error(message, record["parallel"])
        for name in ("states", "parallel"):
            if name in record:
                inside = document.fields(record[name], f"the {name} of {key.text[:60]!r}")
                if not inside:
                    raise document.error(f"there are no states inside {key.text[:60]!r}", record[name])
                yield from _walk(document, inside, path)


def _truth(document: Document, node: Node) -> bool:
    return document.known(node, "truth value", ("true", "false")) == "true"
