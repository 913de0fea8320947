"""Preservation of states by its definition, on all words up to a length."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from itertools import product

After = Sequence[Sequence[Sequence[int]]]
Word = tuple[int, ...]


class Words:
    """The words of a machine and what its abstraction makes of them."""

    def __init__(self, initial: int, after: After, image: Sequence[Hashable], *, depth: int) -> None:
        self.initial, self.after, self.image, self.depth = initial, after, image, depth
        self.language = cache(self._language)
        self.abstract_language = cache(self._abstract_language)

    def reached(self, word: Word) -> frozenset[int]:
        states = frozenset({self.initial})
        for letter in word:
            states = frozenset(to for state in states for to in self.after[state][letter])
        return states

    def images(self, word: Word) -> tuple[Hashable, ...]:
        return tuple(self.image[letter] for letter in word)

    def same_image(self, word: Word) -> Iterator[Word]:
        yield from product(*([b for b in range(len(self.image)) if self.image[b] == self.image[a]] for a in word))

    def is_abstract_trace(self, word: Word) -> bool:
        return any(self.reached(other) for other in self.same_image(word))

    def reached_abstractly(self, word: Word) -> frozenset[int]:
        return frozenset().union(*map(self.reached, self.same_image(word)))

    def _language(self, states: frozenset[int], depth: int) -> Hashable:
        """What can follow, as a tree of the given depth."""
        if not states:
            return None
        return depth and tuple(
            self.language(frozenset(to for state in states for to in self.after[state][letter]), depth - 1)
            for letter in range(len(self.image))
        )

    def _abstract_language(self, states: frozenset[int], depth: int) -> Hashable:
        if not states:
            return None
        steps = []
        for label in sorted(set(self.image), key=str):
            same = [letter for letter in range(len(self.image)) if self.image[letter] == label]
            to = frozenset(t for state in states for letter in same for t in self.after[state][letter])
            steps.append(self.abstract_language(to, depth - 1) if depth else None)
        return tuple(steps) if depth else 0

    def confused(self, length: int) -> tuple[Word, Word] | None:
        """Two words up to a length that lead to states of one language, but not in the abstraction."""
        abstract: dict[Hashable, tuple[Word, Hashable]] = {}
        for size in range(length + 1):
            for word in product(range(len(self.image)), repeat=size):
                states = self.reached(word)
                if not states:
                    continue
                meaning = self.abstract_language(self.reached_abstractly(word), self.depth)
                first = abstract.setdefault(self.language(states, self.depth), (word, meaning))
                if first[1] != meaning:
                    return first[0], word
        return None
