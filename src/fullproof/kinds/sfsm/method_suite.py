"""What a method for symbolic machines answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fullproof.artefacts.guarantee import Guarantee
from fullproof.artefacts.suite import SuiteDomain
from fullproof.artefacts.words import WordSource
from fullproof.language.types import Value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MethodSuite:
    """Words over concrete inputs, and their theorem."""

    method: str
    inputs: tuple[Mapping[str, Value], ...]
    words: WordSource
    states: int
    guarantee: Guarantee
    domain: SuiteDomain
    classes: int
    """How many letters the finite machine has: classes of inputs and outputs, or pairs of guard and output."""
    notes: tuple[str, ...] = ()
    serves: Callable[[int, Mapping[str, Value]], bool] | None = None
    """Whether an input may stand wherever another one, given by its position, stands; None: it may not."""


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """Why a method cannot answer the question."""

    reason: str
