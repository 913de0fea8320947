"""Monitors against the definition of a bad prefix: no infinite continuation satisfies the formula."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.ltl import Letter, holds
from tests.oracles.monitors import distinct_futures, has_continuation, letters_over, surviving_lasso, valuation

from fullproof.core.errors import UserError
from fullproof.language import Scope, offending_operator, parse_formula
from fullproof.language.monitor import FormulaTooLarge, monitor_of, valuation_of
from fullproof.language.propositions import atomic_propositions
from fullproof.language.syntax import Binary, Boolean, Expression, Name, Temporal, Unary
from fullproof.language.types import RealType, Variable

NAMES = ("a", "b")
LETTERS = letters_over(NAMES)

_literals = st.sampled_from([Name("a"), Name("b"), Unary("not", Name("a")), Unary("not", Name("b"))])
_states = st.one_of(
    _literals,
    st.builds(Binary, st.sampled_from(["and", "or", "->"]), _literals, _literals),
    st.booleans().map(Boolean),
)
safety_formulas = st.recursive(
    _states,
    lambda inner: st.one_of(
        st.builds(lambda op, f: Temporal(op, (f,)), st.sampled_from(["X", "G"]), inner),
        st.builds(lambda op, f, g: Temporal(op, (f, g)), st.sampled_from(["W", "R"]), inner, inner),
        st.builds(Binary, st.sampled_from(["and", "or"]), inner, inner),
        st.builds(lambda f: Unary("not", Temporal("F", (f,))), _states),
        st.builds(lambda f, g: Unary("not", Temporal("U", (f, g))), _states, _states),
    ),
    max_leaves=5,
)
words = st.lists(st.sampled_from(LETTERS), max_size=5)


def _check(formula: Expression, word: list[Letter], letters: list[Letter], longest: int) -> None:
    """A survivor needs a witness that the definition accepts; for a bad prefix no short continuation may do."""
    atoms = atomic_propositions(formula)
    possible = [tuple(isinstance(atom, Name) and atom.name in letter for atom in atoms) for letter in letters]
    monitor = monitor_of(formula, possible=possible)
    state = monitor.initial
    for length in range(len(word) + 1):
        if state == monitor.violated:
            assert not has_continuation(formula, word[:length], letters, longest)
            return
        stem, loop = surviving_lasso(monitor, state, letters)
        assert holds(formula, [*word[:length], *stem], loop)
        if length < len(word):
            state = monitor.step(state, valuation(monitor, word[length]))


@given(safety_formulas, words)
@settings(max_examples=250, deadline=None)
def test_a_prefix_is_bad_as_soon_as_nothing_can_save_it(formula: Expression, word: list[Letter]) -> None:
    assert offending_operator(formula) is None
    _check(formula, word, LETTERS, 2)


@given(safety_formulas, st.data())
@settings(max_examples=200, deadline=None)
def test_only_valuations_that_can_occur_count(formula: Expression, data: st.DataObject) -> None:
    letters = data.draw(st.lists(st.sampled_from(LETTERS), min_size=1, max_size=3, unique=True))
    word = data.draw(st.lists(st.sampled_from(letters), max_size=5))
    _check(formula, word, letters, 2)


@given(safety_formulas, st.data())
@settings(max_examples=200, deadline=None)
def test_no_two_states_have_the_same_future(formula: Expression, data: st.DataObject) -> None:
    letters = data.draw(st.lists(st.sampled_from(LETTERS), min_size=1, unique=True))
    atoms = atomic_propositions(formula)
    possible = [tuple(isinstance(atom, Name) and atom.name in letter for atom in atoms) for letter in letters]
    monitor = monitor_of(formula, possible=possible)
    assert distinct_futures(monitor, letters) == monitor.states
    if monitor.violated is not None:
        assert all(monitor.step(monitor.violated, v) == monitor.violated for v in possible)


@given(safety_formulas, st.tuples(words, st.lists(st.sampled_from(LETTERS), min_size=1, max_size=3)))
@settings(max_examples=200, deadline=None)
def test_a_word_satisfies_the_formula_iff_no_prefix_is_bad(
    formula: Expression, word: tuple[list[Letter], list[Letter]]
) -> None:
    prefix, loop = word
    monitor = monitor_of(formula)
    long = [valuation(monitor, letter) for letter in prefix + loop * monitor.states]
    assert (monitor.run(long) is None) == holds(formula, prefix, loop)


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("a W b", 3),
        ("a R b", 3),
        ("G(a -> X(a or b))", 3),
        ("G(a)", 2),
        ("true", 1),
        ("G(a) or true", 1),
        ("X(a and not a)", 1),
        ("G(a) and X(G(not a))", 1),
        ("X(X(false))", 1),
        ("G(a -> X(X(X(b))))", 9),
        ("G(a) and G(a or b)", 2),
    ],
)
def test_sizes(text: str, states: int) -> None:
    assert monitor_of(parse_formula(text)).states == states


def test_bad_prefixes_are_seen_at_once() -> None:
    monitor = monitor_of(parse_formula("G(a -> X(b and not b))"))
    assert monitor.run([(False, False), (True, False)]) == 2
    assert monitor_of(parse_formula("X(a) and X(not a)")).run([]) == 0


def test_contradictions_between_propositions_are_those_of_the_possible_valuations() -> None:
    formula = parse_formula("G(c -> X(x < 0 and x > 1))")
    possible = [(c, low, high) for c in (False, True) for low, high in ((False, False), (False, True), (True, False))]
    assert monitor_of(formula).run([(True, False, False)]) is None
    assert monitor_of(formula, possible=possible).run([(True, False, False)]) == 1


def test_many_propositions() -> None:
    text = " and ".join(f"G(q{k} or r{k})" for k in range(40))
    monitor = monitor_of(parse_formula(text))
    assert monitor.states == 2
    assert len(monitor.atoms) == 80
    assert monitor.run([[True] * 80, [True, False] * 40, [False] * 80]) == 3


def test_valuations_of_values() -> None:
    scope = Scope((Variable(name="x", type=RealType()),), {"limit": 3})
    monitor = monitor_of(parse_formula("G(x < limit -> X(x > 0))"))
    read = valuation_of(monitor, scope)
    assert monitor.run([read({"x": 1}), read({"x": -1})]) == 2
    assert monitor.run([read({"x": 1}), read({"x": 3}), read({"x": -1})]) is None


def test_what_cannot_be_monitored_is_said() -> None:
    with pytest.raises(UserError, match=r"F\(a\) keeps the formula from being a safety property"):
        monitor_of(parse_formula("G(F(a))"))
    late = "a"
    for _ in range(20):
        late = f"X({late} or b)"
    with pytest.raises(FormulaTooLarge, match="too many"):
        monitor_of(parse_formula(f"G(a -> {late}) and G(b -> {late})"), most=50)  # 2 ** 20 states
