"""``auto``: the cheapest of the methods that can be afforded."""

from __future__ import annotations

from fullproof.analysis.defined_words import is_complete
from fullproof.analysis.table import Table
from fullproof.artefacts.request import StateDomain, SuiteRequest
from fullproof.artefacts.words import WordSource
from fullproof.core.budget import OutOfRoom
from fullproof.core.deadline import Deadline
from fullproof.core.interrupts import telling
from fullproof.generate.finite.lengths import TestsTooLong
from fullproof.generate.finite.method import FiniteMethod
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS


def cheapest(
    table: Table, request: SuiteRequest, *, extra_states: int, clock: Deadline | None = None
) -> tuple[FiniteMethod, WordSource, tuple[str, ...]]:
    """Try the methods that suit the fault domain and keep the suite of the least cost (inputs plus weighed resets).

    Returns the method, its words, and a note on what the others would have cost. No further method is tried after one
    where ``clock`` has passed.
    """
    best: tuple[float, FiniteMethod, WordSource] | None = None
    costs: list[str] = []
    refused: TestsTooLong | OutOfRoom | None = None
    complete = is_complete(table)
    for method in EQUIVALENCE_METHODS.values():
        found = best[0] if best else 0.0
        if best is not None and clock is not None and clock.passed():
            break
        if request.domain not in method.domains or not method.affordable(table, extra_states, found=found):
            continue
        if not complete and not method.takes_partial(request):
            continue
        try:
            with telling(lambda: _tried(costs), "to go on, name the cheapest of them by --method"):
                words = method.source(table, request, extra_states=extra_states)
                cost = cost_of(words, reset_cost=request.reset_cost)
        except (TestsTooLong, OutOfRoom) as error:
            refused = error
            continue
        costs.append(f"{method.name} {cost:,.0f}")
        if best is None or cost < best[0]:
            best = (cost, method, words)
    if best is None:
        if isinstance(refused, TestsTooLong):
            raise refused
        fallback = EQUIVALENCE_METHODS["hsi" if request.domain is StateDomain.K_A or not complete else "w"]
        return fallback, fallback.source(table, request, extra_states=extra_states), ()
    return best[1], best[2], (_tried(costs),)


def _tried(costs: list[str]) -> str:
    return f"cost in inputs plus resets: {', '.join(costs) or 'none is known yet'}"


def cost_of(words: WordSource, *, reset_cost: float) -> float:
    """Inputs plus weighed resets."""
    return sum(piece.total + reset_cost * len(piece) for piece in words.chunks())
