"""The product walk against the definitions, on every pair of small machines that Hypothesis thinks of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.reductions import conforms, passes
from tests.strategies.tables import relations

from fullproof.analysis.conformance import RelationViolation, counterexample
from fullproof.analysis.responses import Responses, responses
from fullproof.artefacts.request import Relation

RELATIONS = [Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION]
machines = relations(max_states=4, max_inputs=2, max_outputs=2, observable=True).map(responses)


@given(machines, machines, st.sampled_from(RELATIONS))
def test_the_walk_agrees_with_the_definition(model: Responses, other: Responses, relation: Relation) -> None:
    model = Responses(inputs=2, after=model.after)
    other = Responses(inputs=2, after=other.after)
    found = counterexample(model, other, relation)
    assert (found is None) == conforms(model, other, relation)
    if found is not None:
        word = [x for x, _ in found.trace]
        # All before the last input is common to both; the last input shows the difference.
        assert found.violation is RelationViolation.ACCEPTED or not passes(
            model, other, [[*word, found.input]], relation
        )


@given(machines)
def test_every_machine_conforms_to_itself(model: Responses) -> None:
    assert all(counterexample(model, model, relation) is None for relation in RELATIONS)


@pytest.mark.parametrize(
    ("relation", "violation"),
    [
        (Relation.EQUIVALENCE, RelationViolation.MISSING),
        (Relation.REDUCTION, None),
        (Relation.QUASI_REDUCTION, None),
        (Relation.STRONG_REDUCTION, None),
    ],
)
def test_fewer_outputs_break_equivalence_alone(relation: Relation, violation: RelationViolation | None) -> None:
    model = Responses(inputs=1, after=({0: {0: 0, 1: 0}},))
    other = Responses(inputs=1, after=({0: {0: 0}},))
    found = counterexample(model, other, relation)
    assert (found and found.violation) == violation


def test_the_counterexample_is_shortest() -> None:
    model = Responses(inputs=2, after=({0: {0: 1}, 1: {0: 0}}, {0: {0: 1}, 1: {0: 1}}))
    other = Responses(inputs=2, after=({0: {0: 1}, 1: {0: 0}}, {0: {0: 1}, 1: {1: 1}}))
    found = counterexample(model, other, Relation.REDUCTION)
    assert found is not None
    assert (found.trace, found.input, found.output) == (((0, 0),), 1, 1)
