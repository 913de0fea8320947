"""The atomic propositions of an LTL formula."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.language.syntax import Binary, Boolean, Expression, Temporal, Unary


def atomic_propositions(formula: Expression) -> tuple[Expression, ...]:
    """Return what is left of a formula below temporal operators and ``and or -> not``, each once, from left to right.

    Chains of comparisons stay whole, and so do conditionals; ``true`` and ``false`` are no propositions.
    """
    return tuple(dict.fromkeys(_atoms(formula)))


def _atoms(formula: Expression) -> Iterator[Expression]:
    stack = [formula]
    while stack:
        node = stack.pop()
        match node:
            case Temporal():
                stack.extend(reversed(node.operands))
            case Binary(operator="and" | "or" | "->"):
                stack += [node.right, node.left]
            case Unary(operator="not"):
                stack.append(node.operand)
            case Boolean():
                pass
            case _:
                yield node
