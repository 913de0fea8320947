"""What a deterministic system has answered so far: a tree of inputs, in which every question is answered once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

Node = dict[Hashable, tuple[Any, Any]]
"""By the input, the output and the node after it."""

MOST_KEPT = 2_000_000
"""Answers that are kept: some 300 MB."""


class AnswerTree:
    """Answers by sequences of inputs, and by all beginnings of these."""

    def __init__(self) -> None:
        self.root: Node = {}
        self._kept = 0

    def answers(self, word: Sequence[Hashable]) -> list[Any] | None:
        """The outputs for all inputs of a sequence; None where some are not known."""
        node, found = self.root, list[Any]()
        for symbol in word:
            if symbol not in node:
                return None
            output, node = node[symbol]
            found.append(output)
        return found

    def contradiction(self, word: Sequence[Hashable], outputs: Sequence[Any]) -> int | None:
        """The place of the first output that is known to be another one; None where there is none."""
        node = self.root
        for place, (symbol, output) in enumerate(zip(word, outputs, strict=False)):
            if symbol not in node:
                return None
            known, node = node[symbol]
            if known != output:
                return place
        return None

    def add(self, word: Sequence[Hashable], outputs: Sequence[Any]) -> None:
        """Keep outputs, which may be fewer than inputs. Needs: they contradict nothing that is known."""
        node = self.root
        for symbol, output in zip(word, outputs, strict=False):
            if symbol not in node:
                if self._kept >= MOST_KEPT:
                    return
                node[symbol] = (output, {})
                self._kept += 1
            node = node[symbol][1]

    def forget(self, word: Sequence[Hashable]) -> None:
        """Drop the answer to the last input of a sequence, and all after it."""
        node = self.root
        for symbol in word[:-1]:
            if symbol not in node:
                return
            node = node[symbol][1]
        node.pop(word[-1], None)

    def longest(self) -> Iterator[tuple[tuple[Hashable, ...], list[Any]]]:
        """The sequences that no longer one begins with, and their outputs, in a fixed order."""
        waiting: list[tuple[tuple[Hashable, ...], list[Any], Node]] = [((), [], self.root)]
        while waiting:
            word, outputs, node = waiting.pop()
            if not node and word:
                yield word, outputs
            waiting += [((*word, symbol), [*outputs, output], after) for symbol, (output, after) in node.items()]
