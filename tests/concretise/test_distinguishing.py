"""Words over guards become words over inputs: for every trace of the model one that recognises it letter by letter."""

from hypothesis import given, settings
from hypothesis import strategies as st

from fullproof.artefacts.words import word_list
from fullproof.concretise.distinguishing_function import concrete_words, varied_words

GUARDS = ((0, 1, 2), (3, 4))


@st.composite
def settings_of(draw: st.DrawFn):
    states = draw(st.integers(1, 3))
    after = [
        {letter: draw(st.integers(0, states - 1)) for letter in range(5) if draw(st.booleans())} for _ in range(states)
    ]
    chosen = [draw(st.integers(0, 2)) for _ in range(3)] + [draw(st.integers(3, 4)) for _ in range(2)]
    words = draw(st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=3), min_size=1, max_size=3))
    return after, chosen, words


@settings(max_examples=150, deadline=None)
@given(settings_of())
def test_every_trace_is_recognised_up_to_its_first_wrong_letter(drawn) -> None:
    after, chosen, words = drawn
    made = concrete_words(word_list(words), guards=GUARDS, chosen=chosen, after=after)
    found = {tuple(word.tolist()[:k]) for piece in made.chunks() for word in piece for k in range(1, len(word) + 1)}
    wanted = set()
    for word in words:
        level = [((), 0)]
        for guard in word:
            wanted |= {(*prefix, chosen[letter]) for prefix, _ in level for letter in GUARDS[guard]}
            level = [
                ((*prefix, chosen[letter]), after[state][letter])
                for prefix, state in level
                for letter in GUARDS[guard]
                if letter in after[state]
            ]
    assert wanted <= found
    if any(len({chosen[letter] for letter in letters}) > 1 for letters in GUARDS):
        assert found == wanted


@given(
    st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6), min_size=1, max_size=12),
    st.lists(st.integers(1, 4), min_size=3, max_size=3),
    st.integers(1, 2**70),
)
def test_draws_belong_to_nodes_of_the_prefix_tree(words, ways, seed) -> None:
    made = varied_words(word_list(words), ways=ways, seed=seed)
    first, second = ([word.tolist() for piece in made.chunks() for word in piece] for _ in range(2))
    assert first == second
    owner = [symbol for symbol, number in enumerate(ways) for _ in range(number)]
    assert [[owner[way] for way in word] for word in first] == words
    drawn: dict[tuple, int] = {}
    for word, ways_taken in zip(words, first, strict=True):
        for k, way in enumerate(ways_taken):
            assert drawn.setdefault(tuple(word[: k + 1]), way) == way


def test_draws_use_all_ways() -> None:
    words = word_list([[0] * 200])
    made = {seed: next(iter(next(iter(varied_words(words, ways=[5], seed=seed).chunks())))).tolist() for seed in (1, 2)}
    assert all(set(word) == set(range(5)) for word in made.values())
    assert made[1] != made[2]
