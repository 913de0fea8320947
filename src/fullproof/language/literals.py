"""Numbers as they are written in expressions, of whatever language."""

from __future__ import annotations

from fractions import Fraction

from fullproof.core.errors import Place, UserError
from fullproof.language.limits import MAX_DIGITS
from fullproof.language.syntax import Decimal, Integer


def number_literal(text: str, *, at: Place) -> Integer | Decimal:
    """Read a literal exactly, or refuse one that stands for too many digits."""
    mantissa, _, exponent = text.lower().partition("e")
    size = len(mantissa) + (abs(int(exponent or 0)) if len(exponent) <= 8 else MAX_DIGITS)
    if size > MAX_DIGITS:
        shown = text if len(text) <= 20 else text[:17] + "..."
        raise UserError(f"the number {shown} has more than {MAX_DIGITS} digits", at=at)
    return Integer(int(text), at=at) if text.isdecimal() else Decimal(Fraction(text), at=at)
