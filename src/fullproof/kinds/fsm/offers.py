"""Single faults in what a finite machine offers: an input that a state lacks, or offers where it should not."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import GREY_BOX
from fullproof.kinds.suspects import FaultSuspect, SuspectFaults, in_parts
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

ANY_OUTPUT = "(any)"
"""Stands for the output of a transition that a system offers and nothing has taken."""


def offer_faults(model: Fsm, asked: SuspectFaults) -> Iterator[FaultSuspect]:
    """An input that a state does not offer and should, or the other way round.

    Where a relation leaves open what comes of undefined inputs, a machine that lacks an input would explain whatever
    follows it: hence ``_told``, which asks that the system lacks it there, too.
    """
    relation = asked.faults.relation
    defined = {t[:2] for t in model.transitions}
    offered = [symbol for trace in asked.failing for names in _offers_in(trace) for symbol in sorted(names)]
    inputs = tuple(dict.fromkeys((*model.inputs, *offered)))
    for state, symbol in product(model.states, inputs):
        is_missing = (state, symbol) in defined
        if is_missing:
            text = f"{symbol} missing in {state}"
            changed = tuple(t for t in model.transitions if t[:2] != (state, symbol))
        elif relation in GREY_BOX:
            text = f"{symbol} offered in {state}"  # what comes of it is not known: nothing has applied it
            changed = (*model.transitions, FsmTransition(state, symbol, ANY_OUTPUT, state))
        else:
            continue  # the relation allows it, or what the input is answered with is the fault
        outputs = tuple(dict.fromkeys((*model.outputs, ANY_OUTPUT)))
        mutant = dataclasses.replace(model, inputs=inputs, outputs=outputs, transitions=changed)
        fault = asked.changed(text, mutant, ("", symbol), relation)
        yield fault._replace(allows=partial(_fits, fault, mutant, (state, symbol), not is_missing))


def _fits(fault: FaultSuspect, machine: Fsm, cell: tuple[str, str], offers: bool, traces: Iterable[Execution]) -> bool:
    for part in in_parts(traces):
        told = [_told(machine, cell, offers, trace) for trace in part]
        if None in told or not fault.allows([trace for trace in told if trace is not None]):
            return False
    return True


def _told(machine: Fsm, cell: tuple[str, str], offers: bool, trace: Execution) -> Execution | None:
    """An execution up to where the machine takes the input that it should not have, of which nothing more is known.

    None where the input is offered, or not, against what is supposed, at a place where the machine is certainly there.
    """
    moves: dict[tuple[str, str, object], set[str]] = {}
    for t in machine.transitions:
        moves.setdefault((t.source, t.input, t.output), set()).add(t.target)
    state, symbol = cell
    here = {machine.initial}
    for number, step in enumerate(trace.steps):
        if here == {state} and step.enabled is not None and (symbol in step.enabled) != offers:
            return None
        if offers and state in here and step.input == symbol:
            return trace._replace(steps=tuple(trace.steps)[:number], enabled_at_end=step.enabled, error=None)
        here = {target for s in here for target in moves.get((s, str(step.input), step.output), ())}
    at_end = trace.enabled_at_end
    is_told = here != {state} or at_end is None or (symbol in at_end) == offers
    return trace if is_told else None


def _offers_in(trace: Execution) -> Iterator[frozenset[str]]:
    yield from (step.enabled for step in trace.steps if step.enabled is not None)
    if trace.enabled_at_end is not None:
        yield trace.enabled_at_end
