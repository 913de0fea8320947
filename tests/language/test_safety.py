"""Positive normal form and the operators that keep a formula from being a safety property."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.ltl import holds
from tests.strategies.expressions import propositional_formulas

from fullproof.language import offending_operator, parse_formula, positive_normal_form, to_text
from fullproof.language.syntax import Binary, Expression, Name, Temporal, Unary
from fullproof.language.traversal import nodes

letters = st.frozensets(st.sampled_from(["a", "b"]))
words = st.tuples(st.lists(letters, max_size=3), st.lists(letters, min_size=1, max_size=3))


@given(propositional_formulas, words)
@settings(max_examples=500)
def test_the_normal_form_means_the_same(
    formula: Expression, word: tuple[list[frozenset[str]], list[frozenset[str]]]
) -> None:
    assert holds(positive_normal_form(formula), *word) == holds(formula, *word)


def _is_state(node: Expression) -> bool:
    return not any(isinstance(part, Temporal) for part in nodes(node))


def _is_positive(node: Expression) -> bool:
    if _is_state(node):
        return True
    match node:
        case Binary(operator="and" | "or"):
            return _is_positive(node.left) and _is_positive(node.right)
        case Temporal():
            return all(_is_positive(operand) for operand in node.operands)
        case _:
            return False


@given(propositional_formulas)
@settings(max_examples=300)
def test_the_normal_form_is_one_and_shows_what_offends(formula: Expression) -> None:
    normal = positive_normal_form(formula)
    assert _is_positive(normal)
    lacking = any(isinstance(node, Temporal) and node.operator in "FU" for node in nodes(normal))
    assert (offending_operator(formula) is not None) == lacking
    assert offending_operator(normal) is None or lacking


@given(propositional_formulas, words)
@settings(max_examples=300)
def test_a_refuted_safety_formula_has_a_bad_prefix(
    formula: Expression, word: tuple[list[frozenset[str]], list[frozenset[str]]]
) -> None:
    """Whatever follows a bad prefix, the formula fails: checked for a long prefix and all short continuations."""
    prefix, loop = word
    if offending_operator(formula) is not None or holds(formula, prefix, loop):
        return
    long = prefix + loop * 12
    alphabet = [frozenset[str](), frozenset({"a"}), frozenset({"b"}), frozenset({"a", "b"})]
    assert not any(holds(formula, long, [x, y]) for x in alphabet for y in alphabet)


@pytest.mark.parametrize(
    ("text", "offender"),
    [
        ("G(a -> X(b))", None),
        ("a W b", None),
        ("a R b", None),
        ("not F(a)", None),
        ("not (a U b)", None),
        ("F(a) -> G(b)", None),
        ("not (a -> F(b)) -> a", "F"),
        ("a and b -> a", None),
        ("G(F(a))", "F"),
        ("a U b", "U"),
        ("not G(a)", "G"),
        ("G(a) -> G(b)", "G"),
        ("not (a W b)", "W"),
        ("not (a R b)", "R"),
        ("not not F(a)", "F"),
        ("X(a) and (a W F(b))", "F"),
    ],
)
def test_offenders(text: str, offender: str | None) -> None:
    found = offending_operator(parse_formula(text))
    assert (found.operator if found else None) == offender


def test_the_offender_has_its_place() -> None:
    found = offending_operator(parse_formula("G(a) and (a U b)"))
    assert found is not None
    assert found.at.column == 13


def test_normal_forms() -> None:
    for text, normal in {
        "not G(a)": "F(not a)",
        "not (a W b)": "not b U (not a and not b)",
        "not (a U b)": "not a R not b",
        "not X(a and X(b))": "X(not a or X(not b))",
        "G(a) -> b": "F(not a) or b",
        "not (G(a) -> b)": "G(a) and not b",
        "not not a": "not not a",
        "not (x < 3 and X(true))": "not x < 3 or X(false)",
    }.items():
        assert to_text(positive_normal_form(parse_formula(text))) == normal
    assert Unary("not", Name("a")) == positive_normal_form(parse_formula("not a"))
