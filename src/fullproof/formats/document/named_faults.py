"""Named faults in a document: keys of ``fault_domain``, a file of their own, or a field in the head of a suite."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.formats.document.document import Document
from fullproof.formats.document.tree import Node
from fullproof.language.durations import duration_of, duration_to_text
from fullproof.model.named_faults import Alternative, FaultName, FormerTransition, NamedFaults

KEYS = (
    "faults",
    "states",
    "inputs",
    "at_most",
    "alternatives",
    "changed_since",
    "transitions",
    "former",
    "margin",
    "tolerance",
)


def read_named_faults(document: Document, record: Mapping[str, Node]) -> NamedFaults | None:
    """The named faults among the keys of a record; None where there are none."""
    if not any(key in record for key in KEYS):
        return None
    known = [name.value for name in FaultName]
    nodes = document.one_or_more(record["faults"], "faults") if "faults" in record else ()
    names = tuple(FaultName(document.known(node, "fault", known)) for node in nodes)
    since, bound = record.get("changed_since"), record.get("at_most")
    reader = _Reader(document)
    for name, node in zip(names, nodes, strict=True):
        reader.places.setdefault(("fault", name.value), document.place(node))
    for key in ("changed_since", "margin", "tolerance"):
        if key in record:
            reader.places["key", key] = document.place(record[key])
    found = NamedFaults(
        names=tuple(dict.fromkeys(names)),
        states=reader.texts(record.get("states"), "state"),
        inputs=reader.texts(record.get("inputs"), "input"),
        transitions=reader.transitions(record.get("transitions")),
        former=reader.former(record.get("former")),
        alternatives=reader.alternatives(record.get("alternatives")),
        at_most=None if bound is None else document.whole_number(bound, "at_most"),
        changed_since=None if since is None else document.scalar(since, "changed_since").text,
        margin=_duration(document, record.get("margin"), "margin"),
        tolerance=_duration(document, record.get("tolerance"), "tolerance"),
        places=reader.places,
    )
    if not found.names and not found.alternatives:
        anywhere = next(iter(record.values()))
        raise document.error(f"a fault domain by name needs 'faults' ({', '.join(known)}) or 'alternatives'", anywhere)
    return found


def named_faults_of_text(text: str, file: str) -> NamedFaults:
    """Named faults from a document of their own."""
    from fullproof.formats.yaml.reader import parse_yaml

    if not text.strip():
        raise UserError("names no faults", at=Place(file=file))
    document = Document(parse_yaml(text, file=file), file=file)
    found = read_named_faults(document, document.record(document.root, "a fault domain", KEYS))
    if found is None:
        raise UserError("names no faults", at=Place(file=file))
    return found


def read_faults_file(path: Path) -> NamedFaults:
    """Named faults from a file."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UserError("is not UTF-8 text", at=Place(file=str(path))) from error
    except OSError as error:
        raise UserError(f"cannot read: {error.strerror or error}", at=Place(file=str(path))) from error
    return named_faults_of_text(text, str(path))


def named_faults_record(faults: NamedFaults) -> dict[str, object]:
    """The keys that read back as these faults."""
    found: dict[str, object] = {"faults": [name.value for name in faults.names]}
    found |= {"states": list(faults.states), "inputs": list(faults.inputs)}
    found["alternatives"] = [
        {"from": one.source, "when": one.input}
        | ({"to": list(one.targets)} if one.targets else {})
        | ({"then": list(one.outputs)} if one.outputs else {})
        for one in faults.alternatives
    ]
    if faults.transitions is not None:
        found["transitions"] = [{"from": source, "when": symbol} for source, symbol in faults.transitions]
    found["former"] = [{"from": t.source, "when": t.input, "then": t.output, "to": t.target} for t in faults.former]
    # An empty list of transitions says that none may be wrong; other empty lists say nothing.
    found = {key: value for key, value in found.items() if value or key == "transitions"}
    if faults.at_most is not None:
        found["at_most"] = faults.at_most
    if faults.changed_since is not None:
        found["changed_since"] = faults.changed_since
    for key, time in (("margin", faults.margin), ("tolerance", faults.tolerance)):
        if time is not None:
            found[key] = duration_to_text(time)
    return found


def named_faults_text(faults: NamedFaults) -> str:
    """The same as one line."""
    return json.dumps(named_faults_record(faults), ensure_ascii=False)


def _duration(document: Document, node: Node | None, key: str) -> Fraction | None:
    if node is None:
        return None
    found = duration_of(document.scalar(node, key).text, {}, at=document.place(node))
    if found == 0:
        raise document.error(f"the {key} must be above 0 s", node)
    return found


class _Reader:
    """Reads names and remembers where they stand, since only a model says which names there are."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.places: dict[tuple[str, str], Place] = {}

    def texts(self, node: Node | None, what: str, kind: str = "") -> tuple[str, ...]:
        """A name or a list of them; ``kind`` is what they name, where messages call it otherwise."""
        nodes = () if node is None else self._document.one_or_more(node, f"{what}s")
        if node is not None and not nodes:
            raise self._document.error(
                f"there is no {what} here; leave the key out where none is meant in particular", node
            )
        found = self._document.names(nodes, what)
        for name, item in zip(found, nodes, strict=True):
            self.places.setdefault((kind or what, name), self._document.place(item))
        return found

    def transitions(self, node: Node | None) -> tuple[tuple[str, str], ...] | None:
        """States with inputs."""
        if node is None:
            return None
        found = []
        for item in self._document.items(node, "transitions"):
            record = self._document.record(item, "a transition", ("from", "when"))
            found.append(self._cell(record, item))
        return tuple(found)

    def former(self, node: Node | None) -> tuple[FormerTransition, ...]:
        """Transitions of states that only an older model has."""
        found = []
        for item in self._document.items(node, "former") if node is not None else ():
            record = self._document.record(item, "a former transition", ("from", "when", "then", "to"))
            for key in ("then", "to"):
                if key not in record:
                    raise self._document.error(f"the key {key!r} is missing", item)
            then, to = (self._document.name(record[key], key) for key in ("then", "to"))
            found.append(FormerTransition(*self._cell(record, item), then, to))
        return tuple(found)

    def alternatives(self, node: Node | None) -> tuple[Alternative, ...]:
        """What transitions may do instead."""
        found = []
        for item in self._document.items(node, "alternatives") if node is not None else ():
            record = self._document.record(item, "an alternative", ("from", "when", "to", "then"))
            source, symbol = self._cell(record, item)
            if "to" not in record and "then" not in record:
                raise self._document.error("an alternative needs 'to' or 'then'", item)
            found.append(
                Alternative(
                    source=source,
                    input=symbol,
                    targets=self.texts(record.get("to"), "target", "state"),
                    outputs=self.texts(record.get("then"), "output"),
                    at=self._document.place(item),
                )
            )
        return tuple(found)

    def _cell(self, record: Mapping[str, Node], node: Node) -> tuple[str, str]:
        for key in ("from", "when"):
            if key not in record:
                raise self._document.error(f"the key {key!r} is missing", node)
        found = []
        for key, what in (("from", "state"), ("when", "input")):
            found.append(self._document.name(record[key], key))
            self.places.setdefault((what, found[-1]), self._document.place(record[key]))
        return found[0], found[1]
