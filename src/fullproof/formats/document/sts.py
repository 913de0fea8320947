"""``machine: sts`` in a model file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from fullproof.core.errors import Place
from fullproof.formats.document.description import (
    Condition,
    Declared,
    DescriptionVocabulary,
    read_constants,
    read_description,
    read_guard,
    read_req,
    read_variables,
    refuse_initial,
    require_initial,
    scope_of,
)
from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import read_frame, read_transition
from fullproof.formats.document.sts_components import has_components, read_components
from fullproof.formats.document.tree import Node, Scalar
from fullproof.formats.format import ReadPart
from fullproof.language.list_functions import with_defaults
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.type_inference import expect_type
from fullproof.language.types import Value, Variable
from fullproof.model.common import Description
from fullproof.model.sts import TAU, Assignment, Gate, Sts, Switch, reserved


def read_sts(document: Document, *, default_name: str, file: ReadPart | None = None) -> Sts:
    """Read a symbolic transition system: guards and updates refer to variables and the gate's parameters.

    ``file`` reads components that have files of their own; None where there is no such file.
    """
    if has_components(document):

        def inline(part: Document, name: str) -> Sts:
            return read_sts(part, default_name=name, file=file)

        return read_components(document, default_name=default_name, inline=inline, file=file)
    frame = read_frame(document, "sts", default_name=default_name)
    constants = read_constants(document, frame.record)
    variables: Declared = []
    if "variables" in frame.record:
        variables = read_variables(document, frame.record["variables"], "variables", constants, strings=True)
    require_initial(document, variables, "variable")
    scope_of(document, variables, constants)
    reader = _Reader(document, variables, constants)
    inputs = reader.gates(frame.record.get("inputs"), "inputs")
    outputs = reader.gates(frame.record.get("outputs"), "outputs")
    description = read_description(document, frame.record, constants, DescriptionVocabulary())
    known = frozenset(frame.states)
    return Sts(
        name=frame.name,
        initial=frame.initial,
        states=frame.states,
        variables=tuple(variable for variable, _ in variables),
        inputs=inputs,
        outputs=outputs,
        transitions=tuple(reader.switch(source, node, known, description) for source, node in frame.transitions),
        description=description,
    )


class _Reader:
    def __init__(self, document: Document, variables: Declared, constants: Mapping[str, Value]) -> None:
        self.document = document
        self.variables = variables
        self.constants = constants
        self.conditions: dict[str, Condition] = {TAU: Condition(scope_of(document, variables, constants))}
        self.updates: dict[tuple[str, str], _Update] = {}
        self.types: dict[str, Variable] = {variable.name: variable for variable, _ in variables}

    def gates(self, node: Node | None, what: str) -> tuple[Gate, ...]:
        found = []
        for key, value in () if node is None else self.document.fields(node, what):
            if key.text == TAU:
                raise self.document.error(reserved(TAU), key)
            if key.text in self.conditions:
                raise self.document.error(f"gate {key.text[:60]!r} is defined twice", key)
            if isinstance(value, Scalar) and value.empty:
                example = f"{key.text[:60]}: {{}}"
                raise self.document.error(
                    f"gate {key.text[:60]!r} lacks its parameters, expected for example {example}", key
                )
            what_parameters = f"the parameters of gate {key.text[:60]!r}"
            parameters = read_variables(self.document, value, what_parameters, self.constants, strings=True)
            refuse_initial(self.document, parameters, "a parameter such as")
            scope = scope_of(self.document, self.variables + parameters, self.constants)
            self.conditions[key.text] = Condition(scope)
            found.append(Gate(name=key.text, parameters=tuple(variable for variable, _ in parameters)))
        return tuple(found)

    def switch(self, source: str, node: Node, states: Collection[str], description: Description) -> Switch:
        record = read_transition(self.document, node, ("gate", "when", "set"), ("gate",))
        gate = self.document.known(record["gate"], "gate", self.conditions)
        return Switch(
            source=source,
            gate=gate,
            guard=read_guard(self.document, record.get("when"), self.conditions[gate]),
            assignments=self.assignments(record.get("set"), gate),
            target=self.document.known(record["to"], "state", states),
            requirements=read_req(self.document, record.get("req"), description),
            at=self.document.place(node),
        )

    def assignments(self, node: Node | None, gate: str) -> tuple[Assignment, ...]:
        found = []
        for key, value in () if node is None else self.document.fields(node, "set"):
            variable = self.types[self.document.known(key, "variable", self.types)]
            update = self.updates.setdefault((gate, variable.name), _Update(self.conditions[gate].scope, variable))
            expression = self.document.parsed(value, f"the new value of {key.text[:60]!r}", update)
            found.append(Assignment(variable=variable.name, expression=expression))
        return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Update:
    """Reads the new values of one variable."""

    scope: Scope
    variable: Variable

    def __call__(self, text: str, at: Place) -> Expression:
        expression = parse_expression(text, at=at)
        expect_type(expression, self.scope, self.variable.type, what=self.variable.name)
        return with_defaults(expression, self.scope)
