"""A growing prefix tree of input words: the suite while state counting adds to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

ROOT = 0


class InputTree:
    """Nodes are numbers; ``children[node]`` maps an input to the next node, ``depth[node]`` is the word's length."""

    __slots__ = ("children", "depth")

    def __init__(self) -> None:
        self.children: list[dict[int, int]] = [{}]
        self.depth: list[int] = [0]

    def child(self, node: int, symbol: int) -> int:
        """The node one input further, made where it is missing."""
        found = self.children[node].get(symbol)
        if found is None:
            found = self.children[node][symbol] = len(self.children)
            self.children.append({})
            self.depth.append(self.depth[node] + 1)
        return found

    def insert(self, word: Iterable[int]) -> int:
        """Add a word and return its node."""
        node = ROOT
        for symbol in word:
            node = self.child(node, symbol)
        return node

    def price(self, node: int, symbol: int) -> int:
        """What the input costs here: nothing where it is there, one more input at a test's end, else a new test."""
        if symbol in self.children[node]:
            return 0
        return self.depth[node] + 2 if self.children[node] else 1

    def maximal(self) -> Iterator[tuple[int, ...]]:
        """The words that are no prefix of another, in lexicographic order; an empty tree holds the empty word."""
        if not self.children[ROOT]:
            yield ()
        word: list[int] = []
        stack = [iter(sorted(self.children[ROOT].items()))]
        while stack:
            for symbol, node in stack[-1]:
                word.append(symbol)
                if self.children[node]:
                    stack.append(iter(sorted(self.children[node].items())))
                    break
                yield tuple(word)
                word.pop()
            else:
                stack.pop()
                if word:
                    word.pop()
