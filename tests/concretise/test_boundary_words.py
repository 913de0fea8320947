"""Words with inputs chosen for each position: the same words by symbol, and different inputs in different places."""

from hypothesis import given, settings
from hypothesis import strategies as st

from fullproof.artefacts.words import word_list
from fullproof.concretise.boundary_words import BoundaryChoice, ShownMistake, boundary_words

START = frozenset({0})
WORDS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=5), min_size=1, max_size=8)


def _choice(
    ways: list[int], shown=lambda _states, _symbol, _way: {}, differ=lambda _one, _other, _symbol: False
) -> BoundaryChoice:
    return BoundaryChoice(
        ways=ways, initial=START, after=lambda states, _symbol: states, shown=shown, answers_differ=differ
    )


def _chosen(words: list[list[int]], choice: BoundaryChoice) -> list[list[int]]:
    made = boundary_words(word_list(words), choice)
    found = [[word.tolist() for piece in made.chunks() for word in piece] for _ in range(2)]
    assert found[0] == found[1], "a suite is read several times"
    return found[0]


@settings(max_examples=100, deadline=None)
@given(WORDS, st.lists(st.integers(1, 4), min_size=3, max_size=3))
def test_words_stay_the_same_by_symbol_and_share_what_they_shared(words: list[list[int]], ways: list[int]) -> None:
    first = [0, ways[0], ways[0] + ways[1], sum(ways)]
    chosen = _chosen(words, _choice(ways))
    assert [[next(s for s in range(3) if n < first[s + 1]) for n in word] for word in chosen] == words
    for one, new in zip(words, chosen, strict=True):
        for other, its_new in zip(words, chosen, strict=True):
            same = next(
                (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
            )
            assert new[:same] == its_new[:same]


def test_what_shows_most_comes_first_and_each_mistake_once() -> None:
    shown = [{"b": ShownMistake(100)}, {"a": ShownMistake(100), "c": ShownMistake(1)}, {}]
    chosen = _chosen([[0, 0, 0, 0]], _choice([3], lambda _states, _symbol, way: shown[way]))
    assert chosen == [[1, 0, 2, 0]], "then the one that was used least"


def test_each_state_has_mistakes_of_its_own() -> None:
    choice = BoundaryChoice(
        ways=[2],
        initial=START,
        after=lambda states, _symbol: frozenset(1 - s for s in states),
        shown=lambda states, _symbol, way: {(states, way): ShownMistake(1)} if way == min(states) else {},
        answers_differ=lambda _one, _other, _symbol: False,
    )
    assert _chosen([[0, 0]], choice) == [[0, 1]]


def test_a_mistake_counts_where_the_rest_of_the_word_shows_it() -> None:
    """Input 0 leads to state 1 instead of 0 by mistake, which symbol 1 observes."""
    shown = [{}, {"wrong target": ShownMistake(100, frozenset({(0, 1)}))}]
    choice = BoundaryChoice(
        ways=[2, 1],
        initial=START,
        after=lambda states, _symbol: states,
        shown=lambda _states, symbol, way: shown[way] if symbol == 0 else {},
        answers_differ=lambda one, other, symbol: symbol == 1 and one != other,
    )
    assert _chosen([[0, 0, 1, 0]], choice) == [[1, 0, 2, 0]]
    assert _chosen([[0]], choice) == [[0]], "nothing would show it"
