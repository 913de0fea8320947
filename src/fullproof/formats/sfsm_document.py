"""``machine: sfsm`` in a model file."""

from __future__ import annotations

from collections.abc import Collection

from fullproof.core.errors import Place, UserError
from fullproof.formats.description import (
    Condition,
    Speech,
    read_constants,
    read_description,
    read_req,
    read_variables,
    refuse_initial,
    scope_of,
)
from fullproof.formats.document import Document
from fullproof.formats.frame import read_frame, read_transition
from fullproof.formats.tree import Node
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression, Name
from fullproof.language.typing import expect_boolean
from fullproof.language.walking import nodes
from fullproof.model.common import Description
from fullproof.model.sfsm import Sfsm, SfsmTransition


def read_sfsm(document: Document, *, default_name: str) -> Sfsm:
    """Read a symbolic finite state machine: guards speak of inputs, output expressions of inputs and outputs."""
    frame = read_frame(document, "sfsm", default_name=default_name)
    constants = read_constants(document, frame.record)
    for key in ("inputs", "outputs"):
        if key not in frame.record:
            raise document.error(f"the key {key!r} is missing, expected for example {key}: {{x: int}}", document.root)
    inputs = read_variables(document, frame.record["inputs"], "inputs", constants)
    outputs = read_variables(document, frame.record["outputs"], "outputs", constants)
    refuse_initial(document, inputs, "an input such as")
    refuse_initial(document, outputs, "an output of an sfsm such as")
    whole = scope_of(document, inputs + outputs, constants)
    reader = _Reader(document, scope_of(document, inputs, constants), whole)
    speech = Speech(
        guards=reader.guard,
        outputs=reader.output,
        properties=whole,
        inputs=tuple(variable for variable, _ in inputs),
    )
    description = read_description(document, frame.record, constants, speech)
    known = frozenset(frame.states)
    return Sfsm(
        name=frame.name,
        initial=frame.initial,
        states=frame.states,
        inputs=tuple(variable for variable, _ in inputs),
        outputs=tuple(variable for variable, _ in outputs),
        transitions=tuple(reader.transition(source, node, known, description) for source, node in frame.transitions),
        description=description,
    )


class _Reader:
    def __init__(self, document: Document, inputs: Scope, whole: Scope) -> None:
        self.document = document
        self.condition = Condition(whole)
        names = {variable.name for variable in inputs.variables}
        self.guard_condition = _GuardCondition(inputs, {v.name for v in whole.variables} - names)

    def transition(self, source: str, node: Node, states: Collection[str], description: Description) -> SfsmTransition:
        record = read_transition(self.document, node, ("when", "then"), ("when", "then"))
        return SfsmTransition(
            source=source,
            guard=self.guard(record["when"]),
            output=self.output(record["then"]),
            target=self.document.known(record["to"], "state", states),
            requirements=read_req(self.document, record.get("req"), description),
            at=self.document.place(node),
        )

    def guard(self, node: Node) -> Expression:
        return self.document.parsed(node, "a guard", self.guard_condition)

    def output(self, node: Node) -> Expression:
        return self.document.parsed(node, "an output expression", self.condition)


class _GuardCondition:
    """Reads guards: conditions over inputs, with a word about outputs where somebody speaks of one."""

    def __init__(self, inputs: Scope, outputs: set[str]) -> None:
        self.inputs = inputs
        self.outputs = outputs

    def __call__(self, text: str, at: Place) -> Expression:
        guard = parse_expression(text, at=at)
        for part in nodes(guard):
            if isinstance(part, Name) and part.name in self.outputs:
                raise UserError(f"{part.name!r} is an output, a guard may only speak of inputs", at=part.at)
        expect_boolean(guard, self.inputs)
        return guard
