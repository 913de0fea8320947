"""Random small symbolic machines over whole numbers, truth values and enums, all of whose values can be tried out."""

from hypothesis import strategies as st

from fullproof.language.parser import parse_expression
from fullproof.language.types import BoolType, EnumType, IntType, Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition

INPUTS = (Variable(name="x", type=IntType(0, 4)), Variable(name="b", type=BoolType()))
# 21 values are too many to be tried out by the elimination of outputs, few enough for the oracle.
OUTPUTS = (Variable(name="y", type=IntType(0, 20)), Variable(name="e", type=EnumType(("O", "W", "A"))))

_small = st.integers(0, 5)
guards = st.one_of(
    st.sampled_from(["true", "b", "not b", "x % 2 == 0", "b -> x < 2", "x == 1 or b", "x < 2 or x > 3"]),
    st.builds("x {} {}".format, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), _small),
    st.builds("{} <= x <= {}".format, _small, _small),
    st.builds("b and x {} {}".format, st.sampled_from(["<", ">=", "=="]), _small),
)
numeric_outputs = st.one_of(
    st.sampled_from(
        ["true", "y == x", "2 * y == x", "y / 3 == x", "y < x / 2", "x + 1 - y > 2 * x", "y == x or y == 7", "y != x"]
    ),
    st.builds("y == {}".format, st.integers(0, 22)),
    st.builds("y == {} * x + {}".format, st.integers(1, 6), _small),
    st.builds("y - x {} {}".format, st.sampled_from(["<", "<=", "==", ">", ">="]), _small),
    st.builds("{} <= y <= {} * x".format, _small, _small),
    st.builds("y >= {} and -y > x - {}".format, _small, st.integers(0, 12)),
    st.builds("if b then y == {} else y == x".format, st.integers(0, 22)),
)
enum_outputs = st.sampled_from(["e == O", "e == W", "e == A", "e < A", "e != W", "true", "x > 2 -> e == O", "e > A"])


@st.composite
def sfsms(draw: st.DrawFn, *, max_states: int = 3, max_transitions: int = 3) -> Sfsm:
    """Draw any machine: partial, nondeterministic, not observable, with dead transitions and equivalent states."""
    states = tuple(f"s{k}" for k in range(draw(st.integers(1, max_states))))
    transitions = []
    pool = draw(st.lists(st.tuples(guards, numeric_outputs, enum_outputs), min_size=1, max_size=5))
    for state in states:
        for _ in range(draw(st.integers(0, max_transitions))):
            guard, number, name = draw(st.sampled_from(pool))
            target = draw(st.sampled_from(states))
            output = parse_expression(f"({number}) and ({name})")
            transitions.append(
                SfsmTransition(source=state, guard=parse_expression(guard), output=output, target=target)
            )
    return Sfsm(name="m", initial="s0", states=states, inputs=INPUTS, outputs=OUTPUTS, transitions=tuple(transitions))
