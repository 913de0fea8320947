"""The answers of the checker about a suite: a closed union, so that mypy finds a missing case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from fullproof.core.counted import counted
from fullproof.language.types import Variable
from fullproof.model import Model

_SHOWN = 20


class ProofEngine(Enum):
    """The engine that proved completeness."""

    EXACT = "exact"
    K_A = "k-A"
    WINDOWS = "windows"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an engine rests on: the words of the chosen nodes, and the order in which transitions were taken.

    States are numbered as in the minimal model, inputs as in the model.
    """

    words: tuple[tuple[int, ...], ...]
    order: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Complete:
    """Every machine within the bound that passes the suite is equivalent to the model."""

    method: ProofEngine
    reason: str
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Incomplete:
    """A machine within the bound passes the suite and answers the witness otherwise than the model.

    Where there is no survivor as a model, the reason says what is wrong in it.
    """

    survivor: Model | None
    witness: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UndecidedCompleteness:
    """No engine could decide within the time allowed. Must never be treated as one of the other answers."""

    reason: str


Certificate: TypeAlias = Complete | Incomplete | UndecidedCompleteness


@dataclass(frozen=True, slots=True)
class Proved:
    """An engine has proved that a suite is complete, with its argument."""

    reason: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Open:
    """An engine could not decide, with the reason."""

    reason: str


def up_to_tolerances(answer: Certificate, outputs: Iterable[Variable]) -> Certificate:
    """The answer, with what *complete* supposes where outputs have tolerances: engines distinguish all values, but runs
    are judged with tolerances.
    """
    if not isinstance(answer, Complete) or all(variable.tolerance is None for variable in outputs):
        return answer
    supposed = "provided that wrong outputs lie outside of the tolerance of right ones"
    return replace(answer, reason=f"{answer.reason}, {supposed}")


def word_text(word: Sequence[str]) -> str:
    """A word as readable text; a long one is shortened."""
    return " ".join(word) if len(word) <= _SHOWN else f"{' '.join(word[:_SHOWN])} ... ({counted(len(word), 'input')})"
