"""One JSON object per line: what both ends of the protocol share."""

from __future__ import annotations

import decimal
import json
from typing import Any, NoReturn

from fullproof.execute.observation import shown
from fullproof.execute.sut import SutError

LONGEST_LINE = 1 << 20
"""Bytes. Longer lines are refused."""


def parse_object(line: str | bytes) -> dict[str, Any]:
    """One JSON object, its decimals exact; SutError where the line is anything else."""
    try:
        found = json.loads(line, parse_float=decimal.Decimal, parse_constant=_reject)
    except (ValueError, RecursionError, decimal.InvalidOperation) as error:
        raise SutError(f"no JSON: {error}") from error
    if not isinstance(found, dict):
        raise SutError(f"expected a JSON object, got {shown(found)}")
    return found


def _reject(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
