"""``machine: statemachine`` in a model file."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.description import (
    Condition,
    Declared,
    Speech,
    read_constants,
    read_description,
    read_guard,
    read_req,
    read_variables,
    refuse_initial,
    require_initial,
    scope_of,
)
from fullproof.formats.document import Document
from fullproof.formats.frame import Frame, read_frame, read_transition
from fullproof.formats.tree import Node
from fullproof.language.parser import parse_assignment
from fullproof.language.scope import Scope
from fullproof.language.types import Type, Value
from fullproof.language.typing import expect_type
from fullproof.model.common import Description
from fullproof.model.statemachine import SmTransition, StateMachine
from fullproof.model.sts import Assignment


def read_statemachine(document: Document, *, default_name: str) -> StateMachine:
    """Read a state machine: guards and actions speak of inputs, outputs and variables."""
    frame = read_frame(document, "statemachine", default_name=default_name)
    constants = read_constants(document, frame.record)
    inputs = _declared(document, frame, "inputs", constants)
    outputs = _declared(document, frame, "outputs", constants)
    variables = _declared(document, frame, "variables", constants)
    refuse_initial(document, inputs, "an input such as")
    require_initial(document, outputs, "output")
    require_initial(document, variables, "variable")
    received, sent = _signals(document, frame.record.get("signals"))
    whole = scope_of(document, inputs + outputs + variables, constants)
    writable = {variable.name: variable.type for variable, _ in outputs + variables}
    reader = _Reader(document, whole, writable, (received, sent))
    speech = Speech(
        guards=lambda node: read_guard(document, node, reader.condition),
        properties=scope_of(document, inputs + outputs, constants),
        attributes=tuple(variable for variable, _ in inputs + outputs + variables),
    )
    description = read_description(document, frame.record, constants, speech)
    known = frozenset(frame.states)
    return StateMachine(
        name=frame.name,
        initial=frame.initial,
        states=frame.states,
        choices=_choices(document, frame),
        signals_in=received,
        signals_out=sent,
        inputs=tuple(variable for variable, _ in inputs),
        outputs=tuple(variable for variable, _ in outputs),
        variables=tuple(variable for variable, _ in variables),
        transitions=tuple(reader.transition(source, node, known, description) for source, node in frame.transitions),
        description=description,
    )


def _declared(document: Document, frame: Frame, key: str, constants: Mapping[str, Value]) -> Declared:
    return read_variables(document, frame.record[key], key, constants) if key in frame.record else []


def _choices(document: Document, frame: Frame) -> tuple[str, ...]:
    if "choices" not in frame.record:
        return ()
    items = document.one_or_more(frame.record["choices"], "choices")
    for item in items:
        document.known(item, "choice point", frame.states)
    return document.names(items, "choice point")


def _signals(document: Document, node: Node | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if node is None:
        return (), ()
    record = document.record(node, "signals", ("in", "out"))
    received = document.names(document.items(record["in"], "the signals in"), "signal") if "in" in record else ()
    outgoing = document.items(record["out"], "the signals out") if "out" in record else ()
    for item in outgoing:
        if document.name(item, "signal") in received:
            raise document.error(f"signal {document.name(item, 'signal')[:60]!r} goes both in and out", item)
    return received, document.names(outgoing, "signal")


class _Reader:
    def __init__(
        self, document: Document, scope: Scope, writable: dict[str, Type], signals: tuple[tuple[str, ...], ...]
    ) -> None:
        self.document = document
        self.scope = scope
        self.condition = Condition(scope)
        self.writable = writable
        self.received, self.sent = signals

    def transition(self, source: str, node: Node, states: Collection[str], description: Description) -> SmTransition:
        document = self.document
        record = read_transition(document, node, ("trigger", "when", "do", "send"), ())
        trigger, do, send = record.get("trigger"), record.get("do"), record.get("send")
        actions = () if do is None else document.one_or_more(do, "do")
        sends = () if send is None else document.one_or_more(send, "send")
        return SmTransition(
            source=source,
            trigger=None if trigger is None else document.known(trigger, "input signal", self.received),
            guard=read_guard(document, record.get("when"), self.condition),
            actions=tuple(document.parsed(item, "an action", self.action) for item in actions),
            sends=tuple(document.known(item, "output signal", self.sent) for item in sends),
            target=document.known(record["to"], "state", states),
            requirements=read_req(document, record.get("req"), description),
            at=document.place(node),
        )

    def action(self, text: str, at: Place) -> Assignment:
        """``m = x / 2``: the left side is an output or a variable."""
        name, expression = parse_assignment(text, at=at)
        if name not in self.writable:
            raise UserError(f"unknown output or variable {name!r}{did_you_mean(name, self.writable)}", at=at)
        expect_type(expression, self.scope, self.writable[name], what=name)
        return Assignment(variable=name, expression=expression)
