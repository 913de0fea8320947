"""Which LTL formulas are safety properties by their form: those a finite trace can refute."""

from __future__ import annotations

from fullproof.language.syntax import Binary, Boolean, Expression, Temporal, TemporalOperator, Unary
from fullproof.language.traversal import children, nodes

_DUAL: dict[TemporalOperator, TemporalOperator] = {"X": "X", "F": "G", "G": "F", "U": "R", "R": "U"}


def positive_normal_form(formula: Expression) -> Expression:
    """Return an equivalent formula whose negations stand on state formulas only, without ``->`` above those.

    State formulas (no temporal operator inside) stay as they are; a negated one becomes ``not (...)``.
    Places are those of the operators that the new ones come from.
    """
    return _normal(formula, negated=False)


def offending_operator(formula: Expression) -> Temporal | None:
    """Return the first operator that keeps the formula from being a safety property by its form, or None.

    Sistla 1994: a formula in positive normal form over and, or, X, W, G, R is a safety property, and F and U are what
    it lacks. The answer is the operator as written, hence a G, W or R where it stands under a negation.
    """
    stack = [(formula, False)]
    while stack:
        node, negated = stack.pop()
        match node:
            case Temporal():
                if node.operator in (("G", "W", "R") if negated else ("F", "U")):
                    return node
                stack.extend((operand, negated) for operand in reversed(node.operands))
            case Unary(operator="not"):
                stack.append((node.operand, not negated))
            case Binary(operator="->"):
                stack += [(node.right, negated), (node.left, not negated)]
            case _:
                stack.extend((child, negated) for child in reversed(children(node)))
    return None


def _normal(node: Expression, *, negated: bool) -> Expression:
    if not any(isinstance(part, Temporal) for part in nodes(node)):
        return _negation(node) if negated else node
    match node:
        case Unary(operator="not"):
            return _normal(node.operand, negated=not negated)
        case Binary(operator="and" | "or" | "->"):
            left = _normal(node.left, negated=negated != (node.operator == "->"))
            right = _normal(node.right, negated=negated)
            conjunction = (node.operator == "and") != negated
            return Binary("and" if conjunction else "or", left, right, at=node.at)
        case Temporal():
            parts = tuple(_normal(operand, negated=negated) for operand in node.operands)
            if not negated:
                return Temporal(node.operator, parts, at=node.at)
            if node.operator == "W":
                # p W q fails where q stays false up to a step in which p is false as well.
                both = Binary("and", parts[0], parts[1], at=node.at)
                return Temporal("U", (parts[1], both), at=node.at)
            return Temporal(_DUAL[node.operator], parts, at=node.at)
        case _:
            return node


def _negation(node: Expression) -> Expression:
    match node:
        case Unary(operator="not"):
            return node.operand
        case Boolean():
            return Boolean(not node.value, at=node.at)
        case _:
            return Unary("not", node, at=node.at)
