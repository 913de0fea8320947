"""sfsm, options -> the exact question: relation, properties, fault domain, classes, finite machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from fullproof.abstract.alphabet import alphabet_of
from fullproof.abstract.budget import steps_for
from fullproof.abstract.classes import io_classes
from fullproof.abstract.machine import class_machine, defined_classes
from fullproof.abstract.property_product import holding, sfsm_holding
from fullproof.artefacts.abstraction import ClassMachine, SymbolicAlphabet
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.property_answers import Holding, Undecided
from fullproof.artefacts.request import Relation, StateDomain, SuiteRequest
from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.generate.symbolic.letters import LetterMachine, over_classes
from fullproof.kinds.options import extra_states_of
from fullproof.kinds.sfsm.derived import Derived, derived_faults
from fullproof.kinds.sfsm.local_domain import domain_of, needs_local, require_not_excluded
from fullproof.kinds.sfsm.properties import require_holding
from fullproof.kinds.sfsm.stated import stated_properties
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.syntax import Expression
from fullproof.language.types import Value
from fullproof.model import Sfsm
from fullproof.model.common import FaultDomain, Property

_SHOWN = 3
TIMEOUT = 60.0
"""The default seconds for the classes."""


class FiniteModel:
    """The machine over all classes of an alphabet, computed on demand, since there may be many classes."""

    def __init__(self, model: Sfsm, alphabet: SymbolicAlphabet, *, timeout: float | None, at: Place) -> None:
        self._model, self._alphabet = model, alphabet
        self._timeout, self._at = timeout, at

    @cached_property
    def machine(self) -> ClassMachine:
        """The machine over all classes."""
        budget = steps_for(TIMEOUT, timeout=self._timeout)
        return class_machine(self._model, io_classes(self._model, self._alphabet, budget=budget))

    @cached_property
    def letters(self) -> LetterMachine:
        """The same, observable and minimal; refused where an input that a guard admits has no answer."""
        letters = over_classes(self.machine, self._defined)
        for state, symbol in _gaps(letters):
            if self._defines(letters.members[state], symbol):
                where, inputs = self._named(letters, state, symbol)
                raise UserError(
                    f"state {where} has no answer to {values_text(inputs)} although a guard admits it: no output "
                    "within its range satisfies the output expression",
                    at=self._at,
                )
        return letters

    @cached_property
    def undefined(self) -> tuple[str, Mapping[str, Value]] | None:
        """A state, and inputs that the model leaves undefined there; None where it is completely specified."""
        letters = self.letters
        gap = next(_gaps(letters), None)
        return None if gap is None else self._named(letters, *gap)

    @cached_property
    def _defined(self) -> tuple[tuple[bool, ...], ...]:
        return defined_classes(self._model, self.machine.classes)

    def _defines(self, states: Iterable[int], symbol: int) -> bool:
        covered = self.machine.classes.representatives[symbol].covers
        return all(self._defined[state][letter] for state in states for letter in covered)

    def _named(self, letters: LetterMachine, state: int, symbol: int) -> tuple[str, Mapping[str, Value]]:
        where = " or ".join(self._model.states[s] for s in sorted(letters.members[state]))
        return where, self.machine.classes.representatives[symbol].input


PARTIAL = (Relation.EQUIVALENCE, Relation.QUASI_REDUCTION)
"""Relations that allow any behaviour after inputs which the model leaves undefined."""

CELLS_ALONE = ("separable", "local")
"""Methods that need no classes of inputs with outputs."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """A model over the classes of its fault domain, and the claim to be proved about systems."""

    model: Sfsm
    request: SuiteRequest
    relation: Relation
    properties: tuple[Property, ...]
    alphabet: SymbolicAlphabet
    finite: FiniteModel
    fault_domain: FaultDomain
    derived: Derived
    extra_states: int
    doubtful: tuple[str, ...]
    """Properties for which it is undecided whether the model satisfies them."""
    notes: tuple[str, ...]
    at: Place

    @property
    def machine(self) -> ClassMachine:
        """The machine over all classes."""
        return self.finite.machine

    @property
    def letters(self) -> LetterMachine:
        """The same, observable and minimal."""
        return self.finite.letters

    @property
    def is_partial(self) -> bool:
        """Whether the model leaves inputs undefined."""
        return self.finite.undefined is not None

    @property
    def inputs(self) -> tuple[Mapping[str, Value], ...]:
        """The representatives."""
        return tuple(r.input for r in self.machine.classes.representatives)


def question_of(model: Sfsm, request: SuiteRequest, *, at: Place) -> Question:
    """Check the request and compute what every method needs."""
    _refuse_options(request, at=at)
    properties = asked_properties(model, request, at=at)
    relation = request.relation or (Relation.PROPERTY if properties else Relation.EQUIVALENCE)
    if relation is Relation.PROPERTY and not properties:
        names = [p.name for p in model.description.properties]
        hint = f"--property NAME with one of {', '.join(names)}" if names else "the model has none"
        raise UserError(f"--relation property needs properties: {hint}", at=at)
    if relation not in (*PARTIAL, Relation.REDUCTION, Relation.PROPERTY):
        raise UserError(
            f"an sfsm is not tested for {relation.value}; use --relation equivalence, reduction, quasi-reduction or "
            "property",
            at=at,
        )
    require_not_excluded(model, at=at)
    domain = domain_of(model, request, at=at)
    derived = derived_faults(model, request)
    notes = derived.notes
    watched = properties if relation is Relation.PROPERTY else ()  # other relations imply the properties
    alphabet = alphabet_of(model, properties=watched, guards=derived.guards, outputs=derived.outputs)
    finite = _finite(model, alphabet, request, at=at)
    cells_alone = request.method in CELLS_ALONE or needs_local(domain) != ""
    machine = None if cells_alone or not watched else finite.machine
    doubtful = require_holding(properties, lambda stated: _decided(model, machine, stated), at=at)
    notes += tuple(
        MeaningNote(f"whether the model satisfies {name} could not be decided: {why}") for name, why in doubtful.items()
    )
    if not cells_alone:
        if finite.undefined is not None:
            notes += tuple(map(MeaningNote, _partial_notes(finite.undefined, relation, properties, at=at)))
        notes += minimal_notes(model, finite.letters.states)
    return Question(
        model=model,
        request=request,
        relation=relation,
        properties=properties,
        alphabet=alphabet,
        finite=finite,
        fault_domain=domain,
        derived=derived,
        doubtful=tuple(doubtful),
        extra_states=extra_states_of(model, request),
        notes=notes,
        at=at,
    )


def by_equivalence(question: Question) -> Question:
    """The same properties, to be shown by equivalence to the model, which implies them and sees no propositions."""
    alphabet = replace(question.alphabet, propositions=())
    finite = _finite(question.model, alphabet, question.request, at=question.at)
    return replace(question, relation=Relation.EQUIVALENCE, alphabet=alphabet, finite=finite)


def _finite(model: Sfsm, alphabet: SymbolicAlphabet, request: SuiteRequest, *, at: Place) -> FiniteModel:
    return FiniteModel(model, alphabet, timeout=request.timeout, at=at)


def minimal_notes(model: Sfsm, states: int) -> tuple[str, ...]:
    """Notes where the tested machine has other states than the model."""
    if states == len(model.states):
        return ()
    return (f"the model was made observable and minimal: {len(model.states)} -> {counted(states, 'state')}",)


def _refuse_options(request: SuiteRequest, *, at: Place) -> None:
    """Options of finite machines that would silently do nothing here."""
    if request.domain is not StateDomain.STATES:
        raise UserError("--domain k-A is for finite machines; suites for an sfsm rest on a bound on states", at=at)
    if request.distinguish is not None:
        raise UserError("--distinguish is for the strong reduction of finite machines", at=at)
    if request.fsm_method is not None and request.method not in ("separable", "local", "auto"):
        raise UserError("--fsm-method is for separable and local, which have a finite method below them", at=at)


def asked_properties(model: Sfsm, request: SuiteRequest, *, at: Place) -> tuple[Property, ...]:
    """The properties by name; an unknown name gets a suggestion."""
    if not request.properties:
        return ()
    if request.relation not in (None, Relation.PROPERTY, Relation.EQUIVALENCE, Relation.REDUCTION):
        raise UserError(
            f"--property goes with --relation property, equivalence or reduction, not {request.relation.value}", at=at
        )
    return stated_properties(model, request.properties, at=at)


def _decided(model: Sfsm, machine: ClassMachine | None, stated: Property) -> Holding:
    """Decide by the classes, or where some are undecided by the transitions: the property may need fewer than all
    classes.
    """
    answer = None if machine is None else holding(machine, stated.formula)
    if answer is None or isinstance(answer, Undecided):
        return sfsm_holding(model, stated.formula, timeout=TIMEOUT)
    return answer


def undecided_notes(formulas: Sequence[tuple[Expression, str]]) -> tuple[str, ...]:
    """Notes on the undecided formulas that the guarantee depends on."""
    notes = [
        f"the solver could not decide whether {to_text(formula)} can be satisfied ({reason}); the guarantee holds only "
        "if it cannot, and a run that passes is inconclusive"
        for formula, reason in formulas[:_SHOWN]
    ]
    if len(formulas) > _SHOWN:
        notes.append(f"{counted(len(formulas) - _SHOWN, 'more formula is', 'more formulas are')} undecided, too")
    return tuple(map(MeaningNote, notes))


def _gaps(letters: LetterMachine) -> Iterator[tuple[int, int]]:
    """The states and inputs without an answer."""
    for state in range(letters.states):
        for symbol in range(len(letters.inputs)):
            if not letters.answers(state, symbol):
                yield state, symbol


def _partial_notes(
    gap: tuple[str, Mapping[str, Value]], relation: Relation, properties: Sequence[Property], *, at: Place
) -> tuple[str, ...]:
    """Notes on a partial model; a UserError for relations that concern all inputs."""
    state, inputs = gap
    if relation not in PARTIAL or properties:
        what = "properties are" if properties else f"{relation.value} is"
        raise UserError(
            f"state {state} has no transition for {values_text(inputs)}; {what} tested for completely specified "
            "models, since a system may do anything after inputs that a model leaves undefined (add the transition, "
            "or use --relation equivalence or quasi-reduction without properties)",
            at=at,
        )
    name = "quasi-equivalence" if relation is Relation.EQUIVALENCE else relation.value
    example = f"{values_text(inputs)} in state {state}"
    return (f"the model is partial: what it leaves undefined, such as {example}, is not tested ({name})",)


def no_answer(state: str, inputs: Mapping[str, Value], relation: Relation, *, at: Place) -> UserError:
    """The refusal of a model that leaves an input without an answer, by methods that need one to each."""
    instead = ", or use --method general" if relation in PARTIAL else ""
    return UserError(
        f"state {state} has no answer to {values_text(inputs)}; this method needs a completely specified model "
        f"(add the transition{instead})",
        at=at,
    )


def values_text(step: Mapping[str, Value]) -> str:
    """Inputs as text."""
    return ", ".join(f"{name} = {value_to_text(value)}" for name, value in step.items())
