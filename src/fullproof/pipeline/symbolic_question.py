"""sfsm, options -> what exactly is asked: relation, properties, fault domain, classes, finite machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fullproof.abstract.alphabet import alphabet_of
from fullproof.abstract.classes import io_classes
from fullproof.abstract.holding import holding, sfsm_holding
from fullproof.abstract.machine import class_machine
from fullproof.artefacts.abstraction import ClassMachine
from fullproof.artefacts.holding import Holding, Undecided
from fullproof.artefacts.request import Domain, Relation, SuiteRequest
from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.generate.symbolic.letters import LetterMachine, over_classes
from fullproof.language.printing import to_text, value_to_text
from fullproof.language.syntax import Expression
from fullproof.language.types import Value
from fullproof.model import Sfsm
from fullproof.model.common import Property
from fullproof.pipeline.derived import derived_faults
from fullproof.pipeline.properties import require_holding
from fullproof.pipeline.suites import extra_states_of

_SHOWN = 3
_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """A model over the classes of its fault domain, and what is to be proved of systems."""

    model: Sfsm
    request: SuiteRequest
    relation: Relation
    properties: tuple[Property, ...]
    machine: ClassMachine
    letters: LetterMachine
    extra_states: int
    doubtful: tuple[str, ...]
    """Properties of which it could not be decided whether the model has them."""
    notes: tuple[str, ...]
    at: Place

    @property
    def inputs(self) -> tuple[Mapping[str, Value], ...]:
        """The representatives."""
        return tuple(r.input for r in self.machine.classes.representatives)


def question_of(model: Sfsm, request: SuiteRequest, *, at: Place) -> Question:
    """Check what is asked and compute what every method needs."""
    _refuse_options(request, at=at)
    properties = asked_properties(model, request, at=at)
    relation = request.relation or (Relation.PROPERTY if properties else Relation.EQUIVALENCE)
    if relation is Relation.PROPERTY and not properties:
        names = [p.name for p in model.description.properties]
        hint = f"--property NAME with one of {', '.join(names)}" if names else "the model has none"
        raise UserError(f"--relation property needs properties: {hint}", at=at)
    if relation not in (Relation.EQUIVALENCE, Relation.REDUCTION, Relation.PROPERTY):
        raise UserError(
            f"an sfsm is not tested for {relation.value}; use --relation equivalence, reduction or property", at=at
        )
    derived = derived_faults(model, request)
    notes = derived.notes
    alphabet = alphabet_of(model, properties=properties, guards=derived.guards, outputs=derived.outputs)
    classes = io_classes(model, alphabet, timeout=request.timeout if request.timeout is not None else _TIMEOUT)
    machine = class_machine(model, classes)
    doubtful = require_holding(properties, lambda stated: _decided(model, machine, stated), at=at)
    notes += tuple(f"whether the model satisfies {name} could not be decided: {why}" for name, why in doubtful.items())
    letters = over_classes(machine)
    _require_complete(model, machine, letters, at=at)
    if letters.states != len(model.states):
        notes += (f"the model was made observable and minimal: {len(model.states)} -> {letters.states} states",)
    return Question(
        model=model,
        request=request,
        relation=relation,
        properties=properties,
        machine=machine,
        letters=letters,
        doubtful=tuple(doubtful),
        extra_states=extra_states_of(model, request),
        notes=notes,
        at=at,
    )


def _refuse_options(request: SuiteRequest, *, at: Place) -> None:
    """Options of finite machines that would silently do nothing here."""
    if request.domain is not Domain.STATES:
        raise UserError("--domain k-A is for finite machines; suites for an sfsm rest on a bound on states", at=at)
    if request.distinguish is not None:
        raise UserError("--distinguish is for the strong reduction of finite machines", at=at)
    for value, option in ((request.fsm_method, "--fsm-method"), (request.max_length, "--max-length")):
        if value is not None and request.method not in ("separable", "auto"):
            raise UserError(f"{option} is for method separable, which has a finite method below it", at=at)


def asked_properties(model: Sfsm, request: SuiteRequest, *, at: Place) -> tuple[Property, ...]:
    """The properties by name; an unknown name gets a suggestion."""
    if not request.properties:
        return ()
    if request.relation not in (None, Relation.PROPERTY):
        raise UserError(f"--property asks for --relation property, not {request.relation.value}", at=at)
    known = {p.name: p for p in model.description.properties}
    for name in request.properties:
        if name not in known:
            raise UserError(f"unknown property {name!r}{did_you_mean(name, known)}", at=at)
    return tuple(known[name] for name in dict.fromkeys(request.properties))


def _decided(model: Sfsm, machine: ClassMachine, stated: Property) -> Holding:
    """By the classes, or where some are undecided by the transitions: the property may need less than all classes."""
    answer = holding(machine, stated.formula)
    return sfsm_holding(model, stated.formula, timeout=_TIMEOUT) if isinstance(answer, Undecided) else answer


def undecided_notes(formulas: Sequence[tuple[Expression, str]]) -> tuple[str, ...]:
    """Which formulas the guarantee depends on without knowing."""
    notes = [
        f"the solver could not tell whether {to_text(formula)} can be satisfied ({reason}); the guarantee holds only "
        "if it cannot"
        for formula, reason in formulas[:_SHOWN]
    ]
    if len(formulas) > _SHOWN:
        notes.append(f"so it is with {len(formulas) - _SHOWN} more formulas")
    return tuple(notes)


def _require_complete(model: Sfsm, machine: ClassMachine, letters: LetterMachine, *, at: Place) -> None:
    """Methods for symbolic machines need an answer to every input."""
    gap = letters.undefined()
    if gap is None:
        return
    state, symbol = gap
    inputs = machine.classes.representatives[symbol].input
    where = " or ".join(model.states[s] for s in sorted(letters.members[state]))
    raise UserError(
        f"state {where} has no answer to {_values(inputs)}; suites for an sfsm need a completely specified model, "
        "since whether a system refuses an input cannot be observed (add the transition)",
        at=at,
    )


def _values(step: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} = {value_to_text(value)}" for name, value in step.items())
