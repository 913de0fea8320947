"""Quasi-equivalence by its definition, and every complete deterministic machine with a few states."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from fullproof.analysis.table import Table

Cell = tuple[int, int]
"""An output and a target."""


def complete_machines(states: int, inputs: int, outputs: int) -> Iterator[tuple[Cell, ...]]:
    """Every machine, row by row; initial state 0."""
    yield from product(product(range(outputs), range(states)), repeat=states * inputs)


def survivors(model: Table, words: Iterable[Sequence[int]], *, states: int) -> Iterator[tuple[Cell, ...]]:
    """The machines that answer all words as the model does, and some other defined word differently."""
    tests = [list(word) for word in words]
    for machine in complete_machines(states, model.inputs, model.outputs):
        if all(_agrees(model, machine, word) for word in tests) and not _quasi_equivalent(model, machine):
            yield machine


def _agrees(model: Table, machine: Sequence[Cell], word: Sequence[int]) -> bool:
    s = t = 0
    for symbol in word:
        here = s * model.inputs + symbol
        output, t = machine[t * model.inputs + symbol]
        if output != model.output[here]:
            return False
        s = int(model.target[here])
    return True


def _quasi_equivalent(model: Table, machine: Sequence[Cell]) -> bool:
    """All defined words up to a length beyond which nothing new can happen: that of pairs of states."""
    level = {(0, 0)}
    seen: set[tuple[int, int]] = set()
    while level - seen:
        seen |= level
        after = set()
        for s, t in level:
            for symbol in range(model.inputs):
                here = s * model.inputs + symbol
                if model.target[here] >= 0:
                    output, target = machine[t * model.inputs + symbol]
                    if output != model.output[here]:
                        return False
                    after.add((int(model.target[here]), target))
        level = after
    return True
