"""Random symbolic machines with numbers, truth values and enums; small types, or reals as well."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from tests.strategies.conditions import conditions

from fullproof.language.parser import parse_expression
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Variable
from fullproof.model import Sfsm
from fullproof.model.common import Constant, Description, FaultDomain
from fullproof.model.sfsm import SfsmTransition

SMALL = (Variable(name="x", type=IntType(0, 5)), Variable(name="b", type=BoolType()))
SMALL_OUTPUTS = (Variable(name="y", type=IntType(-2, 6)), Variable(name="e", type=EnumType(("O", "W", "A"))))
REAL = (Variable(name="x", type=RealType(Fraction(0), Fraction(10))), Variable(name="n", type=IntType(0, 3)))
REAL_OUTPUTS = (Variable(name="y", type=RealType(Fraction(0), None)),)

_small = st.integers(0, 6)
_sign = st.sampled_from(["<", "<=", "==", "!=", ">", ">="])
small_guards = st.one_of(
    st.sampled_from(["true", "b", "not b", "x % 2 == 0", "b -> x < 2", "x < 2 or x > 3", "x < 0", "x * x > 7"]),
    st.builds("x {} {}".format, _sign, _small),
    st.builds("b == (x {} {})".format, _sign, _small),
)
small_outputs = st.one_of(
    st.sampled_from(["y == x", "2 * y == x", "e == O", "e < A", "y == x or e == W", "if b then y == 1 else e != O"]),
    st.builds("y {} {}".format, _sign, _small),
    st.builds("y == {} * x - {}".format, st.integers(1, 3), _small),
    st.builds("{} <= y <= x + {}".format, _small, _small),
    st.builds("y - x {} {} and e == A".format, _sign, _small),
)
real_guards = st.one_of(
    st.sampled_from(["true", "x < n", "x + n > 5", "2 * x == n", "x > 2.5 or n == 0"]),
    st.builds("x {} {}".format, _sign, _small),
    st.builds("n {} {}".format, _sign, _small),
    st.builds("{} < x <= {}".format, _small, _small),
)
real_outputs = st.one_of(
    st.sampled_from(["y == x / 4", "y == x * x", "y < x + n", "y == (x - 3) ** 2 / 2", "y == n and x < 3", "y != n"]),
    st.builds("y {} {}".format, _sign, _small),
    st.builds("y == x - {}".format, _small),
    st.builds("{} <= y < {} + x / 3".format, _small, _small),
)


@st.composite
def models(draw: st.DrawFn, *, reals: bool = False, most: int = 4, least_transitions: int = 0) -> Sfsm:
    """Draw a machine of one or two states and a fault domain; nothing is promised of it but its size."""
    inputs, outputs = (REAL, REAL_OUTPUTS) if reals else (SMALL, SMALL_OUTPUTS)
    guards = st.lists(real_guards if reals else small_guards, min_size=1, max_size=most, unique=True)
    shown = st.lists(real_outputs if reals else small_outputs, min_size=1, max_size=most, unique=True)
    pool = [parse_expression(text) for text in draw(guards)], [parse_expression(text) for text in draw(shown)]
    states = ("s0", "s1")[: draw(st.integers(1 if not least_transitions else 2, 2))]
    step = st.builds(
        SfsmTransition,
        source=st.sampled_from(states),
        guard=st.sampled_from(pool[0]),
        output=st.sampled_from(pool[1]),
        target=st.sampled_from(states),
    )
    return Sfsm(
        name="m",
        initial="s0",
        states=states,
        inputs=inputs,
        outputs=outputs,
        transitions=tuple(draw(st.lists(step, min_size=least_transitions, max_size=max(4, least_transitions + 2)))),
        description=Description(fault_domain=FaultDomain(guards=tuple(pool[0]), outputs=tuple(pool[1]))),
    )


@st.composite
def wild_models(draw: st.DrawFn) -> Sfsm:
    """Draw a machine with any well-typed guards and outputs over small types and a constant."""
    constants = {"k": 3, "h": Fraction(1, 2)}
    guards = draw(st.lists(conditions(SMALL, constants), min_size=1, max_size=3))
    shown = draw(st.lists(conditions((*SMALL, *SMALL_OUTPUTS), constants), min_size=1, max_size=3))
    return Sfsm(
        name="wild",
        initial="s",
        states=("s",),
        inputs=SMALL,
        outputs=SMALL_OUTPUTS,
        transitions=(SfsmTransition(source="s", guard=guards[0], output=shown[0], target="s"),),
        description=Description(
            constants=tuple(Constant(name=name, value=value) for name, value in constants.items()),
            fault_domain=FaultDomain(guards=tuple(guards), outputs=tuple(shown)),
        ),
    )
