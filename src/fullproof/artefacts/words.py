"""A finite suite as numbers: words over the input numbers of a table, end to end in one array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class WordSource(Protocol):
    """A suite that can be read piece by piece and repeatedly, whether or not it fits into memory."""

    def chunks(self) -> Iterator[WordList]:
        """The words in pieces, in the same order each time."""


@dataclass(frozen=True, slots=True, eq=False)
class WordList:
    """Word ``k`` is ``symbols[offsets[k]:offsets[k + 1]]``."""

    symbols: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        for k in range(len(self)):
            yield self.symbols[self.offsets[k] : self.offsets[k + 1]]

    def chunks(self) -> Iterator[WordList]:
        """All words in one piece."""
        yield self

    @property
    def total(self) -> int:
        """The sum of the lengths: inputs without resets."""
        return int(self.offsets[-1])


def word_list(words: Iterable[Iterable[int]]) -> WordList:
    """Lay words end to end."""
    listed = [list(word) for word in words]
    offsets = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(word) for word in listed], out=offsets[1:])
    symbols = np.fromiter((symbol for word in listed for symbol in word), dtype=np.int32, count=int(offsets[-1]))
    return WordList(symbols, offsets)
