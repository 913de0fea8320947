"""State identifiers: for each state a set of words that distinguishes it from the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.defined_words import is_complete
from fullproof.analysis.kernels.adaptive import Experimenter
from fullproof.analysis.partial_identifiers import PartingWords
from fullproof.analysis.separation import Separation
from fullproof.analysis.table import IntArray, Table
from fullproof.artefacts.kernels.forest import Forest

Word = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Identifiers:
    """One prefix tree of words for each state: first child, next sibling, symbol of each node; root of each state."""

    child: IntArray
    sibling: IntArray
    symbol: IntArray
    root: IntArray

    def words(self, state: int) -> tuple[Word, ...]:
        """The maximal words of a state, in lexicographic order; none where there is only one state."""
        found: list[Word] = []
        waiting: list[tuple[int, Word]] = [(int(self.child[self.root[state]]), ())]
        while waiting:
            node, path = waiting.pop()
            if node < 0:
                continue
            waiting.append((int(self.sibling[node]), path))
            word = (*path, int(self.symbol[node]))
            if self.child[node] < 0:
                found.append(word)
            else:
                waiting.append((int(self.child[node]), word))
        return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste:
    """How experiments choose inputs.

    ``rate``: inputs expected for one bit of what is still to be distinguished; ``fine``: what another experiment costs
    a state; ``ahead``: how many inputs to look ahead at most, fewer where a decision would take more than
    ``work`` steps; ``favourite``: an input that counts only ``discount`` of its price,
    since words that repeat one input share more of their tests.
    """

    rate: float
    fine: float
    ahead: int
    work: float = 1e6
    favourite: int = 0
    discount: float = 0.0


def identifiers_of(words: Sequence[Iterable[Sequence[int]]]) -> Identifiers:
    """Collect the words of states 0, 1, ..."""
    forest = Forest(len(words))
    for state, own in enumerate(words):
        for word in own:
            forest.insert(state, np.array(word, dtype=np.int32))
    return _identifiers(forest, len(words))


def harmonised_identifiers(
    table: Table, separation: Separation, *, weight: NDArray[np.float64], taste: Taste
) -> Identifiers:
    """Build harmonised state identifiers by adaptive experiments.

    Guarantee: any two states have identifiers that begin with a common word which is defined in both and separates
    them. Needs: pairwise separable states, as those of a minimal complete machine are. Where the machine has an
    adaptive distinguishing sequence, most states get one word; ``weight`` says how often the identifiers of a state
    will be used.
    """
    price = np.ones(table.inputs)
    price[taste.favourite] -= taste.discount
    if not is_complete(table):
        parting = PartingWords(table, separation, keep=1 / (1 + taste.rate), price=price / taste.fine)
        return identifiers_of([sorted(own) for own in parting.words()])
    experimenter = Experimenter(
        (table.target, table.output),
        table.outputs,
        (separation.first, separation.lengths),
        weight,
        (taste.rate, taste.fine, taste.ahead, taste.work),
        price,
    )
    symbols, offsets, owners = experimenter.identifiers()
    forest = Forest(table.states)
    forest.insert_each(owners, symbols, offsets)
    return _identifiers(forest, table.states)


def _identifiers(forest: Forest, states: int) -> Identifiers:
    child, sibling, symbol = forest.arrays()
    return Identifiers(child=child, sibling=sibling, symbol=symbol, root=np.arange(states, dtype=np.int32))
