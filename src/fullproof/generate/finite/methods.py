"""The methods by name, with what each one guarantees and where it was published."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from fullproof.analysis.table import Table
from fullproof.artefacts.request import StateDomain, SuiteRequest
from fullproof.artefacts.words import WordSource
from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.generate.finite.lengths import TestsTooLong, longest_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FiniteMethod:
    """A method for equivalence of deterministic complete machines; its function lives in the module of its name.

    ``auto_cells`` bounds the windows (states x inputs^(extra states + 1)) up to which ``auto`` tries it (0 is never),
    ``auto_states`` the states, ``auto_cost`` what the cheapest suite found before may cost.
    """

    name: str
    title: str
    paper: str
    domains: frozenset[StateDomain] = frozenset({StateDomain.STATES})
    auto_cells: int = 0
    auto_states: float = math.inf
    auto_cost: float = math.inf
    streams: bool = False
    weighs_resets: bool = False

    def source(self, table: Table, request: SuiteRequest, *, extra_states: int) -> WordSource:
        """Generate the maximal tests: piece by piece where the method has no adaptive choices, else in memory.

        Walks are made so that no test is longer than asked; the tests of other methods are as long as they are, which
        is an error where that is too long.
        """
        if request.domain not in self.domains:
            raise UserError(f"suites of method {self.name!r} are not complete for --domain {request.domain.value}")
        module = importlib.import_module(f"fullproof.generate.finite.{self.name}")
        function = f"{self.name}_source" if self.streams else self.name
        generate = cast("Callable[..., WordSource]", getattr(module, function))
        if self.weighs_resets:
            return generate(
                table, extra_states=extra_states, reset_cost=request.reset_cost, max_length=request.max_length
            )
        words = generate(table, extra_states=extra_states)
        if request.max_length is not None and (longest := longest_of(words)) > request.max_length:
            raise TestsTooLong(
                f"tests of method {self.name!r} for this machine with {extra_states} extra states have up to {longest} "
                f"inputs, and --max-length allows {request.max_length}"
            )
        return words

    def suits(self, domain: StateDomain) -> bool:
        """Whether its suites are complete for a fault domain."""
        return domain in self.domains

    def affordable(self, table: Table, extra_states: int, *, found: float = 0.0) -> bool:
        """Whether ``auto`` should try it on a machine of this size, having found a suite of cost ``found`` before."""
        cells = table.states * table.inputs ** (extra_states + 1)
        return bool(cells <= self.auto_cells and table.states <= self.auto_states and found <= self.auto_cost)


_BOTH = frozenset({StateDomain.STATES, StateDomain.K_A})

EQUIVALENCE_METHODS: dict[str, FiniteMethod] = {
    method.name: method
    for method in (
        FiniteMethod(name="w", title="W-method", paper="Vasilevskii 1973, Chow 1978", domains=_BOTH, streams=True),
        FiniteMethod(
            name="wp",
            title="Wp-method",
            paper="Fujiwara, von Bochmann et al. 1991",
            domains=_BOTH,
            streams=True,
            auto_cells=30_000,
        ),
        FiniteMethod(
            name="hsi",
            title="HSI-method",
            paper="Petrenko 1991, Luo et al. 1995; k-A-completeness: Vaandrager and Melse 2025",
            domains=_BOTH,
            streams=True,
            auto_cells=10_000_000,
        ),
        FiniteMethod(
            name="hads",
            title="hybrid adaptive distinguishing sequences",
            paper="Lee and Yannakakis 1994, Smeenk, Moerman et al. 2015",
            domains=_BOTH,
            streams=True,
            auto_cells=10_000_000,
        ),
        FiniteMethod(
            name="h",
            title="H-method",
            paper="Dorofeeva, El-Fakih and Yevtushenko 2005",
            auto_cells=30_000,
            auto_states=500,
        ),
        FiniteMethod(
            name="spy",
            title="SPY-method",
            paper="Simao, Petrenko and Yevtushenko 2012",
            auto_cells=450_000,
            auto_states=1_500,
        ),
        FiniteMethod(
            name="spyh",
            title="SPYH-method",
            paper="Soucha and Bogdanov 2018",
            auto_cells=30_000,
            auto_states=500,
        ),
        FiniteMethod(
            name="walks",
            title="window walks",
            paper="a method of this project, proved in docs/proofs/window-walks.md",
            auto_cells=450_000,
            auto_states=1_500,
            auto_cost=5_000_000,
            weighs_resets=True,
        ),
    )
}


def equivalence_method(name: str) -> FiniteMethod:
    """Look a method up, or say which ones there are."""
    if name not in EQUIVALENCE_METHODS:
        known = [*EQUIVALENCE_METHODS, "auto"]
        raise UserError(f"unknown method {name!r} for the equivalence of finite machines{did_you_mean(name, known)}")
    return EQUIVALENCE_METHODS[name]
