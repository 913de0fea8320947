"""Scoring of mutants: the request, and the questions about each mutant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import SuiteHeader, Test
from fullproof.core.errors import Place

M = TypeVar("M")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringBasis:
    """The basis of scoring. ``claim`` is the header of the suite where its guarantee applies to survivors."""

    relation: Relation
    properties: tuple[str, ...]
    timeout: float
    """Seconds for a question to a solver, or for one comparison, as the kind has it."""
    header: SuiteHeader
    claim: SuiteHeader | None


class Conforming(NamedTuple):
    """Whether a mutant conforms, and the undecided query, where that leaves it open."""

    conforms: bool | None
    undecided: str = ""


class ScoredMutant(Protocol):
    """One mutant that is scored."""

    def fails(self, test: Test, /) -> bool | str:
        """Whether some behaviour of the mutant fails a test, and the undecided query where that is open."""

    def conforms(self, killer: Test | None, /) -> Conforming:
        """Whether it conforms to the model; ``killer`` is a test that it fails."""

    def is_inside(self) -> bool:
        """Whether it lies in the fault domain that the suite claims to cover."""


MutantScorer: TypeAlias = Callable[[M, Place], ScoredMutant]
"""Prepares one mutant for scoring; the place is its file."""
