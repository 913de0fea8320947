"""The HSI-method (Luo, Petrenko, v. Bochmann 1994): harmonised state identifiers.

Identifiers come from adaptive experiments (a splitting tree that is grown as needed); several of them are tried and the
one with the smallest suite is kept. Two things make suites smaller than by the book, and both keep the conditions of
k-A-completeness: inner nodes of the tree carry only the identifiers they need (``analysis/inner_words.py``), and a
state may be identified through a successor (``analysis/inherited.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from fullproof.analysis.identifiers import Identifiers, Taste, harmonised_identifiers, identifiers_of
from fullproof.analysis.inherited import Heirs, inherited
from fullproof.analysis.inner_words import Agreement, NodeIdentifiers, everywhere, where_needed
from fullproof.analysis.table import Table
from fullproof.generate.finite.basis import Basis, basis_of
from fullproof.generate.finite.composition import Composition, SuiteSize

Family = tuple[Identifiers, Agreement]

_EFFORT = 4_000_000
_WORK = 300_000
_SLOWER = 1_000  # experiments on partial machines take that much longer, as they count pairs
_LARGE = 20
_FINALISTS = 3
_LEAVES = 50_000
_MARKS = 200_000_000  # bytes that looking for loose identifiers may take


def hsi(table: Table, *, extra_states: int) -> Composition:
    """Generate V.I^(<= extra + 1) with identifiers of the states reached, prefixes removed.

    Guarantee: complete for machines with at most ``extra_states`` more states than the model, and k-A-complete.
    Needs: deterministic, connected, pairwise separable states. Of a partial machine, x is defined after v, and a system
    that passes is quasi-equivalent (docs/proofs/partial.md).
    """
    place = basis_of(table, extra_states=extra_states)
    families = finalists(place)
    if place.complete:
        return place.composed(smallest(place, with_heirs(place, families)))
    return place.composed(smallest(place, [(family, Agreement.HARMONISED) for family in families]))


def finalists(place: Basis) -> list[Identifiers]:
    """The best few of many harmonised families, by the size of the plain suite without extra states."""
    seen: dict[SuiteSize, Identifiers] = {}
    effort = _EFFORT if place.complete else _EFFORT // _SLOWER
    if place.tries(effort) < _LARGE:  # one careful experiment rather than many quick ones
        _try(place, seen, Taste(rate=1.0, fine=4 * place.base, ahead=3, work=2_000_000))
        return list(seen.values())
    first = {
        favourite: _try(place, seen, _taste(place, favourite=favourite, discount=0.4))
        for favourite in telling_inputs(place.table)[: place.tries(effort)]
    }
    favourites = sorted(first, key=lambda favourite: (first[favourite], favourite))[:2]
    for taste in _further_tastes(place, favourites)[: place.tries(effort)]:
        _try(place, seen, taste)
    best = sorted(seen, key=_rank)[:_FINALISTS]
    return [seen[size] for size in best]


def smallest(place: Basis, families: Iterable[Family]) -> NodeIdentifiers:
    """Put the identifiers of each family where they are needed and keep what makes the smallest suite."""

    def placed(family: Family, extra_states: int) -> NodeIdentifiers:
        if not place.complete and extra_states > 1:  # inner nodes on one path have to be apart, too
            return everywhere(family[0], extra_states=extra_states)
        return where_needed(place.table, place.cover, family[0], extra_states=extra_states, agreement=family[1])

    return best_placed(place, families, placed)


def best_placed(
    place: Basis, families: Iterable[Family], placed: Callable[[Family, int], NodeIdentifiers]
) -> NodeIdentifiers:
    """Place the identifiers of each family, keep what makes the smallest suite."""
    leaves = place.table.states * place.table.inputs ** (place.extra_states + 1)
    # More than one extra state changes all sizes nearly alike, so that large suites need not be counted.
    extra = place.extra_states if leaves <= _LEAVES else min(place.extra_states, 1)
    best: tuple[tuple[int, int], Family, NodeIdentifiers] | None = None
    for family in families:
        nodes = placed(family, extra)
        rank = _rank(_size(place, nodes, extra))
        if best is None or rank < best[0]:
            best = (rank, family, nodes)
    assert best is not None
    return best[2] if extra == place.extra_states else placed(best[1], place.extra_states)


def with_heirs(place: Basis, families: Iterable[Identifiers]) -> Iterator[Family]:
    """Each harmonised family as it is, and with identifiers inherited from successors."""
    for family in families:
        yield family, Agreement.HARMONISED
        if not loose_fits(place, len(family.child)):
            continue
        words = [family.words(state) for state in range(place.table.states)]
        for heirs in Heirs:
            for gain in (2.0, 0.5 * place.base, place.base, 2 * place.base, 4 * place.base):
                heritage = inherited(place.table, words, base=place.base, gain=gain, heirs=heirs)
                if heritage != words:
                    yield identifiers_of(heritage), Agreement.LOOSE


def loose_fits(place: Basis, nodes: int) -> bool:
    """Whether there is memory to find where loose identifiers of this many nodes are needed."""
    return place.table.states * nodes * (place.extra_states + 1) <= _MARKS


def telling_inputs(table: Table) -> list[int]:
    """The inputs, those first that distinguish most states at once."""
    rows = table.output.reshape(table.states, table.inputs)
    told = [np.unique(rows[:, symbol], return_counts=True)[1] for symbol in range(table.inputs)]
    left = [float((count * np.log2(count)).sum()) for count in told]
    return sorted(range(table.inputs), key=lambda i: (left[i], i))


def _further_tastes(place: Basis, favourites: list[int]) -> list[Taste]:
    tastes = [_taste(place, rate=rate, fine=fine) for rate, fine in ((0.6, 4.0), (2.0, 1.0), (0.3, 20.0))]
    tastes += [
        _taste(place, favourite=favourite, discount=discount, rate=rate, ahead=ahead, fine=fine)
        for favourite in favourites
        for ahead in (2, 3)
        for fine in (4.0, 1.0)
        for rate, discount in ((0.6, 0.3), (0.3, 0.7), (0.8, 0.55), (1.0, 0.45), (2.0, 0.75), (0.6, 0.15))
    ]
    return tastes


def _taste(
    place: Basis,
    *,
    rate: float = 0.6,
    fine: float = 4.0,
    ahead: int = 2,
    favourite: int = 0,
    discount: float = 0.0,
) -> Taste:
    return Taste(rate=rate, fine=fine * place.base, ahead=ahead, favourite=favourite, discount=discount, work=_WORK)


def _try(place: Basis, seen: dict[SuiteSize, Identifiers], taste: Taste) -> tuple[int, int]:
    """Build a family, note it by the size of its suite, return its rank."""
    family = harmonised_identifiers(place.table, place.separation, weight=place.weight, taste=taste)
    size = _size(place, everywhere(family, extra_states=0), 0)
    seen.setdefault(size, family)
    return _rank(size)


def _rank(size: SuiteSize) -> tuple[int, int]:
    """Among suites of nearly equal cost, one with fewer tests is better: a reset often takes longer than an input."""
    return size.inputs + 4 * size.tests, size.tests


def _size(place: Basis, nodes: NodeIdentifiers, extra_states: int) -> SuiteSize:
    made = Composition(table=place.table, cover=place.cover, identifiers=nodes, extra_states=extra_states)
    return made.size()
