"""Decides whether a suite is complete: runs the engines in the order of their cost and translates their answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fullproof.artefacts.request import Relation
from fullproof.certify.answers import (
    Certificate,
    Complete,
    Incomplete,
    Open,
    ProofEngine,
    Proved,
    UndecidedCompleteness,
    word_text,
)
from fullproof.certify.exact import Survivor, search, verified
from fullproof.certify.gaps import fault_in, gap
from fullproof.certify.k_a import k_a_complete
from fullproof.certify.machine import FlatMachine, Word, difference, minimal, name, obstacle, tabulate
from fullproof.certify.observable_exact import certify_observable
from fullproof.certify.transition_order import transitions_verified
from fullproof.certify.tree import WordTree, plant
from fullproof.certify.windows import windows_refuted
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Bug, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.model.fsm import Fsm

ALL_METHODS = (ProofEngine.K_A, ProofEngine.WINDOWS, ProofEngine.EXACT)


def certify(
    fsm: Fsm,
    words: Iterable[Sequence[str]],
    *,
    extra_states: int,
    timeout: float = 60.0,
    methods: Sequence[ProofEngine] = ALL_METHODS,
    relation: Relation = Relation.EQUIVALENCE,
) -> Certificate:
    """Decide whether a suite is complete for equivalence to a machine, or for another relation.

    Guarantee: *complete* means that every complete deterministic machine over the model's inputs with at most
    ``extra_states`` states more than the minimal form of the model, reset before each test, that answers every test as
    the model does, is equivalent to the model. *Incomplete* comes with such a machine that is not, verified.
    The model is minimised first. For other models and relations ``observable_exact`` decides, and says what it means.
    """
    if extra_states < 0:
        raise UserError(f"extra_states must be >= 0, got {extra_states}")
    suite = list(numbered(fsm, words))
    if relation is not Relation.EQUIVALENCE or obstacle(fsm) is not None:
        return certify_observable(fsm, suite, relation, extra_states=extra_states, timeout=timeout)
    model = minimal(tabulate(fsm))
    tree = plant(model, suite)
    deadline = Deadline(timeout)
    lacking = gap(model, tree, extra=extra_states)
    if lacking is not None:
        survivor = verified(fault_in(model, *lacking), model, tree, model.states + extra_states)
        return incomplete(fsm, model, survivor, "a word of inputs is applied in no test in some state")
    doubts = []
    for method in methods:
        match _ask(method, model, tree, extra_states, deadline):
            case Proved(reason, evidence):
                return Complete(method=method, reason=reason, evidence=evidence)
            case Survivor(machine):
                return incomplete(fsm, model, machine, "found by exact search")
            case Open(reason):
                doubts.append(reason)
    return UndecidedCompleteness(reason="; ".join(doubts))


def numbered(fsm: Fsm, words: Iterable[Sequence[str]]) -> Iterator[Word]:
    """The words as numbers of the model's inputs; an input that the model does not have is a UserError."""
    number = {symbol: k for k, symbol in enumerate(fsm.inputs)}
    for place, word in enumerate(words, start=1):
        try:
            yield tuple([number[symbol] for symbol in word])
        except KeyError as unknown:
            wrong = str(unknown.args[0])
            raise UserError(f"test {place}: unknown input {wrong!r}{did_you_mean(wrong, fsm.inputs)}") from None


def _ask(
    method: ProofEngine, model: FlatMachine, tree: WordTree, extra: int, deadline: Deadline
) -> Proved | Survivor | Open:
    match method:
        case ProofEngine.K_A:
            return k_a_complete(model, tree, extra=extra, deadline=deadline)
        case ProofEngine.WINDOWS if extra == 0:
            return transitions_verified(model, tree, deadline=deadline)
        case ProofEngine.WINDOWS:
            return windows_refuted(model, tree, extra=extra, deadline=deadline)
        case ProofEngine.EXACT:
            return search(model, tree, extra=extra, deadline=deadline)


def incomplete(fsm: Fsm, model: FlatMachine, survivor: FlatMachine, how: str) -> Incomplete:
    """The answer that a survivor, which was verified, makes; ``how`` says how it was found."""
    witness = difference(model, survivor)
    if witness is None:
        raise Bug("a survivor is equivalent to the model")
    word = tuple(fsm.inputs[i] for i in witness)
    return Incomplete(
        survivor=name(survivor, fsm),
        witness=word,
        reason=f"a machine with {counted(survivor.states, 'state')} passes and differs after {word_text(word)} ({how})",
    )
