"""Random specifications of the kinds that have broken test generators before."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from tests.oracles.machines import quotient

from fullproof.analysis.table import Table

Cells = tuple[list[int], list[int]]


def _plain(_: random.Random, n: int, p: int, cells: Cells) -> None:
    """Leave it as drawn."""


def _never_initial_again(draw: random.Random, n: int, p: int, cells: Cells) -> None:
    """No transition enters the initial state."""
    cells[0][:] = [draw.randrange(1, n) if n > 1 else 0 for _ in range(n * p)]


def _sink(draw: random.Random, n: int, p: int, cells: Cells) -> None:
    """Most transitions lead into a state that nothing leaves, and answer as it does."""
    for cell in range(n * p):
        if cell // p == n - 1 or draw.random() < 0.6:
            cells[0][cell], cells[1][cell] = n - 1, 0


def _equal_rows(draw: random.Random, n: int, p: int, cells: Cells) -> None:
    """Most states answer single inputs as one of the first two does."""
    for state in range(2, n):
        if draw.random() < 0.7:
            like = draw.randrange(2)
            cells[1][state * p : (state + 1) * p] = cells[1][like * p : (like + 1) * p]


def _mute(_: random.Random, n: int, p: int, cells: Cells) -> None:
    """The first input always gets the same answer."""
    for state in range(n):
        cells[1][state * p] = 0


def _loops(draw: random.Random, n: int, p: int, cells: Cells) -> None:
    """Half of the transitions stay where they are."""
    for cell in range(n * p):
        if draw.random() < 0.5:
            cells[0][cell] = cell // p


def _hub(draw: random.Random, n: int, p: int, cells: Cells) -> None:
    """Half of the transitions lead back to the initial state."""
    for cell in range(n * p):
        if draw.random() < 0.5:
            cells[0][cell] = 0


KINDS: tuple[Callable[[random.Random, int, int, Cells], None], ...] = (
    _plain,
    _never_initial_again,
    _sink,
    _equal_rows,
    _mute,
    _loops,
    _hub,
)


def specification(draw: random.Random, kind: int, *, states: int, inputs: int, outputs: int = 2) -> Table:
    """Draw a complete, minimal, connected machine with so many states, or a few less where that is hard."""
    best: Table | None = None
    for _ in range(300 if states < 8 else 10):
        cells = (
            [draw.randrange(states) for _ in range(states * inputs)],
            [draw.randrange(outputs) for _ in range(states * inputs)],
        )
        KINDS[kind % len(KINDS)](draw, states, inputs, cells)
        table = quotient(
            Table(
                states=states,
                inputs=inputs,
                outputs=outputs,
                target=np.array(cells[0], dtype=np.int32),
                output=np.array(cells[1], dtype=np.int32),
            )
        )
        if best is None or table.states > best.states:
            best = table
        if best.states == states:
            break
    assert best is not None
    return best


def specifications(seed: int, count: int, *, states: tuple[int, ...], inputs: tuple[int, ...]) -> list[Table]:
    """Draw machines of all kinds in turn."""
    draw = random.Random(seed)
    return [
        specification(
            draw, kind, states=draw.choice(states), inputs=draw.choice(inputs), outputs=draw.choice((2, 2, 3))
        )
        for kind in range(count)
    ]
