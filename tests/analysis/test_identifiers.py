"""Identifiers tell states apart: checked word by word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels import WAYS, kernel
from tests.oracles.machines import run, separates
from tests.strategies.tables import minimal_tables

from fullproof.analysis import characterising_sets, subsets, unique
from fullproof.analysis import identifiers as module
from fullproof.analysis.characterising_sets import CharacterisingSearch, classes_by
from fullproof.analysis.identifiers import Taste, harmonised_identifiers, identifiers_of
from fullproof.analysis.inherited import Heirs, inherited
from fullproof.analysis.separation import separation
from fullproof.analysis.subsets import identification_sets
from fullproof.analysis.table import Table
from fullproof.analysis.unique import unique_identifiers

TASTES = st.builds(
    Taste,
    rate=st.sampled_from([0.3, 1.0, 3.0]),
    fine=st.sampled_from([0.0, 4.0, 100.0]),
    ahead=st.integers(1, 3),
    work=st.sampled_from([0.0, 30.0, 1e6]),
    favourite=st.just(0),
    discount=st.sampled_from([0.0, 0.5]),
)


@pytest.fixture(params=WAYS, scope="module", autouse=True)
def adaptive(request: pytest.FixtureRequest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "Experimenter", kernel("adaptive", request.param).Experimenter)
        patch.setattr(characterising_sets, "PresetSearch", kernel("preset", request.param).PresetSearch)
        patch.setattr(subsets, "SubsetChooser", kernel("subset", request.param).SubsetChooser)
        patch.setattr(unique, "SingleSearch", kernel("single", request.param).SingleSearch)
        yield


def prefixes(words: tuple[tuple[int, ...], ...]) -> set[tuple[int, ...]]:
    return {word[:k] for word in words for k in range(len(word) + 1)}


@given(minimal_tables(max_states=8, max_outputs=2), TASTES)
def test_harmonised_identifiers_share_a_separating_word(table: Table, taste: Taste) -> None:
    weight = np.linspace(0.5, 1.5, table.states)
    made = harmonised_identifiers(table, separation(table), weight=weight, taste=taste)
    for t in range(table.states):
        for s in range(t):
            common = prefixes(made.words(s)) & prefixes(made.words(t))
            assert any(separates(table, word, s, t) for word in common)


@given(minimal_tables(max_states=8, max_outputs=2), st.integers(1, 4), st.sampled_from([1.0, 8.0]))
def test_characterising_sets_tell_all_states_apart_and_have_nothing_to_spare(
    table: Table, width: int, base: float
) -> None:
    search = CharacterisingSearch(table, separation(table), base=base, width=width)
    built = search.build()
    better = search.improve(built, rounds=3)
    assert search.cost(better) <= search.cost(built)
    for words in (built, better, search.build(favourite=0, discount=5.0)):
        answers = {tuple(run(table, word, s)[0] for word in words) for s in range(table.states)}
        assert len(answers) == table.states
        for k, word in enumerate(words):
            shorter = (*words[:k], word[:-1], *words[k + 1 :])
            fewer = {tuple(run(table, w, s)[0] for w in shorter) for s in range(table.states)}
            assert len(fewer) < table.states


@given(minimal_tables(max_states=6), st.lists(st.lists(st.integers(0, 0), max_size=4).map(tuple), max_size=3))
def test_classes_by_words(table: Table, words: list[tuple[int, ...]]) -> None:
    classes = classes_by(table, words).tolist()
    answers = [tuple(run(table, word, s)[0] for word in words) for s in range(table.states)]
    assert [[a == b for b in classes] for a in classes] == [[a == b for b in answers] for a in answers]


@given(minimal_tables(max_states=8, max_outputs=2), TASTES, st.floats(0.5, 6), st.sampled_from(Heirs))
def test_inherited_identifiers_still_identify_and_cost_less(
    table: Table, taste: Taste, gain: float, heirs: Heirs
) -> None:
    made = harmonised_identifiers(table, separation(table), weight=np.ones(table.states), taste=taste)
    before = [made.words(s) for s in range(table.states)]
    after = inherited(table, before, base=5.0, gain=gain, heirs=heirs)
    for s in range(table.states):
        assert all(any(separates(table, word, s, t) for word in after[s]) for t in range(table.states) if t != s)
        cost = [sum(5 + len(word) for word in words) for words in (before[s], after[s])]
        assert after[s] == before[s] or cost[1] <= cost[0] - gain


@given(st.lists(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple), max_size=4), max_size=4))
def test_words_of_a_state_are_its_maximal_ones(words: list[list[tuple[int, ...]]]) -> None:
    made = identifiers_of(words)
    for state, own in enumerate(words):
        kept = {w for w in own if not any(v != w and v[: len(w)] == w for v in own)}
        assert made.words(state) == tuple(sorted(kept))


@given(minimal_tables(max_states=7, max_inputs=3, max_outputs=2))
def test_identification_sets_identify_and_have_nothing_to_spare(table: Table) -> None:
    words = separation(table)
    pool = sorted({words.word(s, t) for t in range(table.states) for s in range(t)})
    for state, chosen in enumerate(identification_sets(table, pool, base=3.0)):
        others = [t for t in range(table.states) if t != state]
        assert all(any(separates(table, word, state, t) for word in chosen) for t in others)
        assert all(any(word == known[: len(word)] for known in pool) for word in chosen)
        for k, word in enumerate(chosen):
            fewer = (*chosen[:k], word[:-1], *chosen[k + 1 :])
            assert not all(any(separates(table, w, state, t) for w in fewer) for t in others)


@given(minimal_tables(max_states=8, max_inputs=3, max_outputs=2), st.sampled_from([0.5, 6.0]))
def test_unique_identifiers_identify(table: Table, base: float) -> None:
    for state, words in enumerate(unique_identifiers(table, separation(table), base=base)):
        assert all(any(separates(table, word, state, t) for word in words) for t in range(table.states) if t != state)


def test_a_state_without_unique_sequence_gets_several_words() -> None:
    """No word tells state 0 from both others: each input merges it with one of them by the same output."""
    target = np.array([0, 0, 0, 1, 2, 0], dtype=np.int32)
    output = np.array([0, 0, 0, 1, 1, 0], dtype=np.int32)
    table = Table(states=3, inputs=2, outputs=2, target=target, output=output)
    assert sorted(unique_identifiers(table, separation(table), base=2.0)[0]) == [(0,), (1,)]
