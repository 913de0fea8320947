"""The slow, obvious way to a shortest failing sequence: run every word, the shortest first."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeVar

from fullproof.artefacts.execution import Execution

S = TypeVar("S")


def shortest_by_enumeration(
    attempt: Callable[[Sequence[S]], Execution],
    fails: Callable[[Execution], bool],
    alphabet: Sequence[S],
    *,
    longest: int,
) -> int | None:
    """The length of a shortest word that fails; None where none of at most ``longest`` inputs does."""
    for length in range(longest + 1):
        if any(fails(attempt(word)) for word in product(alphabet, repeat=length)):
            return length
    return None
