"""Decides whether a suite is complete for a fault domain by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence

from fullproof.certify.answers import (
    Certificate,
    Complete,
    Evidence,
    Open,
    ProofEngine,
    UndecidedCompleteness,
)
from fullproof.certify.checker import certify, incomplete, numbered
from fullproof.certify.machine import Word, minimal, obstacle
from fullproof.certify.mutation_machine import MutationMachine, mutation_machine, size_text, with_former_states
from fullproof.certify.oracle import Needed
from fullproof.certify.submachines import SubmachineOracle, SubmachineSurvivor
from fullproof.certify.tree import maximal
from fullproof.certify.watched_solver import TimeUp
from fullproof.core.budget import Budget, OutOfRoom
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline
from fullproof.model.fsm import Fsm
from fullproof.model.named_faults import NamedFaults

_SHARE = 0.2
"""The part of the time for conditions that suffice; the rest is for the exact answer."""


def certify_named(
    fsm: Fsm, words: Iterable[Sequence[str]], faults: NamedFaults, *, extra_states: int, timeout: float
) -> Certificate:
    """Decide whether every machine of the domain that answers all tests as the model does is equivalent to it.

    Guarantee: *incomplete* comes with a machine of the domain that passes and differs, verified. Needs: a complete
    deterministic model; for others the answer is unknown. A suite that is known to be complete for all machines with as
    many states needs no solver.
    """
    suite, deadline = maximal(numbered(fsm, words)), Deadline(timeout)
    hindrance = obstacle(fsm)
    if hindrance is not None:
        return UndecidedCompleteness(reason=hindrance)
    domain = mutation_machine(fsm, faults, extra=extra_states)
    proof = _for_all_machines(fsm, suite, domain, timeout * _SHARE)
    if proof is not None:
        return proof
    whole = with_former_states(fsm, faults)
    return decided(whole, lambda until: SubmachineOracle(domain, deadline=until), suite, timeout=deadline.left())


def _for_all_machines(fsm: Fsm, suite: Sequence[Word], domain: MutationMachine, seconds: float) -> Complete | None:
    """The proof that a suite is complete for every machine with as many states as those of a domain; None without one.

    Only conditions are tried that need no solver and little time.
    """
    further = domain.states - minimal(domain.model).states
    words = [[fsm.inputs[i] for i in word] for word in suite]
    cheap = (ProofEngine.K_A,) if further else (ProofEngine.K_A, ProofEngine.WINDOWS)
    found = certify(fsm, words, extra_states=further, timeout=seconds, methods=cheap)
    if not isinstance(found, Complete):
        return None
    states = counted(domain.states, "state")
    return dataclasses.replace(found, reason=f"complete for all machines with at most {states}: {found.reason}")


def decided(
    fsm: Fsm, oracle_until: Callable[[Deadline], SubmachineOracle], suite: Sequence[Word], *, timeout: float
) -> Certificate:
    """The answer of an oracle, in the names of the machine that its domain is over; unknown where it has no room."""
    deadline = Deadline(timeout)
    try:
        oracle = oracle_until(deadline)
    except OutOfRoom as error:
        return UndecidedCompleteness(reason=error.message)
    except TimeUp:
        return UndecidedCompleteness(reason=f"the fault domain was not encoded within {timeout:g} s")
    match oracle.ask(suite, effort=Budget(None, deadline)):
        case Needed():
            size = size_text(oracle.domain.size())
            reason = f"none of {size} of the fault domain passes the suite and differs: decided exactly"
            return Complete(method=ProofEngine.EXACT, reason=reason, evidence=Evidence(()))
        case SubmachineSurvivor(machine, wrong):
            names = (fsm.initial, *(s for s in fsm.states if s != fsm.initial))
            named = [(names[s] if s < len(names) else "a former state", i) for s, i in wrong]
            where = ", ".join(f"{s} --{fsm.inputs[i]}-->" for s, i in named[:5])
            more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
            return incomplete(fsm, oracle.model, machine, f"found by exact search; wrong: {where}{more}")
        case Open(reason):
            return UndecidedCompleteness(reason=reason)
