"""Input words that distinguish the states of a letter machine, when all letters that a state may show are seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from fullproof.core.errors import Bug
from fullproof.generate.symbolic.letters import LetterMachine

Word = tuple[int, ...]
Pairs = frozenset[tuple[int, int]]

_MOST_STEPS = 200_000  # pairs of states times inputs that the search for one word may visit
_MOST_WORDS = 12


class Separator:
    """Separating words of one machine.

    An input word separates two states if some sequence of letters that it offers is a trace of one of them only: that
    sequence is the gamma of paper 000, Table 5.1.
    """

    def __init__(self, machine: LetterMachine) -> None:
        self._machine = machine
        self._shortest = _shortest_words(machine)
        self._prefixes: dict[tuple[int, int, Word], int] = {}

    def shortest(self, one: int, other: int) -> Word:
        """A shortest separating word of two different states."""
        return self._shortest[min(one, other), max(one, other)]

    def prefix(self, one: int, other: int, word: Word) -> Word | None:
        """The shortest prefix of a word that separates two states, or None."""
        key = (min(one, other), max(one, other), word)
        if key not in self._prefixes:
            self._prefixes[key] = self._length(*key)
        length = self._prefixes[key]
        return word[:length] if length else None

    def _length(self, one: int, other: int, word: Word) -> int:
        pairs: Pairs | None = frozenset({(one, other)})
        for length, symbol in enumerate(word, 1):
            assert pairs is not None
            pairs = self._step(pairs, symbol)
            if pairs is None:
                return length
        return 0

    def _step(self, pairs: Pairs, symbol: int) -> Pairs | None:
        """The pairs of different states after the traces that both have; None where one has a trace more."""
        machine, offered = self._machine, self._machine.inputs[symbol]
        found = set()
        for one, other in pairs:
            first, second = machine.after[one], machine.after[other]
            common = offered & first.keys()
            if common != offered & second.keys():
                return None
            found |= {(first[letter], second[letter]) for letter in common if first[letter] != second[letter]}
        return frozenset(found)

    def identifiers(self, state: int, rivals: Sequence[int]) -> list[tuple[Word, ...]]:
        """Sets of words that distinguish a state from its rivals, the ones that look best first; at least one."""
        if not rivals:
            return [()]
        longest = max(len(self.shortest(state, rival)) for rival in rivals)
        found: list[tuple[Word, ...]] = [(word,) for word in self._single(state, rivals, 2 * longest + 1)]
        greedy = self._greedy(state, rivals)
        return [*found, greedy] if greedy not in found else found

    def _single(self, state: int, rivals: Sequence[int], longest: int) -> list[Word]:
        """Words that distinguish a state from all rivals at once, shortest first."""
        start: tuple[Pairs | None, ...] = tuple(frozenset({(state, rival)}) for rival in rivals)
        seen = {start}
        found: list[Word] = []
        level: list[tuple[Word, tuple[Pairs | None, ...]]] = [((), start)]
        most = _MOST_STEPS // (len(self._machine.inputs) * len(rivals))
        for _ in range(longest):
            after: list[tuple[Word, tuple[Pairs | None, ...]]] = []
            for word, open_pairs in level:
                for symbol in range(len(self._machine.inputs)):
                    left = tuple(pairs and self._step(pairs, symbol) for pairs in open_pairs)
                    if not any(pairs is not None for pairs in left):
                        found.append((*word, symbol))
                    elif left not in seen and all(pairs is None or pairs for pairs in left):
                        seen.add(left)
                        after.append(((*word, symbol), left))
            if found or len(seen) > most:
                break
            level = after
        return found[:_MOST_WORDS]

    def _greedy(self, state: int, rivals: Sequence[int]) -> tuple[Word, ...]:
        """Shortest separating words of pairs, those that serve many rivals first."""
        offers = dict.fromkeys(self.shortest(state, rival) for rival in rivals)
        left, words = set(rivals), []
        while left:
            best = max(offers, key=lambda word: (self._served(state, left, word), -len(word)))
            words.append(best)
            left -= {rival for rival in left if self.prefix(state, rival, best) is not None}
        return tuple(sorted(words))

    def _served(self, state: int, rivals: Iterable[int], word: Word) -> int:
        return sum(self.prefix(state, rival, word) is not None for rival in rivals)


def _shortest_words(machine: LetterMachine) -> dict[tuple[int, int], Word]:
    words: dict[tuple[int, int], Word] = {}
    left = list(combinations(range(machine.states), 2))
    while left:
        found = {pair: word for pair in left if (word := _word(machine, pair, words)) is not None}
        if not found:
            raise Bug("two states of a minimal machine cannot be distinguished by its inputs")
        words.update(found)
        left = [pair for pair in left if pair not in found]
    return words


def _word(machine: LetterMachine, pair: tuple[int, int], words: dict[tuple[int, int], Word]) -> Word | None:
    """A word one input longer than a known one."""
    first, second = machine.after[pair[0]], machine.after[pair[1]]
    for symbol in range(len(machine.inputs)):
        if machine.answers(pair[0], symbol) != machine.answers(pair[1], symbol):
            return (symbol,)
    for symbol in range(len(machine.inputs)):
        for letter in sorted(machine.answers(pair[0], symbol)):
            one, other = sorted((first[letter], second[letter]))
            rest = words.get((one, other))
            if rest is not None:
                return (symbol, *rest)
    return None
