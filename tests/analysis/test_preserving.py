"""State preservation against its definition."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.preserving import Words

from fullproof.analysis.state_preservation import Preserving, TooLarge, preservation
from fullproof.artefacts.omega import Confusion

DEPTH = 8


@st.composite
def acceptors(draw: st.DrawFn) -> tuple[list[list[list[int]]], list[int]]:
    states = draw(st.integers(1, 3))
    image = draw(st.lists(st.integers(0, 1), min_size=1, max_size=4))
    targets = st.lists(st.integers(0, states - 1), max_size=draw(st.integers(1, 2)), unique=True)
    row = st.lists(targets, min_size=len(image), max_size=len(image))
    return draw(st.lists(row, min_size=states, max_size=states)), image


@given(acceptors())
@settings(max_examples=150, deadline=None)
def test_the_answer_is_that_of_the_definition(machine: tuple[list[list[list[int]]], list[int]]) -> None:
    after, image = machine
    words = Words(0, after, image, depth=DEPTH)
    answer = preservation(0, after, image)
    assert not isinstance(answer, TooLarge)
    if isinstance(answer, Preserving):
        assert words.confused(4) is None
        return
    first, second, suffix = answer.first, answer.second, answer.suffix
    assert words.reached(first)
    assert words.reached(second)
    assert words.language(words.reached(first), DEPTH) == words.language(words.reached(second), DEPTH)
    assert words.is_abstract_trace(first + suffix)
    assert not words.is_abstract_trace(second + suffix)


@given(acceptors())
@settings(max_examples=150, deadline=None)
def test_blocks_are_the_languages_of_the_abstraction(machine: tuple[list[list[list[int]]], list[int]]) -> None:
    after, image = machine
    answer = preservation(0, after, image)
    if not isinstance(answer, Preserving):
        return
    words = Words(0, after, image, depth=DEPTH)
    meaning: dict[int, object] = {}
    frontier = [()]
    for _ in range(4):
        for word in frontier:
            block = answer.blocks[words.reached(word)]
            language = words.abstract_language(words.reached_abstractly(word), DEPTH)
            assert meaning.setdefault(block, language) == language
        frontier = [(*w, a) for w in frontier for a in range(len(image)) if words.reached((*w, a))]
    assert len(set(meaning.values())) == len(meaning)


def test_a_deterministic_abstraction_preserves_states() -> None:
    """Paper 004, section 3: on deterministic machines every output abstraction does."""
    after = [[(1,), (), (0,), ()], [(), (0,), (), (1,)]]  # letters: a/0, a/1, b/0, b/1
    assert isinstance(preservation(0, after, ["a", "a", "b", "b"]), Preserving)


def test_two_ways_to_one_state() -> None:
    """Letters 0 and 1 look alike and lead to different states; letter 2 leads to one of them for sure."""
    after = [[(1,), (2,), (1,), (), ()], [(), (), (), (0,), ()], [(), (), (), (), (0,)]]
    answer = preservation(0, after, ["p", "p", "q", "r", "s"])
    assert answer == Confusion(first=(0,), second=(2,), suffix=(4,))
    assert isinstance(preservation(0, after, ["p", "o", "q", "r", "s"]), Preserving)


def test_the_subset_construction_may_be_given_up() -> None:
    after = [[(1,)], [(2,)], [(3,)], [(3,)]]
    assert isinstance(preservation(0, after, ["p"], most=2), TooLarge)
