"""Completeness for partial and nondeterministic models: no observable machine within the bound passes and differs."""

from __future__ import annotations

from collections.abc import Sequence

from fullproof.artefacts.request import ALL_ANSWERS, GREY_BOX, Relation
from fullproof.certify.answers import (
    Certificate,
    Complete,
    Evidence,
    Incomplete,
    Open,
    ProofEngine,
    Proved,
    UndecidedCompleteness,
    word_text,
)
from fullproof.certify.applied_tests import applied_tests
from fullproof.certify.letter_encoding import LetterEncoding
from fullproof.certify.machine import Word
from fullproof.certify.observable import (
    TraceMachine,
    named_machine,
    passes_suite,
    trace_difference,
    trace_machine,
)
from fullproof.certify.observers import ConformanceObserver, goes_wrong
from fullproof.certify.watched_solver import TimeUp, WatchedSolver
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Bug
from fullproof.model.fsm import Fsm
from fullproof.smt.sat import SatSolver, open_sat_solver
from fullproof.smt.sat_answers import Contradiction, OutOfTime, SatAssignment


def certify_observable(
    fsm: Fsm, words: Sequence[Word], relation: Relation, *, extra_states: int, timeout: float
) -> Certificate:
    """Decide whether a suite is complete for a relation to a machine that may be partial and nondeterministic.

    Guarantee: *complete* means that every observable machine with at most ``extra_states`` states more than the
    smallest observable form of the model that passes the suite, all its answers being seen, conforms to the model.
    For reductions, machines are completely specified; for equivalence to a deterministic model, deterministic.
    *Incomplete* comes with such a machine that does not conform, verified. Needs for reductions: a complete model.
    """
    model = trace_machine(fsm)
    if relation is Relation.REDUCTION and not model.is_complete:
        return UndecidedCompleteness(reason="reductions are decided for complete models, and this one is partial")
    answer = search_observable(model, words, relation, bound=model.states + extra_states, deadline=Deadline(timeout))
    match answer:
        case Proved(reason, evidence):
            return Complete(method=ProofEngine.EXACT, reason=reason, evidence=evidence)
        case Open(reason):
            return UndecidedCompleteness(reason=reason)
        case survivor:
            return _incomplete(fsm, model, survivor, relation)


def search_observable(
    model: TraceMachine, words: Sequence[Word], relation: Relation, *, bound: int, deadline: Deadline
) -> Proved | TraceMachine | Open:
    """Look for an observable machine with at most ``bound`` states that passes a suite and does not conform.

    Needs: the smallest observable form of the model; for reductions, a complete one.
    """
    solver: SatSolver = WatchedSolver(open_sat_solver(), deadline)
    try:
        encoding = LetterEncoding(applied_tests(model, words, relation), bound, solver)
        _any_machine(encoding)
        observer = ConformanceObserver(model, relation)
        goes_wrong(encoding, observer)
        while True:
            match solver.solve(seconds=deadline.left()):
                case Contradiction():
                    return Proved(_proved(relation, bound), Evidence(()))
                case OutOfTime():
                    return Open(f"the exact engine did not end within {deadline.seconds:g} s")
                case SatAssignment() as found:
                    machine = encoding.decode(found)
                    if observer.sees(machine) is not None:
                        return _verified(machine, model, words, relation, bound)
                    encoding.forbid_circle(encoding.circle(found))
    except TimeUp:
        return Open(f"the exact engine could not encode its query within {deadline.seconds:g} s")


def _any_machine(encoding: LetterEncoding) -> None:
    """Any observable machine. It is complete where the relation does not refer to enabled inputs: to refuse an input is
    no better than to answer wrongly. It is deterministic where the model is and all answers are demanded.
    """
    single = encoding.relation in ALL_ANSWERS and encoding.model.is_deterministic
    for t in range(encoding.bound):
        for cell in encoding.model.cells:
            answers = [encoding.has[t, letter] for letter in cell]
            if encoding.relation not in GREY_BOX:
                encoding.solver.add_clause(answers)
            if single:
                encoding.at_most_one(answers)


def _proved(relation: Relation, bound: int) -> str:
    return (
        f"no observable machine with at most {counted(bound, 'state')} passes the suite and is not "
        f"{conforming(relation)}: decided exactly"
    )


def conforming(relation: Relation) -> str:
    """What a machine that conforms is."""
    name = relation.value.replace("strong-", "strong ")
    return f"{name.removesuffix('ce')}t" if relation in ALL_ANSWERS else f"a {name}"


def _verified(
    machine: TraceMachine, model: TraceMachine, words: Sequence[Word], relation: Relation, bound: int
) -> TraceMachine:
    """The machine, after a check that it passes: neither the solver nor the encoding is trusted here."""
    if machine.states > bound:
        raise Bug(f"a survivor has {machine.states} states, more than {bound}")
    if not passes_suite(model, machine, words, relation):
        raise Bug("a survivor fails the suite")
    return machine


def _incomplete(fsm: Fsm, model: TraceMachine, survivor: TraceMachine, relation: Relation) -> Incomplete:
    witness = trace_difference(model, survivor, relation)
    if witness is None:
        raise Bug("a survivor conforms to the model")
    width = len(fsm.outputs) + 1
    word = tuple(fsm.inputs[letter // width] for letter in witness)
    states = counted(survivor.states, "state")
    return Incomplete(
        survivor=named_machine(survivor, fsm),
        witness=word,
        reason=f"an observable machine with {states} passes and is not {conforming(relation)} after "
        f"{word_text(word)} (found by exact search)",
    )
