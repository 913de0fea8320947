"""Traceability: requirement <-> transitions and property <-> tests <-> verdict, with gaps and orphans."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Standing(Enum):
    """The status of a requirement after a run."""

    MET = "met"
    """Some test exercised it, and none that concerns it failed."""
    VIOLATED = "violated"
    UNTESTED = "untested"
    """A transition or property realises it, but no test has certainly exercised that."""
    GAP = "gap"
    """Neither a transition nor a property realises it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """One requirement. ``examples`` are some of the tests, those that failed first."""

    requirement: str
    text: str
    transitions: tuple[str, ...]
    property: str
    tests: int
    failed: int
    examples: tuple[str, ...]
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """All requirements of a model, and the transitions that realise none."""

    rows: tuple[Traced, ...]
    orphans: tuple[str, ...]
    """Transitions without a requirement; empty where the model names none at all."""
