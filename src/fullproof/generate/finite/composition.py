"""Suites {v.x.w : v in a state cover, |x| <= extra + 1, w identifies the state after v.x}, whole or as a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.covers import StateCover
from fullproof.analysis.defined_words import word_counts
from fullproof.analysis.inner_words import NodeIdentifiers, cover_edges
from fullproof.analysis.kernels.compose import Composer
from fullproof.analysis.table import Table
from fullproof.artefacts.words import WordList

_CHUNK = 1 << 20
_ALL = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSize:
    """Maximal tests and the sum of their lengths; a reset for each test comes on top."""

    tests: int
    inputs: int

    @property
    def cost(self) -> int:
        """Inputs plus resets."""
        return self.tests + self.inputs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Composition:
    """A suite that is not written out yet. Its maximal tests come in lexicographic order, each of them once."""

    table: Table
    cover: StateCover
    identifiers: NodeIdentifiers
    extra_states: int
    prefix: tuple[int, ...] = ()
    """Only the tests that begin so; a word of P, see ``parts``."""

    def parts(self, *, leaves: int) -> Iterator[tuple[int, ...]]:
        """Prefixes that share out the suite: the tests below one after the other are those of the suite, in order.

        Below each lie at most this many leaves of the tree P of words v.x; a leaf that is alone may be a part, too.
        """
        table, covers = self.table, cover_edges(self.table, self.cover)
        ahead = word_counts(table, self.extra_states + 1)
        below = self._leaves_below(covers, ahead[self.extra_states])
        stack: list[tuple[tuple[int, ...], int, int]] = [((), 0, 0)]
        while stack:
            word, state, level = stack.pop()
            size = below[state] if level == 0 else ahead[self.extra_states + 1 - level][state]
            if size <= leaves or level == self.extra_states + 1:
                yield word
                continue
            for symbol in reversed(range(table.inputs)):
                cell = state * table.inputs + symbol
                if table.target[cell] < 0:
                    continue
                on = 0 if level == 0 and covers[cell] else level + 1
                stack.append(((*word, symbol), int(table.target[cell]), on))

    def below(self, prefix: tuple[int, ...]) -> Composition:
        """One of the ``parts``."""
        return replace(self, prefix=prefix)

    def words(self) -> WordList:
        """The whole suite in memory."""
        composer = self._composer()
        composer.run(_ALL, True)
        return WordList(*composer.take())

    def chunks(self, *, inputs: int = _CHUNK) -> Iterator[WordList]:
        """The suite piece by piece, about ``inputs`` inputs each: memory does not grow with the suite."""
        composer = self._composer()
        more = True
        while more:
            more = composer.run(inputs, True)
            piece = WordList(*composer.take())
            if len(piece):
                yield piece

    def size(self) -> SuiteSize:
        """Count without writing anything."""
        composer = self._composer(keep=False)
        composer.run(_ALL, False)
        tests, inputs = composer.counts()
        return SuiteSize(tests=tests, inputs=inputs)

    def _leaves_below(self, covers: NDArray[np.uint8], ahead: list[int]) -> list[int]:
        """For each state, the leaves of P below its word in the cover; ``ahead``: those after one input that leaves
        the cover.
        """
        inputs, parent = self.table.inputs, self.cover.parent
        below = [0] * self.table.states
        for cell in np.flatnonzero((covers == 0) & (self.table.target >= 0)).tolist():
            below[cell // inputs] += ahead[int(self.table.target[cell])]
        for state in reversed(self.cover.order.tolist()):
            if parent[state] >= 0:
                below[int(parent[state])] += below[state]
        return below

    def _composer(self, *, keep: bool = True) -> Composer:
        nodes = self.identifiers
        composer = Composer(
            self.table.inputs,
            self.extra_states,
            self.table.target,
            cover_edges(self.table, self.cover),
            (nodes.child, nodes.sibling, nodes.symbol),
            (nodes.inner, nodes.leaf),
        )
        composer.start(self.prefix, keep)
        return composer
