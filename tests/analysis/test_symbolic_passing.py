"""Tests of symbolic machines, over all behaviours: the same verdicts as letter by letter."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.symbolic import valuations
from tests.oracles.symbolic_products import fails_at, shortest_difference
from tests.shared import REFERENCE
from tests.strategies.sfsm_pairs import pairs
from tests.strategies.sfsms import INPUTS

from fullproof.analysis.symbolic.common_scope import Pairing
from fullproof.analysis.symbolic.passes import Failed, Passed, Passing
from fullproof.analysis.symbolic.sizes import distinguishable_states
from fullproof.artefacts.request import Relation
from fullproof.formats import read_model
from fullproof.model import Sfsm

RELATIONS = [Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION]
letters = st.sampled_from(list(valuations(INPUTS)))


@settings(max_examples=60, deadline=None)
@given(pairs(), st.lists(st.lists(letters, max_size=4), min_size=1, max_size=4), st.sampled_from(RELATIONS))
def test_as_letter_by_letter(machines: tuple[Sfsm, Sfsm], words: list, relation: Relation) -> None:
    model, other = machines
    passing = Passing(Pairing(model).paired(other), relation)
    conforms = shortest_difference(model, other, relation) is None
    for word in words:
        step = fails_at(model, other, word, relation)
        assert passing.judge(word) == (Passed() if step is None else Failed(step))
        assert not (conforms and step is not None)  # what conforms passes every test


def test_a_warning_that_never_fails_to_come_is_seen_by_equivalence_only() -> None:
    model, other = (read_model(REFERENCE / f"alarm/{name}.yaml") for name in ("alarm", "eager-warning"))
    paired = Pairing(model).paired(other)
    word = [{"x": 100}, {"x": 100}]
    assert Passing(paired, Relation.EQUIVALENCE).judge(word) == Failed(1)
    assert Passing(paired, Relation.REDUCTION).judge(word) == Passed()


def test_sizes_of_published_machines() -> None:
    for name, size in (("alarm/alarm", 3), ("alarm/alarm5", 4), ("alarm/alarm8", 7), ("brake/brake", 3)):
        model = read_model(REFERENCE / f"{name}.yaml")
        assert distinguishable_states(Pairing(model).paired(model)) == size
