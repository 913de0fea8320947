"""Passing a test, against the recursion over single behaviours."""

from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.reductions import passes
from tests.strategies.tables import relations

from fullproof.analysis.passes import fails_at
from fullproof.analysis.responses import Responses, responses
from fullproof.artefacts.request import Relation

RELATIONS = [Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION]
machines = relations(max_states=4, max_inputs=2, max_outputs=2, observable=True).map(responses)


@given(machines, machines, st.lists(st.integers(0, 1), max_size=6), st.sampled_from(RELATIONS))
def test_all_behaviours_are_looked_at(model: Responses, other: Responses, word: list[int], relation: Relation) -> None:
    model, other = Responses(inputs=2, after=model.after), Responses(inputs=2, after=other.after)
    step = fails_at(model, other, word, relation)
    if relation is not Relation.REDUCTION:  # there the oracle also looks at undefined inputs, which end a branch
        assert (step is None) == passes(model, other, [word], relation)
    if step is not None:
        assert fails_at(model, other, word[:step], relation) is None or relation is Relation.STRONG_REDUCTION
