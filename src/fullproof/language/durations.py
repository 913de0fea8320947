"""Durations as people write them: ``30 s``, ``2.5 min``, ``1/3 s``; exact numbers of seconds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.types import Value
from fullproof.language.values import number_from_json

UNITS = {"ms": Fraction(1, 1000), "s": Fraction(1), "min": Fraction(60), "h": Fraction(3600)}
SHORTEST, LONGEST = Fraction(1, 10**12), Fraction(10**12)
"""Seconds of a time that a timer may have, if it is not 0: what is beyond is a slip."""
_PLACES = 13
"""Decimals with which a duration is shown at most; else it is a fraction."""
_DURATION = re.compile(r"(?P<number>[-+]?[0-9][0-9./eE+-]*)\s*(?P<unit>[^\W\d_]+)")


def duration_from_text(text: str, *, at: Place = NOWHERE) -> Fraction | None:
    """The seconds of a number with a unit; None where the text is no such thing."""
    match = _DURATION.fullmatch(text.strip())
    if match is None or match["unit"] not in UNITS:
        return None
    number = number_from_json(match["number"], at=at)
    return None if number is None else number * UNITS[match["unit"]]


def duration_of(text: str, constants: Mapping[str, Value], *, at: Place = NOWHERE) -> Fraction:
    """The seconds of a duration, or of a constant, which is a duration or a number of seconds.

    UserError: it is neither, or it is negative.
    """
    seconds = duration_from_text(text, at=at)
    name = text.strip()
    if seconds is None and name in constants:
        value = constants[name]
        if isinstance(value, bool | str) or not isinstance(value, int | Fraction):
            raise UserError(f"the constant {name[:60]!r} is no number of seconds", at=at)
        seconds = Fraction(value)
    if seconds is None:
        hint = did_you_mean(name[:60], constants)
        if number_from_json(name, at=at) is not None:
            hint = f"; which unit has it: {name[:20]} {f', {name[:20]} '.join(UNITS)}?"
        message = f"{name[:60]!r} is not a duration such as 30 s, 1.5 min, 200 ms or 1 h, nor a constant{hint}"
        raise UserError(message, at=at)
    if seconds < 0:
        raise UserError(f"the duration {name[:60]!r} is negative", at=at)
    require_plausible(seconds, at=at)
    return seconds


def require_plausible(seconds: Fraction, *, at: Place = NOWHERE) -> None:
    """UserError: a time that is not 0 is too short or too long."""
    if seconds > LONGEST:
        raise UserError("the duration is longer than 1e12 s, which is 31,000 years", at=at)
    if 0 < seconds < SHORTEST:
        raise UserError("the duration is shorter than 1e-12 s", at=at)


def duration_to_text(seconds: Fraction) -> str:
    """The duration with the unit in which it is shortest: ``90 s``, ``2 min``, ``1/3 s``."""
    best = f"{_number(seconds)} s"
    for unit, factor in UNITS.items():
        text = f"{_number(seconds / factor)} {unit}"
        if "/" not in text and ("/" in best or len(text) < len(best)):
            best = text
    return best


def _number(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    digits = str(value.denominator)
    places = (
        next((k for k in range(_PLACES) if 10**k % value.denominator == 0), None) if len(digits) <= _PLACES else None
    )
    if places is None:
        return str(value)
    whole, rest = divmod(value.numerator * 10**places // value.denominator, 10**places)
    return f"{whole}.{rest:0{places}}" if whole >= 0 else str(value)
