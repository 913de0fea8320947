"""Terms as polynomials over the variables of a scope, where that is possible."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from fullproof.abstract.number_sets import NumberSet
from fullproof.language.arithmetic import divide
from fullproof.language.exponents import exponent_of
from fullproof.language.scope import ConstantValue, Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import MIRRORED, Binary, ComparisonOperator, Decimal, Expression, Integer, Name, Unary
from fullproof.language.types import IntType, RealType, Variable

_MOST = 64
"""Terms of more monomials than this are unreadable and not converted."""

Monomial = tuple[tuple[str, int], ...]
"""Names with their exponents, in the order of the names."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A sum of monomials with coefficients other than 0."""

    terms: dict[Monomial, Fraction]

    @property
    def variables(self) -> frozenset[str]:
        """What it refers to."""
        return frozenset(name for monomial in self.terms for name, _ in monomial)

    @property
    def degree(self) -> int:
        """The largest sum of exponents."""
        return max((sum(power for _, power in monomial) for monomial in self.terms), default=0)

    def coefficient(self, *powers: tuple[str, int]) -> Fraction:
        """The coefficient of a monomial; without powers, the constant term."""
        return self.terms.get(tuple(sorted(powers)), Fraction(0))


def polynomial_of(term: Expression, scope: Scope) -> Polynomial | None:
    """The term as a polynomial; None where it is not one, or has too many terms. Needs: a number, well typed."""
    match term:
        case Integer() | Decimal():
            return _constant(Fraction(term.value))
        case Name():
            meaning = scope.lookup(term.name)
            if isinstance(meaning, Variable) and isinstance(meaning.type, IntType | RealType):
                return Polynomial({((term.name, 1),): Fraction(1)})
            if isinstance(meaning, ConstantValue) and not isinstance(meaning.value, str | bool):
                return _constant(Fraction(meaning.value))
            return None
        case Unary(operator="-"):
            inner = polynomial_of(term.operand, scope)
            return None if inner is None else _times(inner, _constant(Fraction(-1)))
        case Binary(operator="**"):
            base, exponent = polynomial_of(term.left, scope), exponent_of(term, scope)
            return None if base is None or not 0 <= exponent <= 4 else _power(base, exponent)
        case Binary():
            left, right = polynomial_of(term.left, scope), polynomial_of(term.right, scope)
            return None if left is None or right is None else _combined(term.operator, left, right)
        case _:
            return None


def solutions(difference: Polynomial, operator: ComparisonOperator, *, whole: bool) -> NumberSet | None:
    """The values at which a polynomial in one variable is in a relation to 0; None where the bounds are not
    rational.
    """
    (name,) = difference.variables
    a, b, c = (difference.coefficient((name, 2)), difference.coefficient((name, 1)), difference.coefficient())
    if difference.degree == 1:
        return NumberSet.related(operator if b > 0 else MIRRORED[operator], -c / b, whole=whole)
    if difference.degree != 2:
        return None
    root = _square_root(b * b - 4 * a * c)
    if b * b < 4 * a * c:
        root = Fraction(0)
    if root is None:
        return None
    low, high = sorted(((-b - root) / (2 * a), (-b + root) / (2 * a)))
    return _quadratic(operator if a > 0 else MIRRORED[operator], low, high, b * b < 4 * a * c, whole)


def has_irrational_roots_only(polynomial: Polynomial) -> bool:
    """Whether it is a square polynomial in one variable without rational roots."""
    if len(polynomial.variables) != 1 or polynomial.degree != 2:
        return False
    (name,) = polynomial.variables
    a, b, c = (polynomial.coefficient((name, 2)), polynomial.coefficient((name, 1)), polynomial.coefficient())
    return _square_root(b * b - 4 * a * c) is None


def _quadratic(operator: ComparisonOperator, low: Fraction, high: Fraction, no_root: bool, whole: bool) -> NumberSet:
    """The values at which (x - low) * (x - high), or a positive polynomial without roots, is in a relation to 0."""
    everything = NumberSet.within(None, None, whole=whole)
    if no_root:
        return everything if operator in (">", ">=", "!=") else everything.complement()
    zero = NumberSet.related("==", low, whole=whole) | NumberSet.related("==", high, whole=whole)
    below = NumberSet.related(">", low, whole=whole) & NumberSet.related("<", high, whole=whole)
    match operator:
        case "==":
            return zero
        case "!=":
            return zero.complement()
        case "<":
            return below
        case "<=":
            return below | zero
        case ">":
            return (below | zero).complement()
        case ">=":
            return below.complement()


def _square_root(value: Fraction) -> Fraction | None:
    if value < 0:
        return None
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    return Fraction(top, bottom) if (top * top, bottom * bottom) == (value.numerator, value.denominator) else None


def _constant(value: Fraction) -> Polynomial:
    return Polynomial({(): value} if value else {})


def _combined(operator: str, left: Polynomial, right: Polynomial) -> Polynomial | None:
    match operator:
        case "+":
            return _plus(left, right)
        case "-":
            return _plus(left, _times(right, _constant(Fraction(-1))))
        case "*":
            return _times(left, right)
        case "/" if not right.variables:
            return _times(left, _constant(Fraction(divide(1, right.coefficient()))))
        case _:
            return None


def _plus(left: Polynomial, right: Polynomial | None) -> Polynomial | None:
    if right is None:
        return None
    terms = dict(left.terms)
    for monomial, coefficient in right.terms.items():
        terms[monomial] = terms.get(monomial, Fraction(0)) + coefficient
    return _small({monomial: coefficient for monomial, coefficient in terms.items() if coefficient})


def _times(left: Polynomial, right: Polynomial) -> Polynomial | None:
    terms: dict[Monomial, Fraction] = {}
    for one, a in left.terms.items():
        for other, b in right.terms.items():
            powers = dict(one)
            for name, power in other:
                powers[name] = powers.get(name, 0) + power
            monomial = tuple(sorted(powers.items()))
            terms[monomial] = terms.get(monomial, Fraction(0)) + a * b
    return _small({monomial: coefficient for monomial, coefficient in terms.items() if coefficient})


def _power(base: Polynomial, exponent: int) -> Polynomial | None:
    result: Polynomial | None = _constant(Fraction(1))
    for _ in range(exponent):
        result = None if result is None else _times(result, base)
    return result


def _small(terms: dict[Monomial, Fraction]) -> Polynomial | None:
    return Polynomial(terms) if len(terms) <= _MOST else None


def replaced(polynomial: Polynomial, name: str, by: Polynomial) -> Polynomial | None:
    """The polynomial with a variable replaced by another polynomial."""
    result: Polynomial | None = Polynomial({})
    for monomial, coefficient in polynomial.terms.items():
        power = dict(monomial).get(name, 0)
        rest = Polynomial({tuple(part for part in monomial if part[0] != name): coefficient})
        factor = _power(by, power)
        product = None if factor is None else _times(rest, factor)
        result = None if result is None or product is None else _plus(result, product)
    return result


def solved_for(difference: Polynomial, name: str) -> Polynomial | None:
    """What a variable equals where the polynomial is 0; None where it stands in a product or a power."""
    factor = difference.coefficient((name, 1))
    rest = {monomial: c for monomial, c in difference.terms.items() if monomial != ((name, 1),)}
    if not factor or any(part[0] == name for monomial in rest for part in monomial):
        return None
    return Polynomial({monomial: -c / factor for monomial, c in rest.items()})


def sum_of(affine: Polynomial) -> Expression:
    """The sum in readable form, ``x / 100 + 2``. Needs: a degree of at most 1."""
    ordered = sorted(affine.terms.items(), key=lambda term: (term[1] < 0, term[0]))
    pieces = [(c, _scaled(abs(c), Name(m[0][0]))) for m, c in ordered if m]
    constant = affine.coefficient()
    if constant or not pieces:
        pieces.append((constant, literal(_plain(abs(constant)))))
    sign, result = pieces[0]
    if sign < 0:
        result = Unary("-", result)
    for sign, piece in pieces[1:]:
        result = Binary("+" if sign > 0 else "-", result, piece)
    return result


def _scaled(factor: Fraction, variable: Expression) -> Expression:
    if factor == 1:
        return variable
    if factor.denominator == 1:
        return Binary("*", Integer(factor.numerator), variable)
    top = variable if factor.numerator == 1 else Binary("*", Integer(factor.numerator), variable)
    return Binary("/", top, Integer(factor.denominator))


def _plain(value: Fraction) -> Fraction | int:
    return value.numerator if value.denominator == 1 else value
