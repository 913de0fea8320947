"""The states of a state machine file, one inside another, and what their names mean from where they are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fullproof.formats.charts.hierarchy import flat_names
from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import read_transitions
from fullproof.formats.document.tree import Fields, Node, Scalar, describe

_STATE_KEYS = ("initial", "entry", "exit", "final", "transitions", "states")
_TRANSITION_KEYS = ("trigger", "when", "do", "send", "to")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StateEntry:
    """A state: its path from the outermost one, its keys where it has any, and its transitions."""

    path: Path
    key: Scalar
    record: dict[str, Node]
    transitions: tuple[Node, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class States:
    """All states of a file, outer before inner ones, with the names that they have in the flat machine."""

    entries: tuple[StateEntry, ...]
    names: dict[Path, str] = field(init=False)
    _seen_from: dict[tuple[Path, str], list[Path]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", flat_names(entry.path for entry in self.entries))
        seen: dict[tuple[Path, str], list[Path]] = {}
        for path in self.names:
            for depth in range(len(path)):
                seen.setdefault((path[:depth], ".".join(path[depth:])), []).append(path)
        object.__setattr__(self, "_seen_from", seen)

    def resolved(self, document: Document, node: Node, place: Path, what: str) -> str:
        """The state that a name means: one inside ``place``, else the nearest around it, else the only one.

        ``outer.inner`` is the state ``inner`` of a state ``outer``.
        """
        text = document.name(node, what)
        for depth in range(len(place), -1, -1):
            found = self._seen_from.get((place[:depth], text), [])
            if found:
                return self.names[found[0]]
        elsewhere = [path for (_, name), paths in self._seen_from.items() if name == text for path in paths]
        if len(elsewhere) == 1:
            return self.names[elsewhere[0]]
        if elsewhere:
            names = " or ".join(self.names[path] for path in elsewhere)
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
        )
        if "states" in record:
            inside = document.fields(record["states"], f"the states of {key.text[:60]!r}")
            if not inside:
                raise document.error(f"there are no states inside {key.text[:60]!r}", record["states"])
            yield from _walk(document, inside, path)


def _truth(document: Document, node: Node) -> bool:
    return document.known(node, "truth value", ("true", "false")) == "true"
