"""The methods for symbolic machines by name, and ``auto``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from fullproof.artefacts.guarantee import Theorem
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import SuiteDomain
from fullproof.core.errors import UserError
from fullproof.core.suggest import all_of
from fullproof.generate.finite.auto import cost_of
from fullproof.generate.symbolic import general
from fullproof.generate.symbolic.abstraction import for_equivalence, for_properties, hp
from fullproof.generate.symbolic.guarantee import (
    ABSTRACTION,
    GENERAL,
    LOCAL,
    SEPARABLE,
    Claim,
    ExpressionDomain,
    guarantee,
)
from fullproof.kinds.sfsm.claimed import claimed_domain
from fullproof.kinds.sfsm.local_domain import (
    excluded_hypothesis,
    families_of,
    further_hypotheses,
    local_forms,
    needs_local,
    never_of,
)
from fullproof.kinds.sfsm.method_suite import MethodSuite, NotApplicable
from fullproof.kinds.sfsm.question import (
    CELLS_ALONE,
    TIMEOUT,
    Question,
    by_equivalence,
    minimal_notes,
    no_answer,
    undecided_notes,
)
from fullproof.language.printer import to_text
from fullproof.language.safety import offending_operator
from fullproof.language.types import Value
from fullproof.model.common import Pairs

_EACH = 10.0
"""Seconds that stand for the solver's steps of one question."""


def answer(question: Question) -> MethodSuite:
    """A suite by the requested method; ``auto`` tries all and keeps the cheapest."""
    name = question.request.method
    if name == "auto":
        return _auto(question)
    if name not in _METHODS:
        raise UserError(f"unknown method {name!r} for an sfsm{all_of(name, [*_METHODS, 'auto'])}", at=question.at)
    made = _made(name, question)
    if isinstance(made, NotApplicable):
        raise UserError(f"method {name!r} does not apply: {made.reason}", at=question.at)
    return made


def _made(name: str, question: Question) -> MethodSuite | NotApplicable:
    """A suite by one method. A suite for properties never costs more than the one for equivalence, which implies
    them.
    """
    made = _METHODS[name](question)
    if question.relation is not Relation.PROPERTY or isinstance(made, NotApplicable) or name in CELLS_ALONE:
        return made  # methods without propositions show equivalence in any case
    equal = _METHODS[name](by_equivalence(question))
    if isinstance(equal, NotApplicable):
        return made
    costs = [cost_of(suite.words, reset_cost=question.request.reset_cost) for suite in (equal, made)]
    if costs[0] >= costs[1]:
        return made
    note = (
        f"the suite for equivalence, which implies the properties, is smaller ({costs[0]:,.0f} beside {costs[1]:,.0f})"
    )
    return dataclasses.replace(equal, notes=(*equal.notes, note))


def _auto(question: Question) -> MethodSuite:
    """The cheapest suite whose guarantee covers the question; notes say what the others would have cost.

    A suite without undecided formulas is preferred to one with some.
    """
    best: tuple[tuple[bool, float], MethodSuite] | None = None
    said = []
    for name in _METHODS:
        if name == "local" and not needs_local(question.fault_domain) and question.fault_domain.pairs is Pairs.ALL:
            continue  # its systems use guards unchanged, those of the other methods combine them
        try:
            made = _made(name, question)
        except UserError as error:
            made = NotApplicable(error.message)
        if isinstance(made, NotApplicable):
            said.append(f"{name} does not apply: {made.reason}")
            continue
        cost = cost_of(made.words, reset_cost=question.request.reset_cost)
        said.append(f"{name} costs {cost:,.0f} (inputs plus resets)")
        rank = (bool(made.domain.undecided), cost)
        if best is None or rank < best[0]:
            best = (rank, made)
    if best is None:
        raise UserError("no method applies: " + "; ".join(said), at=question.at)
    notes = (*best[1].notes, "auto: " + "; ".join(said))
    if needs_local(question.fault_domain):
        return dataclasses.replace(best[1], notes=notes)
    return dataclasses.replace(best[1], notes=notes, classes=len(question.machine.classes.classes))


def _general(question: Question) -> MethodSuite | NotApplicable:
    if needs_local(question.fault_domain):
        return _for_local(question)
    letters, extra = question.letters, question.extra_states
    notes: tuple[str, ...] = ()
    match question.relation:
        case Relation.REDUCTION | Relation.QUASI_REDUCTION:
            words = general.reductions(letters, extra_states=extra)
            cited = f"{GENERAL}, section 5.2, and Sachtleben and Peleska 2022, rd3"
            theorem = Theorem("state counting on classes", (cited,))
        case Relation.PROPERTY:
            kinds, notes = _kinds(question)
            words = general.properties(letters, extra_states=extra, kinds=kinds)
            theorem = Theorem("Table 2.4", (f"{GENERAL}, Theorem 3",))
        case _ if question.is_partial:
            words = general.quasi_equivalence(letters, extra_states=extra)
            cited = f"{GENERAL}, section 5.2, and Sachtleben and Peleska 2022, section 5.9, rd3"
            theorem = Theorem("state counting on classes", (cited,))
        case _:
            words = general.conformance(letters, extra_states=extra)
            theorem = Theorem("Table 5.1", (f"{GENERAL}, Corollary 1",))
    return MethodSuite(
        method="general",
        inputs=question.inputs,
        words=words,
        states=letters.states,
        guarantee=guarantee(_claim(question, partial=question.is_partial), _domain(question), theorem),
        domain=_claimed(question, _domain(question)),
        classes=len(question.machine.classes.classes),
        notes=(*undecided_notes(question.machine.classes.undecided), *notes),
        serves=_alike(question, range(len(question.inputs))),
    )


def _alike(question: Question, positions: Sequence[int]) -> Callable[[int, Mapping[str, Value]], bool]:
    """Whether an input has the classes of a representative; ``positions`` are those of the representatives."""
    from fullproof.abstract.alike import AlikeInputs

    classes = question.machine.classes
    alike = AlikeInputs(question.model, classes)
    return lambda number, point: alike(classes.representatives[positions[number]], point)


def _kinds(question: Question) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The classes of states whose omega-abstractions must be distinguished."""
    from fullproof.abstract.omega import preserving_omega

    try:
        omega = preserving_omega(question.machine)
    except UserError as error:  # with all states distinguished the suite proves equivalence, and so every property
        return tuple(range(question.letters.states)), (f"{error.message}, so that all states are distinguished",)
    kinds = tuple(omega.blocks[members] for members in question.letters.members)
    if not omega.added:
        return kinds, ()
    texts = ", ".join(to_text(expression) for expression in omega.added)
    return kinds, (f"the propositions do not preserve states; these were added to them: {texts}",)


def _separable(question: Question) -> MethodSuite | NotApplicable:
    from fullproof.abstract.budget import steps_for
    from fullproof.abstract.cells import guard_cells, rounder_inputs
    from fullproof.analysis.symbolic.completeness import Unanswered, unanswered
    from fullproof.concretise.distinguishing_function import concrete_words, varied_words
    from fullproof.generate.symbolic.distinguishing_inputs import distinguishing_function
    from fullproof.generate.symbolic.finite_words import equivalence_words, is_deterministic, reduction_words
    from fullproof.generate.symbolic.pairs import Unknowns, over_pairs, pair_alphabet
    from fullproof.generate.symbolic.separability import Distinguishing, NotSeparable

    if needs_local(question.fault_domain):
        return _for_local(question)
    if question.relation is Relation.QUASI_REDUCTION:
        return _for_general(question.relation.value)
    request, timeout = question.request, _EACH
    gap = unanswered(question.model, timeout=timeout)
    if isinstance(gap, Unanswered):
        raise no_answer(gap.state, gap.inputs, question.relation, at=question.at)
    excluded = [(pair.guard, pair.output) for pair in question.fault_domain.excluded]
    guards = tuple(dict.fromkeys((*question.alphabet.guards, *(guard for guard, _ in excluded))))
    refined = dataclasses.replace(question.alphabet, guards=guards)
    cells = guard_cells(question.model, refined, budget=steps_for(TIMEOUT, timeout=request.timeout))
    for unknowns in Unknowns:
        alphabet = pair_alphabet(question.model, cells, excluded=excluded, unknowns=unknowns, timeout=timeout)
        chosen = distinguishing_function(
            question.model, alphabet, seed=request.seed, timeout=timeout, beside=rounder_inputs(question.model)
        )
        if isinstance(chosen, Distinguishing) or not alphabet.doubts:
            break
    if isinstance(chosen, NotSeparable):
        return NotApplicable(chosen.text())
    machine = over_pairs(question.model, alphabet)
    if machine.undefined() is not None:
        return NotApplicable("some state has no answer under some of the refined guards")
    if chosen.near is not None and not is_deterministic(machine):
        return NotApplicable(chosen.near.text())  # the judge would continue after transitions that were not taken
    loose = question.relation is Relation.REDUCTION
    finite_words = reduction_words if loose else equivalence_words
    symbolic, theorem, notes = finite_words(machine, request, extra_states=question.extra_states)
    letters = [alphabet.of_cell(cell) for cell in range(len(alphabet.cells))]
    words = concrete_words(symbolic, guards=letters, chosen=chosen.chosen, after=machine.after)
    inputs = chosen.inputs
    if chosen.ways:
        words = varied_words(words, ways=[len(way) for way in chosen.ways], seed=request.seed)
        inputs = tuple(chain.from_iterable(chosen.ways))
    domain = ExpressionDomain(
        alphabet=question.alphabet,
        undecided=(*alphabet.undecided, *gap),
        states=machine.states,
        extra_states=question.extra_states,
        deterministic=is_deterministic(machine) and not loose,
        tolerant=any(v.tolerance for v in question.model.outputs),
        assumptions=question.model.assumptions,
        margin=chosen.margin,
        further=excluded_hypothesis(question.fault_domain),
        never=never_of(question.fault_domain),
    )
    if request.method in CELLS_ALONE:
        notes = (*minimal_notes(question.model, machine.states), *notes)
    if chosen.near is not None:
        notes = (chosen.near.text(), *notes)
    return MethodSuite(
        method="separable",
        inputs=inputs,
        words=words,
        states=machine.states,
        guarantee=guarantee(_claim(question), domain, theorem.citing(_REDUCED if loose else f"{SEPARABLE}, Theorem 7")),
        domain=_claimed(question, domain),
        classes=len(alphabet.pairs),
        notes=(*undecided_notes(domain.undecided), *notes),
        serves=None if chosen.ways else chosen.serves,
    )


def _local(question: Question) -> MethodSuite | NotApplicable:
    from fullproof.abstract.cells import candidate_inputs
    from fullproof.analysis.symbolic.completeness import Unanswered, unanswered
    from fullproof.generate.symbolic.finite_words import equivalence_words
    from fullproof.generate.symbolic.local import local_abstraction
    from fullproof.generate.symbolic.polynomials import constants_for
    from fullproof.generate.symbolic.rows import NotSingle, rows_of
    from fullproof.generate.symbolic.witnesses import NotCovered

    if question.relation in (Relation.REDUCTION, Relation.QUASI_REDUCTION):
        return NotApplicable(f"it is for language equivalence, not for {question.relation.value}")
    model, request, timeout = question.model, question.request, _EACH
    gap = unanswered(model, timeout=timeout)
    if isinstance(gap, Unanswered):
        raise no_answer(gap.state, gap.inputs, question.relation, at=question.at)
    rows = rows_of(model, timeout=timeout)
    if isinstance(rows, NotSingle):
        return NotApplicable(rows.reason)
    degree = question.fault_domain.degree
    constants = () if degree is None else constants_for(model.outputs)
    forms = local_forms(rows, question.fault_domain, question.derived, constants)
    made = local_abstraction(rows, forms, degree=degree, candidates=candidate_inputs(model, forms.guards))
    if isinstance(made, NotCovered):
        return NotApplicable(made.reason)
    words, theorem, notes = equivalence_words(made.machine, request, extra_states=question.extra_states)
    if request.method in CELLS_ALONE or needs_local(question.fault_domain):
        notes = (*minimal_notes(model, made.machine.states), *notes)
    domain = ExpressionDomain(
        alphabet=dataclasses.replace(question.alphabet, guards=forms.guards),
        undecided=(*gap, *rows.undecided),
        states=made.machine.states,
        extra_states=question.extra_states,
        deterministic=True,
        tolerant=any(v.tolerance for v in model.outputs),
        assumptions=model.assumptions,
        further=further_hypotheses(model, question.fault_domain),
        families=families_of(question.fault_domain),
        never=(
            *never_of(question.fault_domain),
            *(("pairs: own",) if question.fault_domain.pairs is Pairs.OWN else ()),
        ),
    )
    return MethodSuite(
        method="local",
        inputs=made.inputs,
        words=words,
        states=made.machine.states,
        guarantee=guarantee(_claim(question), domain, theorem.citing(LOCAL)),
        domain=_claimed(question, domain),
        classes=len(forms.pairs),
        notes=(*undecided_notes(domain.undecided), *notes),
    )


def _for_local(question: Question) -> NotApplicable:
    return NotApplicable(f"{needs_local(question.fault_domain)} are covered by method local alone")


def _for_general(what: str) -> NotApplicable:
    return NotApplicable(f"{what} is covered by method general alone")


def _abstraction(question: Question) -> MethodSuite | NotApplicable:
    from fullproof.generate.symbolic.determinism import output_choice

    if needs_local(question.fault_domain):
        return _for_local(question)

    if question.relation in (Relation.REDUCTION, Relation.QUASI_REDUCTION):
        return NotApplicable(f"it is for properties and language equivalence, not for {question.relation.value}")
    if question.is_partial:
        return _for_general("equivalence to a partial model")
    choice = output_choice(question.model, timeout=_EACH)
    if choice is not None:
        return NotApplicable(choice.text())
    proving = question.relation is Relation.PROPERTY
    finite = for_properties(question.machine) if proving else for_equivalence(question.machine)
    notes = (
        ()
        if finite.preserving
        else ("the output abstraction does not preserve states, so that all states are distinguished",)
    )
    theorem = (
        Theorem("HP", (f"{ABSTRACTION}, Theorem 1",))
        if proving
        else Theorem("HP with all states apart", (f"{GENERAL}, Corollary 1",))
    )
    inputs = question.inputs
    return MethodSuite(
        method="abstraction",
        inputs=tuple(inputs[k] for k in finite.inputs),
        words=hp(finite, extra_states=question.extra_states),
        states=finite.machine.states,
        guarantee=guarantee(_claim(question), _domain(question), theorem),
        domain=_claimed(question, _domain(question)),
        classes=len(question.machine.classes.classes),
        notes=(*undecided_notes(question.machine.classes.undecided), *notes),
        serves=_alike(question, finite.inputs),
    )


def _claimed(question: Question, domain: ExpressionDomain) -> SuiteDomain:
    """The domain in the form of a suite's header."""
    names = tuple(p.name for p in question.properties)
    claimed = claimed_domain(domain, properties=names)
    doubts = tuple(f"whether the model satisfies {name}" for name in question.doubtful)
    return dataclasses.replace(claimed, undecided=(*claimed.undecided, *doubts))


def _claim(question: Question, *, partial: bool = False) -> Claim:
    names = tuple(p.name for p in question.properties)
    endless = tuple(p.name for p in question.properties if offending_operator(p.formula) is not None)
    return Claim(
        relation=question.relation, properties=names, doubtful=question.doubtful, endless=endless, partial=partial
    )


def _domain(question: Question) -> ExpressionDomain:
    return ExpressionDomain(
        alphabet=question.alphabet,
        undecided=question.machine.classes.undecided,
        states=question.letters.states,
        extra_states=question.extra_states,
        tolerant=any(v.tolerance for v in question.model.outputs),
        assumptions=question.model.assumptions,
    )


_REDUCED = f"{SEPARABLE}, and docs/proofs/separable-reduction.md"
_METHODS: dict[str, Callable[[Question], MethodSuite | NotApplicable]] = {
    "general": _general,
    "separable": _separable,
    "abstraction": _abstraction,
    "local": _local,
}
