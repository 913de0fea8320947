"""Total arithmetic: the one definition of division by zero (docs/adr/002-total-arithmetic.md).

``a / 0`` is 0; ``a % b`` is ``a - b * floor(a / b)``, hence ``a % 0`` is ``a``; ``x ** -n`` is ``1 / x ** n``, hence
``0 ** -n`` is 0; ``0 ** 0`` is 1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

Number: TypeAlias = int | Fraction


def divide(a: Number, b: Number) -> Fraction:
    """Return a / b, and 0 where b is 0."""
    return Fraction(a, b) if b else Fraction(0)


def modulo(a: Number, b: Number) -> Number:
    """Return a - b * floor(a / b), with the sign of b; a where b is 0."""
    return a % b if b else a


def power(x: Number, n: int) -> Number:
    """Return x ** n, a rational where n is negative."""
    return x**n if n >= 0 else divide(1, x**-n)
