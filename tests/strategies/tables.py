"""Random finite machines as tables."""

import numpy as np
from hypothesis import strategies as st
from tests.oracles.machines import quotient

from fullproof.analysis.table import RelationTable, Table


def relation_of(states: int, inputs: int, outputs: int, rows: set[tuple[int, int, int, int]]) -> RelationTable:
    """Lay transitions (source, input, output, target) out flat."""
    ordered = sorted(rows)
    start = np.zeros(states * inputs + 1, dtype=np.int32)
    for source, symbol, _, _ in ordered:
        start[source * inputs + symbol + 1] += 1
    return RelationTable(
        states=states,
        inputs=inputs,
        outputs=outputs,
        start=np.cumsum(start, dtype=np.int32),
        output=np.array([row[2] for row in ordered], dtype=np.int32),
        target=np.array([row[3] for row in ordered], dtype=np.int32),
    )


@st.composite
def relations(
    draw: st.DrawFn, *, max_states: int = 6, max_inputs: int = 3, max_outputs: int = 3, observable: bool = False
) -> RelationTable:
    """Draw any machine: partial, nondeterministic, with unreachable and equivalent states."""
    n, p, q = (draw(st.integers(1, most)) for most in (max_states, max_inputs, max_outputs))
    number = st.integers
    row = st.tuples(number(0, n - 1), number(0, p - 1), number(0, q - 1), number(0, n - 1))
    rows = draw(st.sets(row, max_size=2 * n * p))
    if observable:
        rows = set({row[:3]: row for row in sorted(rows)}.values())
    return relation_of(n, p, q, rows)


@st.composite
def partial_relations(draw: st.DrawFn, *, max_states: int = 6, max_inputs: int = 3) -> RelationTable:
    """Draw a deterministic machine, usually partial."""
    table = draw(complete_tables(max_states=max_states, max_inputs=max_inputs))
    cells = table.states * table.inputs
    kept = draw(st.lists(st.integers(0, 3), min_size=cells, max_size=cells))
    rows = {
        (cell // table.inputs, cell % table.inputs, int(table.output[cell]), int(table.target[cell]))
        for cell in range(cells)
        if kept[cell]
    }
    return relation_of(table.states, table.inputs, table.outputs, rows)


@st.composite
def complete_tables(draw: st.DrawFn, *, max_states: int = 6, max_inputs: int = 3, max_outputs: int = 3) -> Table:
    """Draw a complete deterministic machine, with unreachable and equivalent states."""
    n, p, q = (draw(st.integers(1, most)) for most in (max_states, max_inputs, max_outputs))
    cells = n * p
    target = draw(st.lists(st.integers(0, n - 1), min_size=cells, max_size=cells))
    output = draw(st.lists(st.integers(0, q - 1), min_size=cells, max_size=cells))
    return Table(
        states=n,
        inputs=p,
        outputs=q,
        target=np.array(target, dtype=np.int32),
        output=np.array(output, dtype=np.int32),
    )


def minimal_tables(*, max_states: int = 6, max_inputs: int = 3, max_outputs: int = 3) -> st.SearchStrategy[Table]:
    """Draw a complete deterministic machine that is minimal and connected."""
    drawn = complete_tables(max_states=max_states, max_inputs=max_inputs, max_outputs=max_outputs)
    return drawn.map(quotient)


@st.composite
def typical_tables(draw: st.DrawFn, *, max_states: int = 6, max_inputs: int = 3, max_outputs: int = 3) -> Table:
    """Draw a minimal connected machine as chance makes it: nearly always with the states it was asked for.

    In some of them the initial state is never entered again, in some nearly all outputs are alike.
    """
    n, p, q = (draw(st.integers(low, most)) for low, most in ((1, max_states), (1, max_inputs), (2, max_outputs)))
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    target = chance.integers(min(n - 1, draw(st.integers(0, 1))), n, n * p)
    for state in range(1, n):  # a tree that reaches every state
        target[chance.integers(0, state) * p + chance.integers(0, p)] = state
    output = chance.integers(0, q, n * p)
    if draw(st.booleans()):
        output[chance.random(n * p) < 0.6] = 0
    return quotient(
        Table(states=n, inputs=p, outputs=q, target=target.astype(np.int32), output=output.astype(np.int32))
    )


def relation(table: Table) -> RelationTable:
    """The same deterministic machine as a relation."""
    rows = {
        (cell // table.inputs, cell % table.inputs, int(table.output[cell]), int(table.target[cell]))
        for cell in range(table.states * table.inputs)
        if table.target[cell] >= 0
    }
    return relation_of(table.states, table.inputs, table.outputs, rows)
