"""A model as keys, lists and texts in the order in which a file shows them: what the YAML and JSON writers lay out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from fullproof.formats.document.fault_domain import paving_text
from fullproof.formats.mealy import used_symbols
from fullproof.language.printer import declaration_text, to_text, value_to_text
from fullproof.language.syntax import TRUE, Expression
from fullproof.language.types import Value, Variable
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts
from fullproof.model.common import Description, Pairs
from fullproof.model.fsm import FsmTransition
from fullproof.model.sfsm import SfsmTransition
from fullproof.model.statemachine import SmTransition
from fullproof.model.sts import Gate, Switch


class Word(Enum):
    """How a text may be written."""

    NAME = "name"
    """A text for every reader of YAML: quoted where it could be taken for a number, a truth value or null."""
    CODE = "code"
    """An expression or a declaration: never quoted without need."""
    NUMBER = "number"
    """A number or a truth value, as JSON writes it."""


@dataclass(frozen=True, slots=True)
class ScalarText:
    """A text and how it may be written."""

    text: str
    word: Word = Word.NAME


Outline: TypeAlias = "ScalarText | list[Outline] | dict[str, Outline]"

_WHOLE = re.compile(r"-?[0-9]+\Z")


def outline(model: Model) -> dict[str, Outline]:
    """The keys of the model file, from top to bottom."""
    head: dict[str, Outline] = {"machine": ScalarText(model.kind), "name": ScalarText(model.name)}
    if model.description.constants:
        head["constants"] = {c.name: _constant(c.value) for c in model.description.constants}
    return {**head, **_interface(model), **_states(model), **_tail(model.description)}


def _interface(model: Model) -> dict[str, Outline]:
    match model:
        case Fsm():
            used = dict(zip(("inputs", "outputs"), used_symbols(model), strict=True))
            declared = {"inputs": model.inputs, "outputs": model.outputs}
            return {key: _names(names) for key, names in declared.items() if names != used[key]}
        case Sfsm():
            assumed: dict[str, Outline] = {"assume": [_code(e) for e in model.assumptions]} if model.assumptions else {}
            return {"inputs": _variables(model.inputs), "outputs": _variables(model.outputs), **assumed}
        case Sts():
            return {
                **({"variables": _variables(model.variables)} if model.variables else {}),
                "inputs": _gates(model.inputs),
                "outputs": _gates(model.outputs),
            }
        case StateMachine():
            signals: dict[str, Outline] = {"in": _names(model.signals_in), "out": _names(model.signals_out)}
            parts = {"inputs": model.inputs, "outputs": model.outputs, "variables": model.variables}
            return {"signals": signals, **{key: _variables(value) for key, value in parts.items() if value}}


def _states(model: Model) -> dict[str, Outline]:
    states: dict[str, list[Outline]] = {state: [] for state in model.states}
    for t in model.transitions:
        states[t.source].append(_transition(t))
    listed: dict[str, Outline] = {"initial": ScalarText(model.initial)}
    if isinstance(model, StateMachine) and model.choices:
        listed["choices"] = _names(model.choices)
    return {**listed, "states": dict(states)}


def _transition(t: FsmTransition | SfsmTransition | Switch | SmTransition) -> dict[str, Outline]:
    found: dict[str, Outline] = {}
    match t:
        case FsmTransition():
            found = {"when": ScalarText(t.input), "then": ScalarText(t.output)}
        case SfsmTransition():
            found = {"when": _code(t.guard), "then": _code(t.output)}
        case Switch():
            found = {"gate": ScalarText(t.gate), **_guard(t.guard)}
            if t.assignments:
                found["set"] = {a.variable: _code(a.expression) for a in t.assignments}
        case SmTransition():
            found = {**({"trigger": ScalarText(t.trigger)} if t.trigger is not None else {}), **_guard(t.guard)}
            if t.actions:
                found["do"] = [ScalarText(f"{a.variable} = {to_text(a.expression)}", Word.CODE) for a in t.actions]
            if t.sends:
                found["send"] = _names(t.sends)
    found["to"] = ScalarText(t.target)
    if t.requirements:
        found["req"] = _names(t.requirements)
    return found


def _tail(description: Description) -> dict[str, Outline]:
    domain = description.fault_domain
    faults: dict[str, Outline] = {}
    if domain.extra_states:
        faults["extra_states"] = ScalarText(str(domain.extra_states), Word.NUMBER)
    if domain.guards:
        faults["guards"] = [_code(guard) for guard in domain.guards]
    if domain.outputs:
        faults["outputs"] = [_code(output) for output in domain.outputs]
    if domain.degree is not None:
        faults["degree"] = ScalarText(str(domain.degree), Word.NUMBER)
    if domain.thresholds:
        faults["thresholds"] = {t.variable: ScalarText(value_to_text(t.distance), Word.CODE) for t in domain.thresholds}
    if domain.excluded:
        faults["exclude"] = [{"when": _code(pair.guard), "then": _code(pair.output)} for pair in domain.excluded]
    if domain.pairs is not Pairs.ALL:
        faults["pairs"] = ScalarText(domain.pairs.value)
    if domain.paving:
        faults["paving"] = {p.variable: ScalarText(paving_text(p), Word.CODE) for p in domain.paving}
    tail: dict[str, Outline] = {"fault_domain": faults} if faults else {}
    if description.properties:
        tail["properties"] = {p.name: _code(p.formula) for p in description.properties}
    if description.requirements:
        tail["requirements"] = {r.name: ScalarText(r.text) for r in description.requirements}
    return tail


def _guard(guard: Expression) -> dict[str, Outline]:
    return {} if guard == TRUE else {"when": _code(guard)}


def _gates(gates: Iterable[Gate]) -> Outline:
    return {gate.name: _variables(gate.parameters) for gate in gates}


def _variables(variables: Iterable[Variable]) -> Outline:
    return {variable.name: ScalarText(declaration_text(variable), Word.CODE) for variable in variables}


def _names(names: Iterable[str]) -> Outline:
    return [ScalarText(name) for name in names]


def _code(expression: Expression) -> ScalarText:
    return ScalarText(to_text(expression), Word.CODE)


def _constant(value: Value) -> ScalarText:
    """A number that reads back as the same value of the same type: a whole real keeps its point."""
    if isinstance(value, int) and not isinstance(value, bool):
        return ScalarText(str(value), Word.NUMBER)
    text = value_to_text(value)
    if isinstance(value, Fraction) and _WHOLE.match(text):
        text += ".0"
    return ScalarText(text, Word.CODE if "/" in text else Word.NUMBER)
