"""Automata of formulas, and lassos that they accept, against LTL by its definition on ultimately periodic words."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.lassos import Graph, lassos
from tests.oracles.ltl import Letter, holds
from tests.oracles.monitors import letters_over
from tests.strategies.ltl import NAMES, formulas

from fullproof.analysis.lasso import Lasso, MachineStep, accepting_lasso
from fullproof.language import parse_formula
from fullproof.language.buchi import Buchi
from fullproof.language.monitor import FormulaTooLarge
from fullproof.language.syntax import Expression, Name

LETTERS = letters_over(NAMES)


def _accepted(graph: Graph, formula: Expression) -> Lasso[tuple[int, Letter, int]] | None:
    automaton = Buchi(formula)

    def offers(state: int) -> list[MachineStep[tuple[int, Letter, int]]]:
        return [
            MachineStep(
                target,
                tuple(isinstance(a, Name) and a.name in letter for a in automaton.atoms),
                (state, letter, target),
            )
            for letter, target in graph[state]
        ]

    return accepting_lasso(0, offers, automaton)


words = st.lists(st.sampled_from(LETTERS), max_size=4)


@given(formulas, words, st.lists(st.sampled_from(LETTERS), min_size=1, max_size=4))
@settings(max_examples=500)
def test_a_word_is_accepted_iff_it_satisfies_the_formula(
    formula: Expression, stem: list[Letter], loop: list[Letter]
) -> None:
    word = [*stem, *loop]
    graph = tuple(((letter, k + 1 if k + 1 < len(word) else len(stem)),) for k, letter in enumerate(word))
    assert (_accepted(graph, formula) is not None) == holds(formula, stem, loop)


graphs = st.integers(1, 3).flatmap(
    lambda n: st.lists(
        st.lists(st.tuples(st.sampled_from(LETTERS), st.integers(0, n - 1)), max_size=3).map(tuple),
        min_size=n,
        max_size=n,
    ).map(tuple)
)


@given(graphs, formulas)
@settings(max_examples=300)
def test_a_lasso_is_a_run_that_satisfies_the_formula_and_none_is_missed(graph: Graph, formula: Expression) -> None:
    lasso = _accepted(graph, formula)
    if lasso is None:
        assert not any(holds(formula, stem, loop) for stem, loop in lassos(graph, 5))
        return
    state = 0
    for source, letter, target in (*lasso.stem, *lasso.loop):
        assert source == state
        assert (letter, target) in graph[source]
        state = target
    assert state == lasso.loop[0][0]
    assert holds(formula, [s[1] for s in lasso.stem], [s[1] for s in lasso.loop])


def test_fairness_is_not_confused_with_fulfilment() -> None:
    """G(F(a)) and G(F(b)) need both, again and again; a loop that has only one of them will not do."""
    one, other = frozenset("a"), frozenset("b")
    formula = parse_formula("G(F(a)) and G(F(b))")
    apart: Graph = (((one, 0), (other, 1)), ((other, 1),))
    assert _accepted(apart, formula) is None
    together: Graph = (((one, 0), (other, 1)), ((other, 1), (one, 0)))
    lasso = _accepted(together, formula)
    assert lasso is not None
    assert {step[1] for step in lasso.loop} == {one, other}


def test_words_of_all_lassos_up_to_three_letters() -> None:
    """Every word of a stem and a loop of up to two letters each, for formulas with nested eventualities."""
    texts = ("(a U (b U a)) and F(G(b))", "not(G(F(a)) -> G(F(b)))", "X(a R F(b)) or G(a -> X(F(b)))")
    for formula in map(parse_formula, texts):
        for n, m in product(range(3), (1, 2)):
            for word in product(LETTERS, repeat=n + m):
                graph = tuple(((letter, k + 1 if k + 1 < n + m else n),) for k, letter in enumerate(word))
                assert (_accepted(graph, formula) is not None) == holds(formula, word[:n], word[n:])


def test_formulas_beyond_all_bounds_are_refused_in_one_line() -> None:
    many = " and ".join(f"(F(a{k}) or F(b{k}))" for k in range(14))
    automaton = Buchi(parse_formula(many), most=1000)
    with pytest.raises(FormulaTooLarge, match="too many cases"):
        automaton.moves(automaton.initial, (False,) * len(automaton.atoms))
