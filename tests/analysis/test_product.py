"""Products against sets of traces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.machines import reachable_states, traces, transitions
from tests.strategies.tables import relation_of, relations

from fullproof.analysis.product import product
from fullproof.analysis.table import RelationTable
from fullproof.core.errors import Bug

SMALL = relations(max_states=3, max_inputs=2, max_outputs=2)


@given(st.tuples(SMALL, SMALL).filter(lambda pair: pair[0].inputs == pair[1].inputs))
def test_the_traces_of_a_product_are_those_of_both(pair: tuple[RelationTable, RelationTable]) -> None:
    one, other = pair
    made = product(one, other)
    assert traces(made.relation, 0, 4) == traces(one, 0, 4) & traces(other, 0, 4)
    assert reachable_states(made.relation) == set(range(len(made.pairs)))
    for source, symbol, output, target in transitions(made.relation):
        (a, b), (c, d) = made.pairs[source], made.pairs[target]
        assert (a, symbol, output, c) in transitions(one)
        assert (b, symbol, output, d) in transitions(other)
    for cell in range(made.relation.states * made.relation.inputs):
        row = slice(made.relation.start[cell], made.relation.start[cell + 1])
        moves = list(zip(made.relation.output[row].tolist(), made.relation.target[row].tolist(), strict=True))
        assert moves == sorted(set(moves))


def test_inputs_must_agree() -> None:
    with pytest.raises(Bug):
        product(relation_of(1, 1, 1, set()), relation_of(1, 2, 1, set()))
