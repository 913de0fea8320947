"""Decides whether a suite is complete for a fault domain with timers."""

from __future__ import annotations

from collections.abc import Iterable

from fullproof.certify.answers import (
    Certificate,
    Complete,
    Evidence,
    Incomplete,
    Open,
    ProofEngine,
    UndecidedCompleteness,
)
from fullproof.certify.mutation_machine import size_text
from fullproof.certify.timed_domain import TimedDomain
from fullproof.certify.timed_instants import before_races
from fullproof.certify.timed_member import MemberRuns, TimedWord
from fullproof.certify.timed_oracle import TimedNeeded, TimedOracle, TimedSurvivor
from fullproof.certify.timed_suite import maximal_words
from fullproof.core.budget import Budget
from fullproof.core.deadline import Deadline
from fullproof.language.durations import duration_to_text

_LONGEST = 1_000
"""How many times the shortest time of the model a delay may last: members are executed expiry by expiry."""


def certify_timed_domain(domain: TimedDomain, words: Iterable[TimedWord], *, seconds: float) -> Certificate:
    """Decide whether every member of the domain that answers all tests as the model does is equivalent to it.

    Equivalent means: on all runs that keep the margin. Guarantee: *incomplete* names a member that passes and differs,
    and a test that it fails, both verified by executing them. What a test has behind a race of the model's timers does
    not count: a system may answer it in several ways. A test that waits very long makes the answer *unknown*.
    """
    runs, words = MemberRuns(domain), list(words)
    longest = max((-symbol for word in words for symbol in word), default=0)
    if longest > _LONGEST * min(domain.durations, default=longest):
        text = duration_to_text(domain.seconds(longest))
        return UndecidedCompleteness(
            reason=f"a test waits for {text}, more than {_LONGEST:,} times the shortest time of the model"
        )
    suite = maximal_words(before_races(runs, word) for word in words)
    match TimedOracle(domain).ask(suite, effort=Budget(None, Deadline(seconds))):
        case TimedNeeded():
            reason = f"none of {size_text(domain.size())} of the fault domain passes the suite and differs: decided "
            return Complete(
                method=ProofEngine.EXACT, reason=f"{reason}exactly over all real delays", evidence=Evidence(())
            )
        case TimedSurvivor(member, killer):
            reason = f"found by exact search; wrong: {domain.text(member)}"
            return Incomplete(survivor=None, witness=_texts(domain, killer), reason=reason)
        case Open(reason):
            return UndecidedCompleteness(reason=reason)


def _texts(domain: TimedDomain, word: TimedWord) -> tuple[str, ...]:
    """A test in words."""
    inputs = domain.machine.inputs
    return tuple(inputs[s] if s >= 0 else f"wait {duration_to_text(domain.seconds(-s))}" for s in word)
