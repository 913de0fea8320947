"""Loops of a machine, repeated: for counters that no bound on states sees.

For each transition: a shortest way to its source, the loop that begins with it and comes back by a shortest way, as
often as asked, then every input of that state. No guarantee: a system that differs from the model after more
repetitions than were tried, or in a loop that is not one of these, passes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from fullproof.artefacts.prefix_tree import ROOT, PrefixTree
from fullproof.artefacts.words import WordList, WordSource, word_list

Moves = Mapping[int, Mapping[int, int]]
"""The next state for each state and input, where there is one only; 0 is the initial state."""
Word = tuple[int, ...]


class Loops:
    """The loops of a machine, each with a state at which it begins."""

    def __init__(self, moves: Moves) -> None:
        self._moves = moves
        self._known: dict[int, dict[int, Word]] = {}
        self.found = tuple(self._distinct())

    def words(self, times: int) -> Iterator[Word]:
        """One word for each loop, which it repeats so many times."""
        for state, loop in self.found:
            yield (*self._ways(0)[state], *loop * times, *self._all_inputs(state))

    def inputs(self, times: int) -> int:
        """How many inputs these words have at least."""
        return sum(len(loop) for _, loop in self.found) * times

    def _distinct(self) -> Iterator[tuple[int, Word]]:
        """One loop for each cycle, the nearest states first."""
        cycles: set[frozenset[tuple[int, int]]] = set()
        for state in self._ways(0):
            for symbol, target in sorted(self._moves[state].items()):
                back = self._ways(target).get(state)
                if back is None:
                    continue
                loop = (symbol, *back)
                cycle = frozenset(self._steps(state, loop))
                if cycle not in cycles:
                    cycles.add(cycle)
                    yield state, loop

    def _all_inputs(self, state: int) -> Word:
        """Every input of a state, with the way back after it; of those without a way back, one ends the word."""
        word: list[int] = []
        last: Word = ()
        for symbol, target in sorted(self._moves[state].items()):
            back = self._ways(target).get(state)
            if back is None:
                last = last or (symbol,)
            else:
                word += (symbol, *back)
        return (*word, *last)

    def _ways(self, start: int) -> dict[int, Word]:
        """A shortest way from a state to each state that can be reached, the nearest first."""
        if start in self._known:
            return self._known[start]
        found: dict[int, Word] = {start: ()}
        queue = deque((start,))
        while queue:
            state = queue.popleft()
            for symbol, target in sorted(self._moves[state].items()):
                if target not in found:
                    found[target] = (*found[state], symbol)
                    queue.append(target)
        self._known[start] = found
        return found

    def _steps(self, state: int, word: Sequence[int]) -> Iterator[tuple[int, int]]:
        for symbol in word:
            yield state, symbol
            state = self._moves[state][symbol]


class WithLoops:
    """The words of a suite, then those that repeat loops; no word is a prefix of another."""

    def __init__(self, words: WordSource, repeated: Sequence[Word]) -> None:
        self._words = words
        self._tree = PrefixTree(repeated)
        maximal = {tuple(word.tolist()) for word in self._tree.maximal()}
        self._ends = {self._tree.insert(word): word for word in repeated if word in maximal}

    def chunks(self) -> Iterator[WordList]:
        """Those of the suite that are no prefix of a later one, then the others."""
        known: set[int] = set()
        for piece in self._words.chunks():
            yield word_list(word for word in (one.tolist() for one in piece) if not self._is_prefix(word, known))
        yield word_list(word for node, word in self._ends.items() if node not in known)

    def _is_prefix(self, word: Sequence[int], known: set[int]) -> bool:
        """Whether a word is the beginning of one with loops; adds to ``known`` what the word begins with itself."""
        node = ROOT
        for symbol in word:
            if node in self._ends:
                known.add(node)
            node = self._tree.find(node, symbol)
            if node < 0:
                return False
        return True
