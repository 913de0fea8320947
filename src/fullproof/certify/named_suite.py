"""Suites for named faults, by counterexamples: while a machine of the domain survives, a test is added that catches it.

The last answer, that none is left, is the proof. Where walks verify each transition, the search starts with them. Then
the suite is trimmed as ``shrink`` does.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fullproof.certify.answers import Open
from fullproof.certify.exact import Survivor
from fullproof.certify.machine import Word
from fullproof.certify.mutation_machine import MutationMachine
from fullproof.certify.oracle import Needed
from fullproof.certify.single_faults import enough_of
from fullproof.certify.submachines import SMALLER, SubmachineOracle
from fullproof.certify.tree import maximal
from fullproof.certify.verified_walk import verified_walks
from fullproof.certify.watched_solver import TimeUp
from fullproof.certify.workshop import Workshop
from fullproof.core.budget import Budget, OutOfRoom
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Bug

_STEPS = 20_000_000
"""Steps of the solver and of other work in the same unit: about a minute."""
_SEARCHED = 60
"""States up to which cheaper suites are searched for a single fault; beyond, a known suite loses what it need not have.
"""
_WALKS = (20, 60, 60, 150, 150, 150)
"""The care of the walks that are tried, each with other choices among equals."""
_WALKS_SHARE = 0.3
"""The part of the budget for them."""
_CHECK_SHARE = 0.2
"""The part of the budget that is kept for the last check."""


@dataclass(frozen=True, slots=True)
class NamedSuite:
    """A suite for a named fault domain; ``undecided`` says why it is not known to be complete, or is empty.

    ``note``: why a complete suite was not trimmed, or not to the end.
    """

    words: tuple[Word, ...]
    undecided: str
    note: str = ""


def named_suite(
    domain: MutationMachine,
    first: Collection[Word] | None = None,
    *,
    clock: Deadline | None = None,
    reset_cost: float = 1.0,
    seed: int = 0,
) -> NamedSuite:
    """Make a suite that every machine of the domain fails unless it is equivalent to the model.

    ``first``: a suite that is known to be complete for the domain, such as one for all machines with as many states.
    Guarantee: complete for the domain where ``undecided`` is empty: every suite that replaces the first one was decided
    to be so, and the last one is decided once more by a fresh solver where the budget allows it. For a single fault in
    a large model, all machines of the domain are tried instead. A first suite stays as it is where there is no time or
    no room to trim it; without one, an OutOfRoom where the domain is too large for the solver.
    """
    single = domain.at_most == 1 and not domain.extra and not domain.parts
    if first is not None and single and domain.states > _SEARCHED:
        try:
            kept, complete = enough_of(domain, maximal(first), clock)
        except TimeUp:
            return NamedSuite(tuple(maximal(first)), "", "the suite was not trimmed: the time was up")
        if not complete:
            raise Bug("a machine of the domain survives a suite for a larger one")
        return NamedSuite(tuple(kept), "")
    effort = Budget(_STEPS, clock)
    first = _cheapest(domain, first, reset_cost=reset_cost, seed=seed, effort=effort.share(_WALKS_SHARE))
    known = () if first is None else tuple(maximal(first))
    try:
        words, grown = _worked_out(domain, known, reset_cost=reset_cost, seed=seed, effort=effort)
    except TimeUp:
        if first is not None:
            return NamedSuite(known, "", f"the suite was not trimmed: {effort.reason}")
        words, grown = (), False
    except OutOfRoom as error:
        if first is None:
            raise
        return NamedSuite(known, "", f"the suite was not trimmed: {error.message}")
    answer = _checked(domain, words, effort)
    if not grown and not isinstance(answer, Needed):
        why = effort.reason if effort.is_over else f"there is no room for it; {SMALLER}"
        return NamedSuite(words, f"the suite could not be completed: {why}")
    if isinstance(answer, Survivor):
        raise Bug("a suite was trimmed too far: a machine survives that the incremental search missed")
    note = f"the suite was not trimmed to the end: {effort.reason}" if effort.was_cut else ""
    return NamedSuite(words, "", note)


def _worked_out(
    domain: MutationMachine, known: tuple[Word, ...], *, reset_cost: float, seed: int, effort: Budget
) -> tuple[tuple[Word, ...], bool]:
    """A cheaper suite than the known one, or one from nothing; and whether it is complete."""
    effort = effort.share(1 - _CHECK_SHARE)
    oracle = SubmachineOracle(domain, deadline=effort.clock)
    work = Workshop(oracle, reset_cost=reset_cost, effort=effort, seed=seed)
    if not known:
        complete = work.create()
        return tuple(work.best), complete
    work.improve(known)
    return tuple(work.best), True


def _checked(domain: MutationMachine, words: tuple[Word, ...], effort: Budget) -> Needed | Survivor | Open:
    """The answer of a fresh solver."""
    try:
        return SubmachineOracle(domain, deadline=effort.clock).ask(words, effort=effort)
    except TimeUp:
        return Open(effort.reason)


def _cheapest(
    domain: MutationMachine, first: Collection[Word] | None, *, reset_cost: float, seed: int, effort: Budget
) -> Collection[Word] | None:
    """The cheapest complete suite to start with: the given one, or walks that verify each transition."""

    def cost(words: Collection[Word]) -> float:
        return sum(map(len, words)) + reset_cost * len(words)

    known = [] if first is None else [maximal(first)]
    for k, care in enumerate(_WALKS):
        found = verified_walks(domain, reset_cost=reset_cost, seed=seed + k, care=care, effort=effort)
        if found is None:
            break
        known.append(found)
    return min(known, key=cost, default=None)
