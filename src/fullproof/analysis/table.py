"""Flat integer tables of finite machines: what every fast algorithm works on.

States, inputs and outputs are numbered in the order in which the model lists them, except that the initial state is
always state 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullproof.core.errors import UserError
from fullproof.model.fsm import Fsm

IntArray = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """A deterministic Mealy machine: row-major ``states x inputs`` arrays, -1 where undefined, initial state 0."""

    states: int
    inputs: int
    outputs: int
    target: IntArray
    output: IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RelationTable:
    """A machine that may be nondeterministic: the transitions of cell ``state * inputs + input`` are the entries
    ``start[cell]:start[cell + 1]`` of ``output`` and ``target``, sorted by output, then target; initial state 0.
    """

    states: int
    inputs: int
    outputs: int
    start: IntArray
    output: IntArray
    target: IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbering:
    """The names behind the numbers of a table."""

    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def numbering(fsm: Fsm) -> Numbering:
    """Number the names of a machine, initial state first."""
    states = (fsm.initial, *(s for s in fsm.states if s != fsm.initial))
    return Numbering(states=states, inputs=fsm.inputs, outputs=fsm.outputs)


def relation_table(fsm: Fsm) -> RelationTable:
    """Flatten any finite machine."""
    names = numbering(fsm)
    state = {s: k for k, s in enumerate(names.states)}
    symbol = {i: k for k, i in enumerate(names.inputs)}
    answer = {o: k for k, o in enumerate(names.outputs)}
    p = len(names.inputs)
    rows = np.array(
        [(state[t.source] * p + symbol[t.input], answer[t.output], state[t.target]) for t in fsm.transitions],
        dtype=np.int32,
    ).reshape(-1, 3)
    rows = rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))]
    start = np.zeros(len(names.states) * p + 1, dtype=np.int32)
    np.cumsum(np.bincount(rows[:, 0], minlength=len(names.states) * p), out=start[1:])
    return RelationTable(
        states=len(names.states),
        inputs=p,
        outputs=len(names.outputs),
        start=start,
        output=np.ascontiguousarray(rows[:, 1]),
        target=np.ascontiguousarray(rows[:, 2]),
    )


def is_deterministic(relation: RelationTable) -> bool:
    """At most one transition for each state and input."""
    return bool((np.diff(relation.start) <= 1).all())


def deterministic_table(relation: RelationTable) -> Table:
    """The same machine with one entry per cell.

    Needs: deterministic (``is_deterministic``); undefined cells become -1.
    """
    if not is_deterministic(relation):
        raise UserError("the machine is nondeterministic, a deterministic one is needed here")
    target = np.full(relation.states * relation.inputs, -1, dtype=np.int32)
    output = target.copy()
    cells = np.flatnonzero(np.diff(relation.start))
    target[cells], output[cells] = relation.target, relation.output
    return Table(states=relation.states, inputs=relation.inputs, outputs=relation.outputs, target=target, output=output)
