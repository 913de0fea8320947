"""``machine: fsm`` in a model file."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from fullproof.formats.document.description import DescriptionVocabulary, read_constants, read_description, read_req
from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import Frame, read_frame, read_transition
from fullproof.formats.document.tree import Node
from fullproof.model.common import Description
from fullproof.model.fsm import Fsm, FsmTransition


@dataclass(slots=True)
class _Gathered:
    """Transitions and symbols in the order of the file; a declared alphabet is closed."""

    inputs: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    rows: dict[tuple[str, str, str, str], tuple[FsmTransition, int]] = field(default_factory=dict)
    defined: set[tuple[str, str]] = field(default_factory=set)


def read_fsm(document: Document, *, default_name: str) -> Fsm:
    """Read a finite machine; ``ignore`` and ``unavailable`` become the self-loops they stand for."""
    frame = read_frame(document, "fsm", default_name=default_name)
    constants = read_constants(document, frame.record)
    speech = DescriptionVocabulary(transitions_have_faults=True)
    description = read_description(document, frame.record, constants, speech)
    gathered = _Gathered()
    declared: dict[str, tuple[str, ...]] = {
        key: _alphabet(document, document.items(frame.record[key], key), key[:-1])
        for key in ("inputs", "outputs")
        if key in frame.record
    }
    gathered.inputs.update((name, name) for name in declared.get("inputs", ()))
    gathered.outputs.update((name, name) for name in declared.get("outputs", ()))
    states = {name: name for name in frame.states}
    for source, node in frame.transitions:
        _add_transition(document, gathered, (states[source], node), states, declared, description)
    if "ignore" in frame.record:
        _add_ignored(document, gathered, frame, declared)
    unavailable = None
    if "unavailable" in frame.record:
        node = frame.record["unavailable"]
        unavailable = _symbol(document, node, "output", gathered.outputs, "outputs" in declared)
        _add_loops(gathered, frame, gathered.inputs, unavailable, node.line)
    order = {state: number for number, state in enumerate(frame.states)}
    rows = sorted(gathered.rows.values(), key=lambda row: order[row[0].source])
    return Fsm(
        name=frame.name,
        initial=frame.initial,
        states=frame.states,
        inputs=tuple(gathered.inputs),
        outputs=tuple(gathered.outputs),
        transitions=tuple(transition for transition, _ in rows),
        lines=tuple(line for _, line in rows),
        unavailable=unavailable,
        description=description,
    )


def _alphabet(document: Document, nodes: Iterable[Node], what: str) -> tuple[str, ...]:
    """Distinct symbols; one of the outputs may be the empty text, as in transitions."""
    listed = list(nodes)
    texts = [document.scalar(node, what).text for node in listed]
    named = document.names((node for node, text in zip(listed, texts, strict=True) if text or what == "input"), what)
    if texts.count("") > 1:
        raise document.error(f"{what} '' is listed twice", listed[-1])
    return tuple(texts) if "" in texts else named


def _add_transition(
    document: Document,
    gathered: _Gathered,
    entry: tuple[str, Node],
    states: dict[str, str],
    declared: dict[str, tuple[str, ...]],
    description: Description,
) -> None:
    source, node = entry
    record = read_transition(document, node, ("when", "then"), ("when", "then"))
    symbol = _symbol(document, record["when"], "input", gathered.inputs, "inputs" in declared)
    output = _symbol(document, record["then"], "output", gathered.outputs, "outputs" in declared)
    target = states[document.known(record["to"], "state", states)]
    row = (source, symbol, output, target)
    if row in gathered.rows:
        first = gathered.rows[row][1]
        raise document.error(f"the same transition is listed twice, first on line {first}", node)
    requirements = read_req(document, record.get("req"), description)
    gathered.rows[row] = (FsmTransition(*row, requirements), node.line)
    gathered.defined.add((source, symbol))


def _symbol(document: Document, node: Node, what: str, symbols: dict[str, str], closed: bool) -> str:
    """A symbol of a declared alphabet, or a new one; an output may be the empty text, an input may not."""
    text = document.scalar(node, what).text if what == "output" else document.name(node, what)
    if closed and text not in symbols:
        document.known(node, what, symbols)
    return symbols.setdefault(text, text)


def _add_ignored(document: Document, gathered: _Gathered, frame: Frame, declared: Collection[str]) -> None:
    """Self-loops for some inputs, wherever a state has no transition for them."""
    node = frame.record["ignore"]
    record = document.record(node, "ignore", ("inputs", "output"))
    for key in ("inputs", "output"):
        if key not in record:
            raise document.error(f"ignore lacks the key {key!r}, expected ignore: {{inputs: [a], output: none}}", node)
    items = document.one_or_more(record["inputs"], "the inputs of ignore")
    document.names(items, "input")
    symbols = [_symbol(document, item, "input", gathered.inputs, "inputs" in declared) for item in items]
    output = _symbol(document, record["output"], "output", gathered.outputs, "outputs" in declared)
    _add_loops(gathered, frame, symbols, output, node.line)


def _add_loops(gathered: _Gathered, frame: Frame, symbols: Iterable[str], output: str, line: int) -> None:
    """Self-loops with an output wherever a state has no transition for one of the inputs."""
    for state in frame.states:
        for symbol in symbols:
            if (state, symbol) not in gathered.defined:
                row = (state, symbol, output, state)
                gathered.rows[row] = (FsmTransition(*row), line)
                gathered.defined.add((state, symbol))
