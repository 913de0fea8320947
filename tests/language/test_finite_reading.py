"""Formulas for finite traces and the safety formulas that say the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.monitors import letters_over
from tests.strategies.ltl import NAMES, state_formulas

from fullproof.language import offending_operator, parse_formula, to_text
from fullproof.language.finite_traces import finite_reading
from fullproof.language.syntax import Binary, Boolean, Expression, Name, Temporal, Unary

LETTERS = letters_over(NAMES)


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("G(x <= max) -> G(y < A)", "(y < A) W (x > max)"),
        ("F(x > max) or G(y < A)", "(y < A) W (x > max)"),
        ("G(p) -> (q W r)", "q W (r or not p)"),
        ("G(p) -> (q R r)", "r W (q and r or not p)"),
        ("G(p) -> G(q -> X(r))", "(not q or X(r or not p)) W not p"),
        ("(G(p) and G(q)) -> G(r)", "r W (not p or not q)"),
        ("G(p) -> q", "q or not p"),
    ],
)
def test_published_and_like_formulas(text: str, reading: str) -> None:
    found = finite_reading(parse_formula(text))
    assert found is not None
    assert to_text(found) == reading
    assert offending_operator(found) is None


@pytest.mark.parametrize(
    "text", ["F(a)", "G(F(a))", "a U b", "G(a) -> F(b)", "G(a -> F(b))", "G(a)", "F(X(a)) or G(b)"]
)
def test_what_has_no_finite_reading(text: str) -> None:
    assert finite_reading(parse_formula(text)) is None


def test_the_published_property_is_the_one_of_the_reference_model() -> None:
    found = finite_reading(parse_formula("G(x <= max) -> G(y < A)"))
    assert found == parse_formula("(y < A) W (x > max)")


_demands = st.recursive(
    state_formulas,
    lambda inner: st.one_of(
        st.builds(lambda op, f: Temporal(op, (f,)), st.sampled_from(["X", "G"]), inner),
        st.builds(lambda op, f, g: Temporal(op, (f, g)), st.sampled_from(["W", "R"]), inner, inner),
        st.builds(Binary, st.sampled_from(["and", "or"]), inner, inner),
    ),
    max_leaves=4,
)


def weakly(formula: Expression, word: list[frozenset[str]], position: int = 0) -> bool:
    """Whether a finite word does not yet rule a safety formula out, step by step: the weak view of a truncated path."""
    if position >= len(word):
        return True
    match formula:
        case Name():
            return formula.name in word[position]
        case Boolean():
            return formula.value
        case Unary():
            return not weakly(formula.operand, word, position)
        case Binary(operator="and"):
            return weakly(formula.left, word, position) and weakly(formula.right, word, position)
        case Binary(operator="or"):
            return weakly(formula.left, word, position) or weakly(formula.right, word, position)
        case Binary(operator="->"):
            return not weakly(formula.left, word, position) or weakly(formula.right, word, position)
        case Temporal(operator="X", operands=(inner,)):
            return weakly(inner, word, position + 1)
        case Temporal(operator="G", operands=(inner,)):
            return all(weakly(inner, word, k) for k in range(position, len(word)))
        case Temporal(operator="W", operands=(left, right)):
            here, later = (lambda f: weakly(f, word, position)), (lambda: weakly(formula, word, position + 1))
            return here(right) or (here(left) and later())
        case Temporal(operator="R", operands=(left, right)):
            here, later = (lambda f: weakly(f, word, position)), (lambda: weakly(formula, word, position + 1))
            return here(right) and (here(left) or later())
    raise AssertionError(formula)


@given(_demands, state_formulas, st.lists(st.sampled_from(LETTERS), max_size=5))
@settings(max_examples=400)
def test_the_reading_says_what_the_formula_says_on_finite_traces(
    demand: Expression, release: Expression, word: list[frozenset[str]]
) -> None:
    reading = finite_reading(Binary("or", Temporal("F", (release,)), demand))
    if reading is None:
        return
    assert offending_operator(reading) is None
    first = next((k for k in range(len(word)) if weakly(release, word[k : k + 1])), len(word))
    assert weakly(reading, word) == weakly(demand, word[:first])
