"""The finite machine that the symbolic methods work on: an acceptor of letters, and inputs that offer them.

A letter is what one step can show: an input/output class, a pair of guard and output expression, or an input with an
output. An input offers several letters, and a letter may be offered by several inputs, which is why fewer inputs can be
enough than a finite machine over the same inputs would need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from fullproof.analysis.minimise import prime
from fullproof.analysis.observable import observable
from fullproof.analysis.responses import Responses
from fullproof.analysis.table import RelationTable
from fullproof.artefacts.abstraction import ClassMachine


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LetterMachine:
    """Minimal, connected, deterministic in its letters; state 0 is initial, absent letters are impossible.

    ``inputs[i]`` are the letters that input ``i`` offers; together the inputs offer every letter. ``members[s]`` are
    the states of the original machine that some trace to ``s`` may lead to.
    """

    after: tuple[dict[int, int], ...]
    inputs: tuple[frozenset[int], ...]
    members: tuple[frozenset[int], ...]

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.after)

    def answers(self, state: int, symbol: int) -> frozenset[int]:
        """The letters that the machine may show for an input."""
        return self.inputs[symbol] & self.after[state].keys()

    def undefined(self) -> tuple[int, int] | None:
        """A state and an input without an answer, or None."""
        for state in range(self.states):
            for symbol in range(len(self.inputs)):
                if not self.answers(state, symbol):
                    return state, symbol
        return None

    def access(self, state: int) -> tuple[int, ...]:
        """A shortest word of inputs that may lead to a state."""
        words: dict[int, tuple[int, ...]] = {0: ()}
        queue = [0]
        for current in queue:  # grows while it is read
            for symbol in range(len(self.inputs)):
                for letter in sorted(self.answers(current, symbol)):
                    target = self.after[current][letter]
                    if target not in words:
                        words[target] = (*words[current], symbol)
                        queue.append(target)
        return words[state]

    def responses(self) -> Responses:
        """The same machine with letters as outputs; inputs without an answer are undefined."""
        return Responses(
            inputs=len(self.inputs),
            after=tuple(
                {
                    symbol: {letter: row[letter] for letter in sorted(offered & row.keys())}
                    for symbol, offered in enumerate(self.inputs)
                    if offered & row.keys()
                }
                for row in self.after
            ),
        )


def letter_machine(
    initial: int, after: Sequence[Sequence[Sequence[int]]], inputs: Sequence[frozenset[int]]
) -> LetterMachine:
    """Make a machine observable and minimal. ``after[s][a]`` are the states that letter ``a`` may lead to from ``s``.

    Guarantee: the same traces of letters, with the fewest states that a deterministic acceptor needs.
    """
    order = [initial, *(s for s in range(len(after)) if s != initial)]
    place = {state: k for k, state in enumerate(order)}
    rows = sorted(
        (place[s], letter, place[target])
        for s in order
        for letter, targets in enumerate(after[s])
        for target in targets
    )
    start = np.searchsorted([row[0] for row in rows], range(len(order) + 1)).astype(np.int32)
    whole = observable(
        RelationTable(
            states=len(order),
            inputs=1,
            outputs=max(1, len(after[initial])),
            start=start,
            output=np.array([row[1] for row in rows], dtype=np.int32),
            target=np.array([row[2] for row in rows], dtype=np.int32),
        )
    )
    smallest = prime(whole.relation)
    table = smallest.relation
    bounds = table.start.tolist()
    letters, targets = table.output.tolist(), table.target.tolist()
    return LetterMachine(
        after=tuple(dict(zip(letters[begin:end], targets[begin:end], strict=True)) for begin, end in pairwise(bounds)),
        inputs=tuple(inputs),
        members=tuple(frozenset(order[k] for k in whole.members[s]) for s in smallest.representative.tolist()),
    )


def over_classes(machine: ClassMachine, defined: Sequence[Sequence[bool]] | None = None) -> LetterMachine:
    """Letters are input/output classes, inputs the representatives (paper 000, Part I).

    ``defined`` says for each state and class whether the state defines the inputs of the class; None: all of them. An
    input is undefined after a trace where a state that the trace may have led to leaves it undefined, as for a judge:
    then it has no letters there, regardless of the answers of the other states.
    """
    inputs = [frozenset(r.covers) for r in machine.classes.representatives]
    if defined is None or all(all(row) for row in defined):
        return letter_machine(machine.initial, machine.after, inputs)
    subsets, after = _where_defined(machine, defined)
    found = letter_machine(0, after, inputs)
    return replace(found, members=tuple(frozenset().union(*(subsets[k] for k in s)) for s in found.members))


def _where_defined(
    machine: ClassMachine, defined: Sequence[Sequence[bool]]
) -> tuple[list[frozenset[int]], list[list[list[int]]]]:
    """The sets of states that traces lead to, and the sets after letters that all their members define."""
    subsets = [frozenset({machine.initial})]
    place = {subsets[0]: 0}
    after: list[list[list[int]]] = []
    for subset in subsets:  # grows while it is read
        row: list[list[int]] = [[] for _ in machine.classes.classes]
        for letter in range(len(row)):
            targets = frozenset(target for s in subset for target in machine.after[s][letter])
            if targets and all(defined[s][letter] for s in subset):
                if targets not in place:
                    place[targets] = len(subsets)
                    subsets.append(targets)
                row[letter] = [place[targets]]
        after.append(row)
    return subsets, after
