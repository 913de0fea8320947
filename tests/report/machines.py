"""Small machines to draw."""

import random
from collections.abc import Iterable
from itertools import pairwise

from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

ODD_NAMES = (
    "<script>alert(1)</script>",
    '"quo\\te"',
    "new\nline\ttab",
    "日本語の状態 ✓ 😀",
    "x" * 300,
    "",
    "  ",
    "\x00\x07\u202eevil",
    "-->]]></style></svg>",
    "&amp; \\N \\l \\",
    "\ud800",
    "' onload='alert(1)",
)


def machine(states: Iterable[str], transitions: Iterable[tuple[str, str, str, str]]) -> Fsm:
    names, steps = tuple(states), [FsmTransition(*t) for t in transitions]
    return Fsm(
        name="machine",
        initial=names[0],
        states=names,
        inputs=tuple(dict.fromkeys(t.input for t in steps)),
        outputs=tuple(dict.fromkeys(t.output for t in steps)),
        transitions=tuple(steps),
    )


def odd_machine() -> Fsm:
    """Every odd name is a state, an input and an output."""
    ring = zip(ODD_NAMES, ODD_NAMES[1:] + ODD_NAMES[:1], strict=True)
    return machine(ODD_NAMES, [(here, here, here, there) for here, there in ring])


def chain(length: int) -> Fsm:
    names = [f"s{n}" for n in range(length)]
    return machine(names, [(a, "a", "0", b) for a, b in pairwise(names)])


def web(states: int, inputs: int) -> Fsm:
    """A complete machine whose states are connected at random, the same each time."""
    chance = random.Random(states)
    return machine(
        [f"s{n}" for n in range(states)],
        [
            (f"s{n}", f"i{k}", chance.choice("01"), f"s{chance.randrange(states)}")
            for n in range(states)
            for k in range(inputs)
        ],
    )
