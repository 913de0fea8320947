"""The table of the methods for equivalence of deterministic complete machines: whatever lists methods asks it.

The functions import their method when they are called, so that the table can be read at once, for ``--help`` say.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from fullproof.artefacts.request import StateDomain, SuiteRequest
from fullproof.core.errors import UserError
from fullproof.core.suggest import all_of
from fullproof.generate.finite.method import FiniteMethod

if TYPE_CHECKING:
    from fullproof.analysis.table import Table
    from fullproof.artefacts.words import WordSource


def _w(table: Table, _: SuiteRequest, /, *, extra_states: int) -> WordSource:
    from fullproof.generate.finite.w import w

    return w(table, extra_states=extra_states)


def _wp(table: Table, _: SuiteRequest, /, *, extra_states: int) -> WordSource:
    from fullproof.generate.finite.wp import wp

    return wp(table, extra_states=extra_states)


def _hsi(table: Table, _: SuiteRequest, /, *, extra_states: int) -> WordSource:
    from fullproof.generate.finite.hsi import hsi

    return hsi(table, extra_states=extra_states)


def _hads(table: Table, _: SuiteRequest, /, *, extra_states: int) -> WordSource:
    from fullproof.generate.finite.hads import hads

    return hads(table, extra_states=extra_states)


def _h(table: Table, _: SuiteRequest, /, *, extra_states: int) -> WordSource:
    from fullproof.generate.finite.h import h

    return h(table, extra_states=extra_states)


def _spy(table: Table, _: SuiteRequest, /, *, extra_states: int) -> WordSource:
    from fullproof.generate.finite.spy import spy

    return spy(table, extra_states=extra_states)


def _spyh(table: Table, _: SuiteRequest, /, *, extra_states: int) -> WordSource:
    from fullproof.generate.finite.spyh import spyh

    return spyh(table, extra_states=extra_states)


def _walks(table: Table, request: SuiteRequest, /, *, extra_states: int) -> WordSource:
    from fullproof.generate.finite.walks import walks

    return walks(table, extra_states=extra_states, reset_cost=request.reset_cost, max_length=request.max_length)


_BOTH = frozenset({StateDomain.STATES, StateDomain.K_A})
_METHODS = (
    FiniteMethod(
        name="w",
        title="W-method",
        paper="Vasilevskii 1973, Chow 1978",
        generate=_w,
        domains=_BOTH,
        streams=True,
    ),
    FiniteMethod(
        name="wp",
        title="Wp-method",
        paper="Fujiwara, von Bochmann et al. 1991",
        generate=_wp,
        domains=_BOTH,
        streams=True,
        auto_cells=30_000,
    ),
    FiniteMethod(
        name="hsi",
        title="HSI-method",
        paper="Petrenko 1991, Luo et al. 1995; k-A-completeness: Vaandrager and Melse 2025",
        generate=_hsi,
        domains=_BOTH,
        partial=True,
        streams=True,
        auto_cells=10_000_000,
    ),
    FiniteMethod(
        name="hads",
        title="hybrid adaptive distinguishing sequences",
        paper="Lee and Yannakakis 1994, Smeenk, Moerman et al. 2015",
        generate=_hads,
        domains=_BOTH,
        streams=True,
        auto_cells=10_000_000,
    ),
    FiniteMethod(
        name="h",
        title="H-method",
        paper="Dorofeeva, El-Fakih and Yevtushenko 2005",
        generate=_h,
        auto_cells=30_000,
        auto_states=500,
    ),
    FiniteMethod(
        name="spy",
        title="SPY-method",
        paper="Simao, Petrenko and Yevtushenko 2012",
        generate=_spy,
        partial=True,
        auto_cells=450_000,
        auto_states=1_500,
    ),
    FiniteMethod(
        name="spyh",
        title="SPYH-method",
        paper="Soucha and Bogdanov 2018",
        generate=_spyh,
        auto_cells=30_000,
        auto_states=500,
    ),
    FiniteMethod(
        name="walks",
        title="window walks",
        paper="a method of this project, proved in docs/proofs/window-walks.md",
        generate=_walks,
        partial=True,
        auto_cells=450_000,
        auto_states=1_500,
        auto_cost=5_000_000,
    ),
)

EQUIVALENCE_METHODS: Mapping[str, FiniteMethod] = MappingProxyType({method.name: method for method in _METHODS})


def equivalence_method(name: str) -> FiniteMethod:
    """Look a method up, or say which ones there are."""
    if name not in EQUIVALENCE_METHODS:
        known = [*EQUIVALENCE_METHODS, "auto"]
        raise UserError(f"unknown method {name!r} for the equivalence of finite machines{all_of(name, known)}")
    return EQUIVALENCE_METHODS[name]
