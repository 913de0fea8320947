"""Random class machines, whatever symbolic machines may stand behind them."""

from itertools import product

from hypothesis import strategies as st

from fullproof.artefacts.abstraction import ClassMachine, IoClass, IoClasses, SymbolicAlphabet
from fullproof.language.syntax import Name


@st.composite
def class_machines(draw: st.DrawFn, *, max_states: int = 4) -> ClassMachine:
    """Draw few propositions and many ways to go: abstractions that confuse states are common."""
    g, o, p = draw(st.integers(1, 2)), draw(st.integers(1, 2)), draw(st.integers(0, 2))
    names = [Name(f"e{k}") for k in range(g + o + p)]
    alphabet = SymbolicAlphabet(
        guards=tuple(names[:g]), outputs=tuple(names[g : g + o]), propositions=tuple(names[g + o :])
    )
    chance = draw(st.randoms(use_true_random=False))
    vectors = list(product((False, True), repeat=len(names)))
    signs = chance.sample(vectors, min(draw(st.integers(4, 8)), len(vectors)))
    classes = tuple(
        IoClass(id=f"io{k}", guards=s[:g], outputs=s[g : g + o], propositions=s[g + o :], witness={"k": k})
        for k, s in enumerate(signs, 1)
    )
    states = draw(st.integers(2, max_states))
    observable = draw(st.booleans())
    sizes = (0, 0, 0, 1) if observable else (0, 0, 0, 1, 2)
    after = tuple(
        tuple(tuple(sorted(chance.sample(range(states), chance.choice(sizes)))) for _ in classes) for _ in range(states)
    )
    return ClassMachine(
        states=tuple(f"s{k}" for k in range(states)),
        initial=0,
        classes=IoClasses(alphabet=alphabet, classes=classes, representatives=()),
        after=after,
    )
