"""Long conjunctions and disjunctions as shallow trees, since walkers are recursive and a model may list many cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from fullproof.language.syntax import TRUE, Binary, Boolean, Expression

LONGEST_CHAIN = 32
"""Chains up to this length keep the shape they are written in, nested to the left."""


def conjunction(parts: Iterable[Expression]) -> Expression:
    """Return ``a and b and ...`` as a balanced tree; true where there are no parts."""
    listed = list(parts)
    return _balanced("and", listed) if listed else TRUE


def disjunction(parts: Iterable[Expression]) -> Expression:
    """Return ``a or b or ...`` as a balanced tree; false where there are no parts."""
    listed = list(parts)
    return _balanced("or", listed) if listed else Boolean(False)


def joined_as_written(operator: Literal["and", "or"], parts: Sequence[Expression]) -> Expression:
    """Return the tree of a chain in a text: nested to the left, or balanced where it is long.

    A balanced tree prints as chains of at most log2(n) + 1 parts, so it parses back to itself.
    """
    if len(parts) > LONGEST_CHAIN:
        return _balanced(operator, parts)
    tree = parts[0]
    for part in parts[1:]:
        tree = Binary(operator, tree, part, at=tree.at)
    return tree


def _balanced(operator: Literal["and", "or"], parts: Sequence[Expression]) -> Expression:
    if len(parts) == 1:
        return parts[0]
    middle = (len(parts) + 1) // 2
    left, right = _balanced(operator, parts[:middle]), _balanced(operator, parts[middle:])
    return Binary(operator, left, right, at=left.at)
