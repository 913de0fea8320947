"""Formulas that are meant for finite traces, translated to safety formulas.

Paper 004 states R1 as ``G(x <= max) -> G(y < A)`` and reads it on finite traces: a trace violates it once y has reached
A although x has not exceeded max so far. Over infinite traces no finite one refutes that formula, since x may still
exceed max later. The formula meant is ``(y < A) W (x > max)``.
"""

from __future__ import annotations

from fullproof.language.formulas import opposite
from fullproof.language.safety import offending_operator, positive_normal_form
from fullproof.language.syntax import Binary, Comparison, Expression, Temporal, Unary
from fullproof.language.traversal import nodes


def finite_reading(formula: Expression) -> Expression | None:
    """The safety formula that a formula ``F(a) or psi`` amounts to on finite traces; None where it is not of that form.

    ``psi`` is a safety formula, ``a`` has no temporal operator; ``G(p) -> psi`` is of that form, too. A finite trace
    without ``a`` violates the result as soon as it cannot satisfy ``psi`` any more, and a trace that has reached ``a``
    never does (the weak view of truncated paths; Eisner et al., CAV 2003).
    """
    releases: list[Expression] = []
    demands: list[Expression] = []
    for part in _disjuncts(positive_normal_form(formula)):
        match part:
            case Temporal(operator="F", operands=(inner,)) if _is_state(inner):
                releases.append(_readable(inner))
            case _:
                demands.append(part)
    if not releases or not demands or any(offending_operator(part) for part in demands):
        return None
    return _until(_any(demands), _any(releases))


def _until(formula: Expression, release: Expression) -> Expression:
    """What a safety formula in positive normal form demands until ``release`` holds."""
    if _is_state(formula):
        return Binary("or", _readable(formula), release)
    match formula:
        case Binary(operator="and" | "or"):
            return Binary(formula.operator, _until(formula.left, release), _until(formula.right, release))
        case Temporal(operator="X"):
            return Binary("or", release, _before(formula, release))
    return _before(formula, release)


def _before(formula: Expression, release: Expression) -> Expression:
    """The same in a step before the release, or in one that does not count."""
    if _is_state(formula):
        return _readable(formula)
    match formula:
        case Binary(operator="and" | "or"):
            return Binary(formula.operator, _before(formula.left, release), _before(formula.right, release))
        case Temporal(operator="X", operands=(inner,)):
            return Temporal("X", (_until(inner, release),))
        case Temporal(operator="G", operands=(inner,)):
            return Temporal("W", (_before(inner, release), release))
        case Temporal(operator="W", operands=(left, right)):
            return Temporal("W", (_before(left, release), _until(right, release)))
        case Temporal(operator="R", operands=(left, right)):
            both = Binary("and", _before(left, release), _before(right, release))
            return Temporal("W", (_before(right, release), Binary("or", both, release)))
    raise AssertionError(formula)


def _readable(formula: Expression) -> Expression:
    match formula:
        case Unary(operator="not", operand=Comparison() as comparison) if len(comparison.operators) == 1:
            return opposite(comparison)
    return formula


def _is_state(formula: Expression) -> bool:
    return not any(isinstance(part, Temporal) for part in nodes(formula))


def _disjuncts(formula: Expression) -> list[Expression]:
    if isinstance(formula, Binary) and formula.operator == "or":
        return [*_disjuncts(formula.left), *_disjuncts(formula.right)]
    return [formula]


def _any(parts: list[Expression]) -> Expression:
    tree = parts[0]
    for part in parts[1:]:
        tree = Binary("or", tree, part)
    return tree
