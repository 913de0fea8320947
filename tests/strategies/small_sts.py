"""Small transition systems over small types: nondeterministic, with quiescent states and inputs left open."""

from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from fullproof.language.parser import parse_expression
from fullproof.language.types import BoolType, EnumType, IntType, Variable
from fullproof.model import Sts
from fullproof.model.common import Constant, Description
from fullproof.model.sts import TAU, Assignment, Gate, Switch

COLOUR = EnumType(("red", "green"))
VARIABLES = (
    Variable(name="n", type=IntType(0, 3), initial=0),
    Variable(name="k", type=IntType(), initial=1),
    Variable(name="f", type=BoolType(), initial=False),
    Variable(name="c", type=COLOUR, initial="red"),
)
INPUTS = (
    Gate(name="a", parameters=(Variable(name="p", type=IntType(0, 2)),)),
    Gate(name="b"),
    Gate(name="e", parameters=(Variable(name="d", type=COLOUR),)),
)
OUTPUTS = (
    Gate(name="x", parameters=(Variable(name="q", type=IntType(-1, 2)),)),
    Gate(name="y", parameters=(Variable(name="r", type=BoolType()), Variable(name="s", type=COLOUR))),
    Gate(name="z", parameters=(Variable(name="w", type=IntType(0, 20)),)),
    Gate(name="done"),
)
GUARDS = {
    "": ("true", "n > 1", "f", "not f", "k >= LIMIT", "c == red", "n == 0 or k < 3", "c < green -> f"),
    "a": ("p > 0", "p == n", "p != n", "p <= k", "p == 1 and not f"),
    "b": (),
    "e": ("d == c", "d != red", "d == green or f"),
    "x": ("q == n", "q == n + 1", "q > n", "q == k - 1", "0 <= q <= k and q != 1", "q == (if f then 1 else 2)"),
    "y": ("r == f", "r and s == c", "s == red", "r == (n > 1) and s == green", "r or s != c"),
    "z": ("w % 3 == n", "w * w == k", "w == 2 * k + 1", "w > 18"),
    "done": (),
    TAU: (),
}
UPDATES = {
    "": {
        "n": ("0", "min(n + 1, 3)", "(n + 1) % 4", "3 - n", "if f then 0 else 2"),
        "k": ("k + 1", "k - n", "2 * k", "0", "1"),
        "f": ("not f", "n == 2", "true", "k > 1"),
        "c": ("red", "green", "if f then c else green"),
    },
    "a": {"n": ("p", "(n + p) % 4", "max(p, n)"), "k": ("k + p", "p"), "f": ("p == n", "p > k"), "c": ()},
    "b": {},
    "e": {"c": ("d",), "f": ("d == c",)},
    "x": {"n": ("abs(q)",), "k": ("k + q", "q")},
    "y": {"f": ("r", "r and f"), "c": ("s",)},
    "z": {"k": ("w - k",), "n": ("w % 4",)},
    "done": {},
    TAU: {},
}


parsed = cache(parse_expression)


@st.composite
def switches(draw: st.DrawFn, locations: list[str], gates: tuple[Gate, ...]) -> Switch:
    gate = draw(st.sampled_from(gates))
    guard = draw(st.sampled_from((*GUARDS[gate.name], *GUARDS[""])))
    if gate.parameters and draw(st.booleans()):
        guard = f"({guard}) and ({draw(st.sampled_from(GUARDS['']))})"
    assignments = []
    for variable in VARIABLES:
        choices = (*UPDATES[gate.name].get(variable.name, ()), *UPDATES[""][variable.name])
        text = draw(st.none() | st.sampled_from(choices))
        if text is not None:
            assignments.append(Assignment(variable=variable.name, expression=parsed(text)))
    return Switch(
        source=draw(st.sampled_from(locations)),
        gate=gate.name,
        guard=parsed(guard),
        assignments=tuple(assignments),
        target=draw(st.sampled_from(locations)),
    )


@st.composite
def small_sts(draw: st.DrawFn, *, gates: tuple[Gate, ...] = INPUTS + OUTPUTS) -> Sts:
    """Draw a system; ``gates`` are those that its switches use."""
    locations = [f"l{number}" for number in range(draw(st.integers(1, 3)))]
    listed = draw(st.lists(switches(locations, gates), min_size=1, max_size=7))
    return Sts(
        name="drawn",
        initial="l0",
        states=tuple(locations),
        variables=VARIABLES,
        inputs=INPUTS,
        outputs=OUTPUTS,
        transitions=tuple(listed),
        description=Description(constants=(Constant(name="LIMIT", value=2),)),
    )


@st.composite
def changed(draw: st.DrawFn, model: Sts, *, gates: tuple[Gate, ...] = INPUTS + OUTPUTS) -> Sts:
    """Draw the system with a switch left out, another one more, another target, or other guards and updates."""
    listed = list(model.transitions)
    place = draw(st.integers(0, len(listed) - 1))
    match draw(st.sampled_from(("drop", "add", "target", "replace", "initial"))):
        case "drop":
            del listed[place]
        case "add":
            listed.append(draw(switches(list(model.states), gates)))
        case "target":
            listed[place] = replace(listed[place], target=draw(st.sampled_from(model.states)))
        case "replace":
            fresh = draw(switches(list(model.states), gates))
            listed[place] = replace(fresh, source=listed[place].source)
        case _:
            start = replace(VARIABLES[1], initial=draw(st.integers(0, 2)))
            return replace(model, variables=(VARIABLES[0], start, *VARIABLES[2:]))
    return replace(model, transitions=tuple(listed))
