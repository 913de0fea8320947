"""A model as keys, lists and texts in the order in which a file shows them: what the YAML and JSON writers lay out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

from fullproof.formats.charts.times import time_text
from fullproof.formats.document.fault_domain import paving_text
from fullproof.formats.document.named_faults import named_faults_record
from fullproof.formats.mealy import used_symbols
from fullproof.language.printer import declaration_text, to_text, value_to_text
from fullproof.language.syntax import TRUE, Expression
from fullproof.language.types import Value, Variable
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts
from fullproof.model.chart_model import ChartModel
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
    """The keys of a file of flat states, from top to bottom."""
    head: dict[str, Outline] = {"machine": ScalarText(model.kind), "name": ScalarText(model.name)}
    if model.description.constants:
        head["constants"] = {c.name: _constant(c.value) for c in model.description.constants}
    return {**head, **_interface(model), **_states(model), **_tail(model.description)}


def _interface(model: Model) -> dict[str, Outline]:
    match model:
        case Fsm():
            used = dict(zip(("inputs", "outputs"), used_symbols(model), strict=True))
            declared = {"inputs": model.inputs, "outputs": model.outputs}
            shown: dict[str, Outline] = {k: names_outline(names) for k, names in declared.items() if names != used[k]}
            return shown if model.unavailable is None else {**shown, "unavailable": ScalarText(model.unavailable)}
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
            return {**_event_interface(model), **_timers(model)}


def _event_interface(model: StateMachine | ChartModel) -> dict[str, Outline]:
    signals: dict[str, Outline] = {"in": names_outline(model.signals_in), "out": names_outline(model.signals_out)}
    parts = {"inputs": model.inputs, "outputs": model.outputs, "variables": model.variables}
    return {"signals": signals, **{key: _variables(value) for key, value in parts.items() if value}}


def chart_keys(chart: ChartModel) -> dict[str, Outline]:
    """What a model file says of a chart beside its states: constants, the interface, choice points, the description."""
    found: dict[str, Outline] = {}
    if chart.description.constants:
        found["constants"] = {c.name: _constant(c.value) for c in chart.description.constants}
    found |= _event_interface(chart)
    if chart.choices:
        found["choices"] = names_outline(chart.choices)
    return {**found, **_tail(chart.description)}


def plain_values(value: Outline) -> Any:
    """Texts, numbers, lists and dictionaries, as ``json.dumps`` takes them."""
    match value:
        case ScalarText():
            return json.loads(value.text) if value.word is Word.NUMBER else value.text
        case list():
            return [plain_values(item) for item in value]
        case dict():
            return {key: plain_values(item) for key, item in value.items()}


def _timers(model: StateMachine) -> dict[str, Outline]:
    if not model.timers:
        return {}
    listed: dict[str, Outline] = {timer.name: ScalarText(time_text(timer)) for timer in model.timers}
    return {"timers": listed, **({"started": names_outline(model.started)} if model.started else {})}


def _states(model: Model) -> dict[str, Outline]:
    states: dict[str, list[Outline]] = {state: [] for state in model.states}
    for t in model.transitions:
        states[t.source].append(_transition(t))
    listed: dict[str, Outline] = {"initial": ScalarText(model.initial)}
    if isinstance(model, StateMachine) and model.choices:
        listed["choices"] = names_outline(model.choices)
    return {**listed, "states": dict(states)}


def _transition(t: FsmTransition | SfsmTransition | Switch | SmTransition) -> dict[str, Outline]:
    found: dict[str, Outline] = {}
    match t:
        case FsmTransition():
            found = {"when": ScalarText(t.input), "then": ScalarText(t.output)}
        case SfsmTransition():
            found = {"when": _code(t.guard), "then": _code(t.output)}
        case Switch():
            found = {"gate": ScalarText(t.gate), **guard_outline(t.guard)}
            if t.assignments:
                found["set"] = {a.variable: _code(a.expression) for a in t.assignments}
        case SmTransition():
            found = {**({"trigger": ScalarText(t.trigger)} if t.trigger is not None else {}), **guard_outline(t.guard)}
            if t.actions:
                found["do"] = [ScalarText(f"{a.variable} = {to_text(a.expression)}", Word.CODE) for a in t.actions]
            named = {"send": t.sends, "start": t.starts, "stop": t.stops}
            found |= {key: names_outline(names) for key, names in named.items() if names}
    found["to"] = ScalarText(t.target)
    if t.requirements:
        found["req"] = names_outline(t.requirements)
    return found


def _tail(description: Description) -> dict[str, Outline]:
    domain = description.fault_domain
    faults: dict[str, Outline] = {}
    if domain.extra_states is not None:
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
    if domain.faults is not None:
        faults |= {key: _outlined(value) for key, value in named_faults_record(domain.faults).items()}
    tail: dict[str, Outline] = {"fault_domain": faults} if faults else {}
    if description.properties:
        tail["properties"] = {p.name: _code(p.formula) for p in description.properties}
    if description.requirements:
        tail["requirements"] = {r.name: ScalarText(r.text) for r in description.requirements}
    return tail


def _outlined(value: object) -> Outline:
    match value:
        case dict():
            return {str(key): _outlined(item) for key, item in value.items()}
        case list():
            return [_outlined(item) for item in value]
        case int():
            return ScalarText(str(value), Word.NUMBER)
        case text:
            return ScalarText(str(text))


def guard_outline(guard: Expression) -> dict[str, Outline]:
    """The key of a condition; none where it always holds."""
    return {} if guard == TRUE else {"when": _code(guard)}


def _gates(gates: Iterable[Gate]) -> Outline:
    return {gate.name: _variables(gate.parameters) for gate in gates}


def _variables(variables: Iterable[Variable]) -> Outline:
    return {variable.name: ScalarText(declaration_text(variable), Word.CODE) for variable in variables}


def names_outline(names: Iterable[str]) -> Outline:
    """A list of names."""
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
