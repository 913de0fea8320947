"""Which method answers the question asked of a finite machine, and what its suite guarantees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fullproof.analysis.defined_words import is_complete
from fullproof.analysis.minimise import prime
from fullproof.analysis.observable import observable
from fullproof.analysis.r_distinguishability import Answers
from fullproof.analysis.responses import Responses, responses
from fullproof.analysis.table import is_deterministic, relation_table
from fullproof.artefacts.guarantee import Guarantee
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.request import ALL_ANSWERS, GREY_BOX, Distinguish, Relation, StateDomain, SuiteRequest
from fullproof.artefacts.words import WordSource
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.generate.finite.asked_size import refuse_size, refuse_words
from fullproof.generate.finite.auto import cheapest
from fullproof.generate.finite.generalised_wp import generalised_wp
from fullproof.generate.finite.guarantee import (
    counting_equivalence_guarantee,
    counting_guarantee,
    equivalence_guarantee,
    generalised_wp_guarantee,
    quasi_equivalence_guarantee,
)
from fullproof.generate.finite.h import h_beside
from fullproof.generate.finite.method import PartialRefused
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS, equivalence_method
from fullproof.generate.finite.preparation import inseparable, prepare
from fullproof.generate.finite.state_counting import counting
from fullproof.model.fsm import Fsm

COUNTED = (
    *(Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION),
    Relation.LANGUAGE_EQUIVALENCE,
)


class CountingRefused(UserError):
    """State counting would need too many traces."""


PARTIAL = MeaningNote("the model is partial: what it leaves undefined is not tested (quasi-equivalence)")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FiniteSuite:
    """Words over the model's inputs, the method that made them, and what they prove."""

    words: WordSource
    method: str
    states: int
    guarantee: Guarantee
    notes: tuple[str, ...]


def finite_suite(
    fsm: Fsm, request: SuiteRequest, *, extra_states: int, at: Place = NOWHERE, clock: Deadline | None = None
) -> FiniteSuite:
    """Generate for the relation asked, with the method asked or the smallest suite that can be afforded.

    Deterministic complete machines: every method of the catalogue. Nondeterministic complete ones: generalised Wp.
    Partial ones, for quasi-equivalence: the methods for partial machines where all states are pairwise separable, else
    state counting. Reductions and language equivalence: state counting. ``clock``: when no other method is tried.
    """
    if not fsm.inputs:
        raise UserError("the machine has no inputs, so there is nothing to test", at=at)
    relation = request.relation or Relation.EQUIVALENCE
    if relation in COUNTED:
        return _by_counting(fsm, request, relation, extra_states=extra_states, at=at)
    if relation is not Relation.EQUIVALENCE:
        raise UserError(f"a finite machine cannot be tested for {relation.value}", at=at)
    whole = prime(relation_table(fsm)).relation
    partial = bool((whole.start[1:] == whole.start[:-1]).any())
    if is_deterministic(whole) and not (partial and request.method == "counting"):
        return _deterministic(fsm, request, extra_states=extra_states, at=at, clock=clock)
    if partial:
        why = inseparable(prepare(fsm, at=at, partial=True)) if is_deterministic(whole) else ""
        return _by_counting(fsm, request, relation, extra_states=extra_states, at=at, why=why)
    refuse_size(len(fsm.inputs), extra_states, at=at)
    return _nondeterministic(fsm, request, extra_states=extra_states, at=at)


def _deterministic(
    fsm: Fsm, request: SuiteRequest, *, extra_states: int, at: Place, clock: Deadline | None
) -> FiniteSuite:
    prepared = prepare(fsm, at=at, partial=True)
    table = prepared.table
    complete = is_complete(table)
    if complete:
        refuse_size(len(fsm.inputs), extra_states, at=at)
    elif why := inseparable(prepared):
        if request.method != "auto":
            raise UserError(f"method {request.method!r} needs separable states; {why}; use 'counting'", at=at)
        return _by_counting(fsm, request, Relation.EQUIVALENCE, extra_states=extra_states, at=at, why=why)
    else:
        refuse_words(table, extra_states, at=at)
    if request.method == "auto":
        method, words, notes = cheapest(table, request, extra_states=extra_states, clock=clock)
    else:
        method, notes = equivalence_method(request.method), ()
        try:
            words = method.source(table, request, extra_states=extra_states)
        except PartialRefused as refused:
            others = [m.name for m in EQUIVALENCE_METHODS.values() if m.takes_partial(request)]
            hint = f"; use {', '.join((*others, 'counting'))} or auto, or complete it (ignore, unavailable)"
            raise UserError(refused.message + hint, at=at) from None
    size = {"states": table.states, "extra_states": extra_states}
    return FiniteSuite(
        words=words,
        method=method.name,
        states=table.states,
        guarantee=equivalence_guarantee(method, **size) if complete else quasi_equivalence_guarantee(method, **size),
        notes=(*prepared.notes, *notes, *(() if complete else (PARTIAL,))),
    )


def suite_beside(fsm: Fsm, known: Iterable[tuple[int, ...]], *, extra_states: int) -> FiniteSuite | None:
    """A suite for equivalence by the H-method that contains known words over the numbers of inputs (``h_beside``).

    None where it is too large. Needs: a deterministic, complete machine.
    """
    prepared = prepare(fsm)
    table, method = prepared.table, equivalence_method("h")
    words = h_beside(table, known, extra_states=extra_states)
    if words is None:
        return None
    return FiniteSuite(
        words=words,
        method=method.name,
        states=table.states,
        guarantee=equivalence_guarantee(method, states=table.states, extra_states=extra_states),
        notes=prepared.notes,
    )


def _nondeterministic(fsm: Fsm, request: SuiteRequest, *, extra_states: int, at: Place) -> FiniteSuite:
    _require_method(request, "wp", "equivalence of nondeterministic machines", at=at)
    machine, notes = observable_machine(fsm)
    return FiniteSuite(
        words=generalised_wp(machine, extra_states=extra_states),
        method="wp",
        states=machine.states,
        guarantee=generalised_wp_guarantee(states=machine.states, extra_states=extra_states),
        notes=notes,
    )


def _by_counting(
    fsm: Fsm, request: SuiteRequest, relation: Relation, *, extra_states: int, at: Place, why: str = ""
) -> FiniteSuite:
    """``why`` the model has no other method: a refusal for its size says so."""
    partial = relation is Relation.EQUIVALENCE
    what = "equivalence of partial machines" if partial else relation.value
    _require_method(request, "counting", what, at=at)
    machine, notes = observable_machine(fsm)
    if relation is Relation.REDUCTION and any(len(row) < machine.inputs for row in machine.after):
        raise UserError(
            "reduction is tested for complete models, since a system may refuse what a partial model demands; "
            "use --relation quasi-reduction or strong-reduction",
            at=at,
        )
    grey = relation in GREY_BOX
    chosen = (request.distinguish or Distinguish.RD1) if grey else Distinguish.RD3
    cheaper = [v for v in (Distinguish.RD1, Distinguish.RD2) if grey and chosen is Distinguish.RD3]
    answers = Answers.ALL if relation in ALL_ANSWERS else Answers.SOME
    try:
        words = counting(machine, extra_states=extra_states, distinguish=chosen, answers=answers, instead=cheaper)
    except UserError as error:
        hint = f"; {why or 'an input whose outputs distinguish more states would help'}"
        if relation not in ALL_ANSWERS:
            hint = "; run --adaptive needs no suite, it tries what the answers of one system make necessary"
        raise CountingRefused(error.message + hint, at=at) from None
    size = {"states": machine.states, "extra_states": extra_states}
    if partial:
        notes = (*notes, *([f"{why}, which makes suites large"] if why else []), PARTIAL)
    if partial and all(len(given) == 1 for row in machine.after for given in row.values()):
        guarantee = quasi_equivalence_guarantee(None, **size)
    elif relation in ALL_ANSWERS:
        guarantee = counting_equivalence_guarantee(relation, chosen, **size)
    else:
        guarantee = counting_guarantee(relation, chosen, **size)
    return FiniteSuite(words=words, method="counting", states=machine.states, guarantee=guarantee, notes=notes)


def observable_machine(fsm: Fsm) -> tuple[Responses, tuple[str, ...]]:
    """The observable prime machine, and what was done to get there."""
    before = relation_table(fsm)
    smallest = prime(observable(before).relation).relation
    notes = []
    if smallest.states != before.states:
        notes.append(
            f"the model was made observable and minimal: {before.states} -> {counted(smallest.states, 'state')}"
        )
    return responses(smallest), tuple(notes)


def _require_method(request: SuiteRequest, name: str, what: str, *, at: Place) -> None:
    if request.method not in ("auto", name):
        raise UserError(f"method {request.method!r} is not for {what}; use {name!r} or 'auto'", at=at)
    if request.domain is not StateDomain.STATES:
        raise UserError(f"--domain {request.domain.value} is for deterministic machines, not for {what}", at=at)
