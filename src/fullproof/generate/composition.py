"""Suites {v.x.w : v in a state cover, |x| <= extra + 1, w identifies the state after v.x}, whole or as a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fullproof.analysis.covers import StateCover
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
        composer = self._composer()
        composer.run(_ALL, False)
        tests, inputs = composer.counts()
        return SuiteSize(tests=tests, inputs=inputs)

    def _composer(self) -> Composer:
        nodes = self.identifiers
        return Composer(
            self.table.inputs,
            self.extra_states,
            self.table.target,
            cover_edges(self.table, self.cover),
            (nodes.child, nodes.sibling, nodes.symbol),
            (nodes.inner, nodes.leaf),
        )
