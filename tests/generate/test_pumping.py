"""Loops of a model, repeated."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fullproof.artefacts.words import word_list
from fullproof.generate.finite.pumping import Loops, WithLoops

DOOR = {0: {0: 1, 1: 0}, 1: {0: 1, 1: 0}}


def test_each_cycle_is_a_loop_once():
    assert Loops(DOOR).found == ((0, (0, 1)), (0, (1,)), (1, (0,)))


def test_a_word_is_the_way_the_repetitions_and_every_input():
    way, repetitions, inputs = (0,), (0,) * 3, (0, 1, 0)
    assert [*Loops(DOOR).words(3)][2] == way + repetitions + inputs


def test_what_has_no_way_back_is_no_loop_and_ends_a_word():
    moves = {0: {0: 0, 1: 1}, 1: {}}
    assert [*Loops(moves).words(2)] == [(0, 0, 0, 1)]


MOVES = st.integers(1, 4).flatmap(
    lambda states: st.fixed_dictionaries(
        {s: st.dictionaries(st.integers(0, 2), st.integers(0, states - 1)) for s in range(states)}
    )
)


@given(MOVES, st.integers(1, 4))
def test_words_are_defined_and_repeat_every_transition_that_lies_on_a_cycle(moves, times):
    taken = {}
    for word in Loops(moves).words(times):
        state, count = 0, {}
        for symbol in word:
            count[state, symbol] = count.get((state, symbol), 0) + 1
            state = moves[state][symbol]
        for step, number in count.items():
            taken[step] = max(number, taken.get(step, 0))
    reach = _closure(moves)
    for state in {0} | reach[0]:
        for symbol, target in moves[state].items():
            if state == target or state in reach[target]:
                assert taken[state, symbol] >= times


def _closure(moves):
    """The slow twin: which states can be reached by one step or more."""
    reach = {state: set(cells.values()) for state, cells in moves.items()}
    for _ in moves:
        reach = {state: found | {t for s in found for t in reach[s]} for state, found in reach.items()}
    return reach


WORDS = st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=4).map(tuple), max_size=6)


@given(WORDS, WORDS)
def test_no_word_is_a_prefix_of_another_and_none_is_lost(suite, repeated):
    suite = sorted({w for w in suite if not any(o != w and o[: len(w)] == w for o in suite)})
    both = WithLoops(word_list(suite), repeated)
    found = [tuple(word.tolist()) for piece in both.chunks() for word in piece]
    assert all(other[: len(one)] != one for one, other in pairwise(sorted(found)))
    for word in (*suite, *repeated):
        assert any(other[: len(word)] == word for other in found)
    assert set(found) <= {*suite, *repeated}
