"""Harmonised state identifiers of partial deterministic machines, whose states are pairwise separable.

As in complete machines (``kernels/adaptive.py``), an experiment applies inputs to a group of states, and states that
answer differently part. But an input can be undefined in some states of a group: they leave the experiment there, not
distinguished from the rest. So the states that are left to distinguish form no partition: pairs are counted, and
experiments begin until every pair has parted in one of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.separation import Separation
from fullproof.analysis.table import Table

Word = tuple[int, ...]
Pairs = NDArray[np.bool_]

_TRIED = 8
"""How many shortest words are tried where no single input parts two states."""


@dataclass(frozen=True, slots=True)
class _Group:
    """States that answered alike so far: where they began, where they are, and the inputs applied."""

    origin: NDArray[np.int64]
    current: NDArray[np.int64]
    word: Word


class PartingWords:
    """Experiments on one machine.

    ``keep``: what it is worth that a pair stays in an experiment, beside 1 where it parts; ``price``: what each input
    costs, in the share of pairs that it has to part.
    """

    def __init__(self, table: Table, separation: Separation, *, keep: float, price: NDArray[np.float64]) -> None:
        if not separation.total:
            raise ValueError("identifiers need pairwise separable states")
        self._target = table.target.reshape(table.states, table.inputs)
        self._output = table.output.reshape(table.states, table.inputs)
        self._separation = separation
        self._keep = keep
        self._price = price
        self._open: Pairs = ~np.eye(table.states, dtype=np.bool_)
        """Pairs that no experiment has parted yet."""

    def words(self) -> list[set[Word]]:
        """Words for each state.

        Guarantee: any two states have words that begin with a common word which is defined in both and separates them.
        Every word of a state is defined there.
        """
        found: list[set[Word]] = [set() for _ in range(len(self._target))]
        while self._open.any():
            left = np.flatnonzero(self._open.any(axis=1))
            for state, word in self._experiment(left).items():
                found[state].add(word)
        return found

    def _experiment(self, states: NDArray[np.int64]) -> dict[int, Word]:
        """Grow one experiment; for each state, the inputs it has seen until it parted from an open one for the last
        time.
        """
        seen: dict[int, Word] = {}
        groups = [_Group(states, states, ())]
        while groups:
            group = groups.pop()
            hopeful = self._hopeful(group)
            inside = hopeful.any(axis=1)
            if not inside.any():
                continue
            group = _Group(group.origin[inside], group.current[inside], group.word)
            word = self._choice(group, hopeful[np.ix_(inside, inside)])
            groups += self._parts(group, word, seen)
        return seen

    def _hopeful(self, group: _Group) -> Pairs:
        """The open pairs of a group that can still part."""
        apart: Pairs = group.current[:, None] != group.current
        return apart & self._open[np.ix_(group.origin, group.origin)]

    def _choice(self, group: _Group, hopeful: Pairs) -> Word:
        """The inputs to apply next: they part some pair of the group that is open."""
        total = float(hopeful.sum())
        best: tuple[float, Word] | None = None
        words: list[Word] = [(symbol,) for symbol in range(self._target.shape[1])]
        for attempt in range(2):
            for word in words:
                parted, kept = self._outcome(group, hopeful, word)
                value = (parted + self._keep * kept) / total - float(self._price[list(word)].sum())
                if parted and (best is None or value > best[0]):
                    best = value, word
            if best is not None or attempt:
                break
            words = self._nearest(group, hopeful)
        assert best is not None  # a shortest separating word of an open pair parts it
        return best[1]

    def _outcome(self, group: _Group, hopeful: Pairs, word: Word) -> tuple[int, int]:
        """How many of the pairs part at the first input of a word that parts any, and how many stay."""
        current = group.current
        alive = np.ones(len(current), dtype=np.bool_)
        for symbol in word:
            alive = alive & (self._target[current, symbol] >= 0)
            both = hopeful & alive[:, None] & alive
            answer = self._output[current, symbol]
            differ = answer[:, None] != answer
            current = self._target[current, symbol].astype(np.int64)
            parted = int((both & differ).sum())
            if parted:
                return parted, int((both & ~differ & (current[:, None] != current)).sum())
        return 0, 0

    def _nearest(self, group: _Group, hopeful: Pairs) -> list[Word]:
        """Shortest separating words of some open pairs, the shortest ones."""
        one, other = np.nonzero(np.triu(hopeful))
        low = np.minimum(group.current[one], group.current[other])
        high = np.maximum(group.current[one], group.current[other])
        lengths = self._separation.lengths[high * (high - 1) // 2 + low]
        order = np.argsort(lengths, kind="stable")[:_TRIED]
        pairs = zip(low[order].tolist(), high[order].tolist(), strict=True)
        return list(dict.fromkeys(self._separation.word(*pair) for pair in pairs))

    def _parts(self, group: _Group, word: Word, seen: dict[int, Word]) -> list[_Group]:
        """Apply a word up to the first input that parts an open pair; note what has parted."""
        for symbol in word:
            defined = self._target[group.current, symbol] >= 0
            origin, current = group.origin[defined], group.current[defined]
            answer = self._output[current, symbol]
            after = self._target[current, symbol].astype(np.int64)
            passed = (*group.word, symbol)
            both = np.ix_(origin, origin)
            parted = self._open[both] & (answer[:, None] != answer)
            self._open[both] &= ~parted
            seen.update((int(state), passed) for state in origin[parted.any(axis=1)])
            if parted.any():
                return [_Group(origin[answer == y], after[answer == y], passed) for y in np.unique(answer)[::-1]]
            group = _Group(origin, after, passed)
        return [group]
