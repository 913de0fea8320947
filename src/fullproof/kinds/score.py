"""Mutants on trial: what is asked of each, and who answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import SuiteHeader, Test
from fullproof.core.errors import Place

M = TypeVar("M")


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What mutants are held against. ``claim`` is the header where its guarantee can be held against survivors."""

    relation: Relation
    properties: tuple[str, ...]
    timeout: float
    """Seconds for a question to a solver, or for one comparison, as the kind has it."""
    header: SuiteHeader
    claim: SuiteHeader | None


class Conforming(NamedTuple):
    """Whether a mutant conforms; what a solver could not tell, where that leaves it open."""

    conforms: bool | None
    undecided: str = ""


class Suspect(Protocol):
    """One mutant on trial."""

    def fails(self, test: Test, /) -> bool | str:
        """Whether some behaviour of the mutant fails a test; what a solver could not tell where that is open."""

    def conforms(self, killer: Test | None, /) -> Conforming:
        """Whether it conforms to the model; ``killer`` is a test that it fails."""

    def is_inside(self) -> bool:
        """Whether it lies in the fault domain that the suite claims to cover."""


Trial: TypeAlias = Callable[[M, Place], Suspect]
"""Puts one mutant on trial, whose file is the place."""
