"""Random small transition systems and state machines whose runs can all be followed."""

from hypothesis import strategies as st

from fullproof.language.parser import parse_assignment, parse_expression
from fullproof.language.types import BoolType, EnumType, IntType, Variable
from fullproof.model import StateMachine, Sts
from fullproof.model.statemachine import SmTransition
from fullproof.model.sts import TAU, Assignment, Gate, Switch

MODE = EnumType(("O", "W", "A"))

_state_guards = ["true", "m < 2", "m == 3", "m != 1", "f", "not f", "m > 0 and f", "e == W", "e < A", "m >= 2 or f"]
_sts_guards = {
    "a": [*_state_guards, "p == m", "p > m", "p + m == 3", "p < 2 and f"],
    "b": _state_guards,
    "o": [*_state_guards, "q == m", "q == m + 2", "q < m", "q > 1 and f", "q != m"],
    "d": _state_guards,
    TAU: _state_guards,
}
_sts_updates = {
    "a": ["m := p", "m := m + p", "f := p > 1", "e := if p == 0 then O else W", "m := m - 1"],
    "b": ["m := m + 1", "m := 0", "f := not f", "e := A", "e := W"],
    "o": ["m := q", "m := min(m + 1, 3)", "f := q == m"],
    "d": ["m := 0", "f := true", "m := 3 - m"],
    TAU: ["m := m + 1", "m := m - 1", "f := not f", "m := 3 - m", "e := W"],
}


def _assignment(text: str) -> Assignment:
    variable, _, expression = text.partition(" := ")
    return Assignment(variable=variable, expression=parse_expression(expression))


@st.composite
def stss(
    draw: st.DrawFn, *, max_locations: int = 3, max_switches: int = 3, gates: tuple[str, ...] = ("a", "b", "o", "d")
) -> Sts:
    """Draw a transition system over two small variables and an enum."""
    locations = tuple(f"l{k}" for k in range(draw(st.integers(1, max_locations))))
    switches = []
    for location in locations:
        for _ in range(draw(st.integers(0, max_switches))):
            gate = draw(st.sampled_from(gates))
            updates = draw(st.lists(st.sampled_from(_sts_updates[gate]), max_size=2, unique_by=lambda u: u.split()[0]))
            switches.append(
                Switch(
                    source=location,
                    gate=gate,
                    guard=parse_expression(draw(st.sampled_from(_sts_guards[gate]))),
                    assignments=tuple(map(_assignment, updates)),
                    target=draw(st.sampled_from(locations)),
                )
            )
    return Sts(
        name="m",
        initial="l0",
        states=locations,
        variables=(
            Variable(name="m", type=IntType(0, 3), initial=draw(st.integers(0, 3))),
            Variable(name="f", type=BoolType(), initial=False),
            Variable(name="e", type=MODE, initial="O"),
        ),
        inputs=(Gate(name="a", parameters=(Variable(name="p", type=IntType(0, 2)),)), Gate(name="b")),
        outputs=(Gate(name="o", parameters=(Variable(name="q", type=IntType(0, 3)),)), Gate(name="d")),
        transitions=tuple(switches),
    )


_sm_guards = [*_state_guards, "x > m", "x == 0", "x + m == 3", "y == x", "x < 2 and f"]
_sm_actions = ["m = m + 1", "m = x", "m = 0", "f = x > 0", "y = m", "y = 3 - y", "e = W", "m = 2 * m", "m = m - 1"]


@st.composite
def statemachines(draw: st.DrawFn, *, max_states: int = 3, max_transitions: int = 3) -> StateMachine:
    """Draw a state machine with cycles of transitions without trigger, and choice points."""
    states = tuple(f"s{k}" for k in range(draw(st.integers(1, max_states))))
    choices = tuple(draw(st.lists(st.sampled_from(states[1:]), max_size=1))) if len(states) > 1 else ()
    transitions = []
    for state in states:
        for _ in range(draw(st.integers(0, max_transitions))):
            trigger = None if state in choices else draw(st.sampled_from(["go", "stop", None]))
            actions = [parse_assignment(text) for text in draw(st.lists(st.sampled_from(_sm_actions), max_size=3))]
            transitions.append(
                SmTransition(
                    source=state,
                    trigger=trigger,
                    guard=parse_expression(draw(st.sampled_from(_sm_guards))),
                    actions=tuple(Assignment(variable=name, expression=e) for name, e in actions),
                    sends=tuple(draw(st.lists(st.just("beep"), max_size=1))),
                    target=draw(st.sampled_from(states)),
                )
            )
    return StateMachine(
        name="m",
        initial="s0",
        states=states,
        choices=choices,
        signals_in=("go", "stop"),
        signals_out=("beep",),
        inputs=(Variable(name="x", type=IntType(0, 2)),),
        outputs=(Variable(name="y", type=IntType(0, 3), initial=0),),
        variables=(
            Variable(name="m", type=IntType(0, 3), initial=draw(st.integers(0, 3))),
            Variable(name="f", type=BoolType(), initial=False),
            Variable(name="e", type=MODE, initial="O"),
        ),
        transitions=tuple(transitions),
    )
