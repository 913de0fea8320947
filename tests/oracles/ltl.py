"""LTL by its definition, on ultimately periodic words: prefix, then a loop for ever."""

from __future__ import annotations

from collections.abc import Sequence

from fullproof.language.syntax import Binary, Boolean, Expression, Name, Temporal, Unary

Letter = frozenset[str]


def holds(formula: Expression, prefix: Sequence[Letter], loop: Sequence[Letter], position: int = 0) -> bool:
    """Tell whether the word prefix . loop . loop ... satisfies the formula from a position of prefix . loop on."""
    word = [*prefix, *loop]

    def following(i: int) -> int:
        return i + 1 if i + 1 < len(word) else len(prefix)

    def future(i: int) -> list[int]:
        seen = []
        while i not in seen:
            seen.append(i)
            i = following(i)
        return seen

    known: dict[tuple[int, int], bool] = {}  # nothing but patience: the same questions come up again and again

    def at(node: Expression, i: int) -> bool:
        if (id(node), i) not in known:
            known[id(node), i] = decide(node, i)
        return known[id(node), i]

    def decide(node: Expression, i: int) -> bool:
        match node:
            case Name():
                return node.name in word[i]
            case Boolean():
                return node.value
            case Unary(operator="not"):
                return not at(node.operand, i)
            case Binary(operator="and"):
                return at(node.left, i) and at(node.right, i)
            case Binary(operator="or"):
                return at(node.left, i) or at(node.right, i)
            case Binary(operator="->"):
                return not at(node.left, i) or at(node.right, i)
            case Temporal(operator="X"):
                return at(node.operands[0], following(i))
            case Temporal(operator="F"):
                return any(at(node.operands[0], j) for j in future(i))
            case Temporal(operator="G"):
                return all(at(node.operands[0], j) for j in future(i))
            case Temporal(operator=operator, operands=(p, q)):
                return _binary(operator, [at(p, j) for j in future(i)], [at(q, j) for j in future(i)])
        raise AssertionError(node)

    return at(formula, position)


def _binary(operator: str, p: list[bool], q: list[bool]) -> bool:
    """Decide p U q, p W q, p R q over all positions that are still to come, each once, in order."""
    until = any(q[k] and all(p[:k]) for k in range(len(q)))
    match operator:
        case "U":
            return until
        case "W":
            return until or all(p)
        case _:  # q holds up to and including the first p, or for ever
            return all(q) or any(p[k] and all(q[: k + 1]) for k in range(len(p)))
