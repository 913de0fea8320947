"""Random partial deterministic machines by a seed, connected, with pairwise separable states."""

from __future__ import annotations

import random

import numpy as np

from fullproof.analysis.covers import state_cover
from fullproof.analysis.minimise import prime
from fullproof.analysis.separation import separation
from fullproof.analysis.table import Table, relation_table
from fullproof.model.fsm import Fsm, FsmTransition


def _drawn(draw: random.Random, states: int, inputs: int, outputs: int, gaps: float) -> Table:
    """A machine in which about ``gaps`` of all inputs are undefined."""
    cells = states * inputs
    undefined = np.array([draw.random() < gaps for _ in range(cells)])
    target = np.array([draw.randrange(states) for _ in range(cells)], dtype=np.int32)
    output = np.array([draw.randrange(outputs) for _ in range(cells)], dtype=np.int32)
    target[undefined] = output[undefined] = -1
    return Table(states=states, inputs=inputs, outputs=outputs, target=target, output=output)


def partial_machine(draw: random.Random, *, states: int, inputs: int, outputs: int, gaps: float) -> Table:
    """Draw until at least one input is undefined somewhere, all states are reached, and all pairs separable."""
    while True:
        table = _drawn(draw, states, inputs, outputs, gaps)
        undefined = table.target < 0
        rows = undefined.reshape(states, inputs)
        if not undefined.any() or rows.all(axis=1).any() or len(state_cover(table).order) < states:
            continue
        if separation(table).total:
            return table


def merging_machine(draw: random.Random, *, states: int, inputs: int, outputs: int, gaps: float) -> Table:
    """Draw until all states are reached, none are equivalent, and one to ``states`` pairs are inseparable.

    Of such a pair each state defines an input that the other one does not, or leads to such a pair.
    """
    while True:
        table = _drawn(draw, states, inputs, outputs, gaps)
        undefined = table.target < 0
        if undefined.all() or len(state_cover(table).order) < states:
            continue
        if not 0 < separation(table).inseparable <= states:
            continue
        if prime(relation_table(fsm_of_table(table))).relation.states == states:
            return table


def sparse_machine(draw: random.Random, *, states: int, inputs: int, outputs: int, gaps: float) -> Table:
    """Draw a machine with many states and gaps, and define further inputs until all pairs of states are separable.

    Nearly every machine of such a size has states without a common input: ``partial_machine`` would draw for ever.
    """
    while True:
        cells = states * inputs
        full_target = np.array([draw.randrange(states) for _ in range(cells)], dtype=np.int32)
        full_output = np.array([draw.randrange(outputs) for _ in range(cells)], dtype=np.int32)
        undefined = np.array([draw.random() < gaps for _ in range(cells)])
        for _ in range(cells):
            target, output = (np.where(undefined, -1, full).astype(np.int32) for full in (full_target, full_output))
            table = Table(states=states, inputs=inputs, outputs=outputs, target=target, output=output)
            pairs = separation(table).inseparable_pairs(1)
            if undefined.any() and not pairs and len(state_cover(table).order) == states:
                return table
            for state in pairs[0] if pairs else range(states):
                undefined[state * inputs + draw.randrange(inputs)] = False


def fsm_of_table(table: Table, *, name: str = "partial") -> Fsm:
    """The same machine as a model."""
    cells = np.flatnonzero(table.target >= 0).tolist()
    return Fsm(
        name=name,
        initial="s0",
        states=tuple(f"s{k}" for k in range(table.states)),
        inputs=tuple(f"i{k}" for k in range(table.inputs)),
        outputs=tuple(f"o{k}" for k in range(table.outputs)),
        transitions=tuple(
            FsmTransition(f"s{c // table.inputs}", f"i{c % table.inputs}", f"o{table.output[c]}", f"s{table.target[c]}")
            for c in cells
        ),
    )
