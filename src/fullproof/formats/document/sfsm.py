"""``machine: sfsm`` in a model file."""

from __future__ import annotations

from collections.abc import Collection

from fullproof.core.errors import Place, UserError
from fullproof.formats.document.description import (
    Condition,
    DescriptionVocabulary,
    read_constants,
    read_description,
    read_req,
    read_variables,
    refuse_initial,
    scope_of,
)
from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import read_frame, read_transition
from fullproof.formats.document.tree import Node
from fullproof.language.parser import parse_expression
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression, Name
from fullproof.language.traversal import nodes
from fullproof.language.type_inference import expect_boolean
from fullproof.model.common import Description
from fullproof.model.sfsm import Sfsm, SfsmTransition


def read_sfsm(document: Document, *, default_name: str) -> Sfsm:
    """Read a symbolic finite state machine: guards refer to inputs, output expressions to inputs and outputs.

    ``assume`` are conditions over inputs that the environment satisfies.
    """
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
    speech = DescriptionVocabulary(
        guards=reader.guard,
        outputs=reader.output,
        properties=whole,
        inputs=tuple(variable for variable, _ in inputs),
        transitions_have_faults=True,
    )
    description = read_description(document, frame.record, constants, speech)
    assumed = frame.record.get("assume")
    known = frozenset(frame.states)
    return Sfsm(
        name=frame.name,
        initial=frame.initial,
        states=frame.states,
        inputs=tuple(variable for variable, _ in inputs),
        outputs=tuple(variable for variable, _ in outputs),
        transitions=tuple(reader.transition(source, node, known, description) for source, node in frame.transitions),
        assumptions=() if assumed is None else reader.assumptions(assumed),
        description=description,
    )


class _Reader:
    def __init__(self, document: Document, inputs: Scope, whole: Scope) -> None:
        self.document = document
        self.condition = Condition(whole)
        names = {variable.name for variable in inputs.variables}
        outputs = {v.name for v in whole.variables} - names
        self.inputs = inputs
        self.guard_condition = _InputCondition(inputs, outputs, "a guard")
        self.assumption = _InputCondition(inputs, outputs, "an assumption")

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

    def assumptions(self, node: Node) -> tuple[Expression, ...]:
        """The conditions on inputs; an error at the first one that makes them unsatisfiable."""
        from fullproof.smt import Unsat, open_solver

        found: dict[Expression, None] = {}
        solver = open_solver(self.inputs)
        for item in self.document.one_or_more(node, "assume"):
            condition = self.document.parsed(item, "an assumption", self.assumption)
            found[condition] = None
            solver.add(condition)
            if isinstance(solver.check(), Unsat):
                together = " together with those before it" if len(found) > 1 else ""
                raise self.document.error(f"no input satisfies the assumption {to_text(condition)}{together}", item)
        return tuple(found)

    def output(self, node: Node) -> Expression:
        return self.document.parsed(node, "an output expression", self.condition)


class _InputCondition:
    """Reads conditions over inputs, with a specific error where one refers to an output."""

    def __init__(self, inputs: Scope, outputs: set[str], what: str) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self.what = what

    def __call__(self, text: str, at: Place) -> Expression:
        condition = parse_expression(text, at=at)
        for part in nodes(condition):
            if isinstance(part, Name) and part.name in self.outputs:
                raise UserError(f"{part.name!r} is an output, {self.what} may only refer to inputs", at=part.at)
        expect_boolean(condition, self.inputs)
        return condition
