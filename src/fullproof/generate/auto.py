"""``auto``: the cheapest of the methods that can be afforded."""

from __future__ import annotations

from fullproof.analysis.table import Table
from fullproof.artefacts.request import Domain, SuiteRequest
from fullproof.artefacts.words import WordList
from fullproof.generate.catalogue import EQUIVALENCE_METHODS, FiniteMethod


def cheapest(
    table: Table, request: SuiteRequest, *, extra_states: int
) -> tuple[FiniteMethod, WordList, tuple[str, ...]]:
    """Try the methods that suit the fault domain and keep the suite of the least cost (inputs plus weighed resets).

    Returns the method, its words, and a note on what the others would have cost.
    """
    best: tuple[float, FiniteMethod, WordList] | None = None
    costs = []
    for method in EQUIVALENCE_METHODS.values():
        if not method.suits(request.domain) or not method.affordable(table, extra_states):
            continue
        words = method.words(table, request, extra_states=extra_states)
        cost = words.total + request.reset_cost * len(words)
        costs.append(f"{method.name} {cost:,.0f}")
        if best is None or cost < best[0]:
            best = (cost, method, words)
    if best is None:
        fallback = EQUIVALENCE_METHODS["hsi" if request.domain is Domain.K_A else "w"]
        return fallback, fallback.words(table, request, extra_states=extra_states), ()
    note = f"cost in inputs plus resets: {', '.join(costs)}"
    return best[1], best[2], (note,)
