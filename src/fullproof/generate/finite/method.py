"""What a method for the equivalence of finite machines is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from fullproof.artefacts.guarantee import Theorem
from fullproof.artefacts.request import StateDomain, SuiteRequest
from fullproof.core.counted import counted
from fullproof.core.errors import UserError

if TYPE_CHECKING:
    from fullproof.analysis.table import Table
    from fullproof.artefacts.words import WordSource


class PartialRefused(UserError):
    """A method that needs a completely specified machine was asked about a partial one."""


class MaximalTests(Protocol):
    """A function that generates the maximal tests of a suite for a prepared machine."""

    def __call__(self, table: Table, request: SuiteRequest, /, *, extra_states: int) -> WordSource:
        """Generate them piece by piece where the method has no adaptive choices, else in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FiniteMethod:
    """A method with what its suites need and guarantee, and where it was published.

    ``needs`` is what the model has to be beside minimal and connected, which ``prepare`` establishes, ``domains`` are
    the fault domains for which its suites are complete. ``partial``: it takes partial machines with pairwise separable
    states, too, for quasi-equivalence (docs/proofs/partial.md). ``streams``: suites are made piece by piece, as a
    ``Composition``. ``auto_cells`` bounds the windows (defined words of extra states + 1 inputs, over all states) up to
    which ``auto`` tries it (0 is never), ``auto_states`` the states, ``auto_cost`` what the cheapest suite found before
    may cost.
    """

    name: str
    title: str
    paper: str
    generate: MaximalTests
    needs: str = "is deterministic and completely specified"
    domains: frozenset[StateDomain] = frozenset({StateDomain.STATES})
    partial: bool = False
    streams: bool = False
    auto_cells: int = 0
    auto_states: float = math.inf
    auto_cost: float = math.inf

    @property
    def theorem(self) -> Theorem:
        """What proves the guarantee of its suites."""
        return Theorem(self.title, (self.paper,))

    def source(self, table: Table, request: SuiteRequest, *, extra_states: int) -> WordSource:
        """Generate for a fault domain, with tests no longer than asked; a UserError where that is not possible."""
        from fullproof.analysis.defined_words import is_complete
        from fullproof.generate.finite.lengths import TestsTooLong, longest_of

        if request.domain not in self.domains:
            raise UserError(f"suites of method {self.name!r} are not complete for --domain {request.domain.value}")
        if not is_complete(table) and not self.takes_partial(request):
            raise PartialRefused(f"method {self.name!r} needs a completely specified machine, and the model is partial")
        words = self.generate(table, request, extra_states=extra_states)
        if request.max_length is not None and (longest := longest_of(words)) > request.max_length:
            raise TestsTooLong(
                f"tests of method {self.name!r} for this machine with {counted(extra_states, 'extra state')} "
                f"have up to {longest} "
                f"inputs, and --max-length allows {request.max_length}"
            )
        return words

    def takes_partial(self, request: SuiteRequest) -> bool:
        """Whether its suites prove quasi-equivalence to a partial machine with pairwise separable states."""
        return self.partial and request.domain is StateDomain.STATES

    def affordable(self, table: Table, extra_states: int, *, found: float = 0.0) -> bool:
        """Whether ``auto`` should try it on a machine of this size, having found a suite of cost ``found`` before."""
        from fullproof.analysis.defined_words import windows

        cells = windows(table, extra_states + 1, most=self.auto_cells)
        return bool(cells <= self.auto_cells and table.states <= self.auto_states and found <= self.auto_cost)
