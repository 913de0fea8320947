"""Around a tree without recursion: children, depth, free names."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.language.syntax import (
    Binary,
    Call,
    Comparison,
    Conditional,
    Expression,
    Name,
    Temporal,
    Unary,
)


def children(node: Expression) -> tuple[Expression, ...]:
    """Return the subexpressions, from left to right."""
    match node:
        case Binary():
            return node.left, node.right
        case Comparison() | Temporal():
            return node.operands
        case Unary():
            return (node.operand,)
        case Call():
            return node.arguments
        case Conditional():
            return node.condition, node.then, node.otherwise
        case _:
            return ()


def nodes(tree: Expression) -> Iterator[Expression]:
    """Yield every node, parents before children, from left to right."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def depth(tree: Expression) -> int:
    """Return the number of nodes on the longest branch."""
    level, deep = [tree], 0
    while level:
        deep += 1
        level = [child for node in level for child in children(node)]
    return deep


def free_names(tree: Expression) -> frozenset[str]:
    """Return the names that occur: variables, constants and enum values alike."""
    return frozenset(node.name for node in nodes(tree) if isinstance(node, Name))
