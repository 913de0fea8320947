"""The length of the tests of a suite, where ``--max-length`` bounds it."""

from __future__ import annotations

import numpy as np

from fullproof.artefacts.words import WordSource
from fullproof.core.errors import UserError


class TestsTooLong(UserError):
    """A method needs longer tests than the user allows."""

    __test__ = False  # not a pytest class


def longest_of(words: WordSource) -> int:
    """Inputs of the longest test."""
    return max((int(np.diff(piece.offsets).max()) for piece in words.chunks() if len(piece)), default=0)
