"""The cheapest refutation: a word of extra + 1 inputs that no test applies in some state.

Then a machine survives that has a copy of each state along the word and a wrong output at its end: the copies are
entered by this word alone, hence no test sees the fault.
"""

from __future__ import annotations

from itertools import product

from fullproof.certify.machine import FlatMachine, Word
from fullproof.certify.tree import WordTree

_ROOM = 50_000_000
"""The greatest total length of all words of that length for which gaps are searched."""


def gap(model: FlatMachine, tree: WordTree, *, extra: int) -> tuple[int, Word] | None:
    """A state and a word of ``extra + 1`` inputs that no test applies there, or None where every one is applied.

    Words are tried in order, and at most one more than the suite applies.
    """
    length = extra + 1
    if model.inputs == 0 or len(tree) * length > _ROOM:
        return None
    applied: set[tuple[int, Word]] = set()
    parents, symbols, labels = tree.parent.tolist(), tree.symbol.tolist(), tree.label.tolist()
    for node in range(1, len(tree)):
        start, word = node, list[int]()
        while start and len(word) < length:
            word.append(symbols[start])
            start = parents[start]
        if len(word) == length:
            applied.add((labels[start], tuple(reversed(word))))
    for state in range(model.states):
        for tried in product(range(model.inputs), repeat=length):
            if (state, tried) not in applied:
                return state, tried
    return None


def fault_in(model: FlatMachine, state: int, word: Word) -> FlatMachine:
    """The model with a copy of each state that ``word`` visits on its way from ``state``, and its last output wrong."""
    target, output = [list(row) for row in model.target], [list(row) for row in model.output]
    here = state
    for symbol in word[:-1]:
        copied = target[here][symbol]
        target.append(list(model.target[copied]))
        output.append(list(model.output[copied]))
        target[here][symbol] = len(target) - 1
        here = len(target) - 1
    right = output[here][word[-1]]
    output[here][word[-1]] = min({o for row in model.output for o in row} - {right}, default=right + 1)
    return FlatMachine(tuple(map(tuple, target)), tuple(map(tuple, output)))
