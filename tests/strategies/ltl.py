"""Hypothesis generators of LTL formulas over truth values, of any form, and of words and machines they speak of."""

from hypothesis import strategies as st

from fullproof.language.syntax import Binary, Boolean, Expression, Name, Temporal, Unary

NAMES = ("a", "b")

literals = st.sampled_from([Name("a"), Name("b"), Unary("not", Name("a")), Unary("not", Name("b"))])
state_formulas: st.SearchStrategy[Expression] = st.one_of(
    literals,
    st.builds(Binary, st.sampled_from(["and", "or", "->"]), literals, literals),
    st.booleans().map(Boolean),
)
formulas: st.SearchStrategy[Expression] = st.recursive(
    state_formulas,
    lambda inner: st.one_of(
        st.builds(lambda op, f: Temporal(op, (f,)), st.sampled_from(["X", "F", "G"]), inner),
        st.builds(lambda op, f, g: Temporal(op, (f, g)), st.sampled_from(["U", "W", "R"]), inner, inner),
        st.builds(Binary, st.sampled_from(["and", "or", "->"]), inner, inner),
        st.builds(lambda f: Unary("not", f), inner),
    ),
    max_leaves=6,
)
