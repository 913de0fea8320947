"""Decides whether a suite is complete for a fault domain by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fullproof.certify.answers import (
    Certificate,
    Complete,
    Evidence,
    Open,
    ProofEngine,
    UndecidedCompleteness,
)
from fullproof.certify.checker import incomplete, numbered
from fullproof.certify.machine import Word, obstacle
from fullproof.certify.mutation_machine import mutation_machine, size_text
from fullproof.certify.oracle import Needed
from fullproof.certify.submachines import SubmachineOracle, SubmachineSurvivor
from fullproof.certify.tree import maximal
from fullproof.core.budget import Budget
from fullproof.core.deadline import Deadline
from fullproof.model.fsm import Fsm
from fullproof.model.named_faults import NamedFaults


def certify_named(
    fsm: Fsm, words: Iterable[Sequence[str]], faults: NamedFaults, *, extra_states: int, timeout: float
) -> Certificate:
    """Decide whether every machine of the domain that answers all tests as the model does is equivalent to it.

    Guarantee: *incomplete* comes with a machine of the domain that passes and differs, verified. Needs: a complete
    deterministic model; for others the answer is unknown.
    """
    suite = maximal(numbered(fsm, words))
    hindrance = obstacle(fsm)
    if hindrance is not None:
        return UndecidedCompleteness(reason=hindrance)
    oracle = SubmachineOracle(mutation_machine(fsm, faults, extra=extra_states))
    return decided(fsm, oracle, suite, timeout=timeout)


def decided(fsm: Fsm, oracle: SubmachineOracle, suite: Sequence[Word], *, timeout: float) -> Certificate:
    """The answer of an oracle, in the names of the machine that its domain is over."""
    match oracle.ask(suite, effort=Budget(None, Deadline(timeout))):
        case Needed():
            size = size_text(oracle.domain.size())
            reason = f"none of {size} of the fault domain passes the suite and differs: decided exactly"
            return Complete(method=ProofEngine.EXACT, reason=reason, evidence=Evidence(()))
        case SubmachineSurvivor(machine, wrong):
            names = (fsm.initial, *(s for s in fsm.states if s != fsm.initial))
            where = ", ".join(f"{names[s]} --{fsm.inputs[i]}-->" for s, i in wrong[:5])
            more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
            return incomplete(fsm, oracle.model, machine, f"found by exact search; wrong: {where}{more}")
        case Open(reason):
            return UndecidedCompleteness(reason=reason)
