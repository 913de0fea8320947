"""Words on which two states of an observable machine answer with different sets of outputs."""

from __future__ import annotations

from itertools import combinations

from fullproof.analysis.r_distinguishability import Pair, ordered
from fullproof.analysis.responses import Responses


def language_separating_words(machine: Responses) -> dict[Pair, tuple[int, ...]]:
    """A shortest separating word for each pair of states whose languages differ; other pairs are absent.

    Needs: observable and complete. Complete testing makes the whole set of outputs observable, so one additional output
    on one branch is enough, unlike reliable distinguishability, which must hold on every branch.
    """
    words: dict[Pair, tuple[int, ...]] = {}
    open_pairs = list(combinations(range(machine.states), 2))
    changed = True
    while changed:
        found = {pair: word for pair in open_pairs if (word := _word(machine, pair, words)) is not None}
        words.update(found)
        open_pairs = [pair for pair in open_pairs if pair not in found]
        changed = bool(found)
    return words


def _word(machine: Responses, pair: Pair, words: dict[Pair, tuple[int, ...]]) -> tuple[int, ...] | None:
    """A word one input longer than a known one; each round of the search handles one more length."""
    first, second = machine.after[pair[0]], machine.after[pair[1]]
    for symbol in range(machine.inputs):
        if first[symbol].keys() != second[symbol].keys():
            return (symbol,)
    for symbol in range(machine.inputs):
        for output in sorted(first[symbol]):
            rest = words.get(ordered(first[symbol][output], second[symbol][output]))
            if rest is not None:
                return (symbol, *rest)
    return None
