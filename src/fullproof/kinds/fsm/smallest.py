"""The suite for an fsm: that of a method, or of the exact engine where state counting alone would cost too much.

Of a partial model with states that no defined word distinguishes, one state of a system may stand for two of the model.
State counting allows for that everywhere; the exact engine finds the few places where it matters. So ``auto`` grows a
suite by counterexamples, within a budget, and keeps the cheaper one.
"""

from __future__ import annotations

import dataclasses

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.words import WordList, word_list
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Place
from fullproof.generate.finite.auto import cost_of
from fullproof.generate.finite.guarantee import grown_guarantee
from fullproof.generate.finite.preparation import inseparable, prepare
from fullproof.generate.finite.suite import PARTIAL, CountingRefused, FiniteSuite, finite_suite
from fullproof.model import Fsm

_STEPS_EACH, _LEAST_STEPS, _MOST_STEPS = 30_000, 10_000_000, 100_000_000
"""Steps of the exact engine for each input and reset of the suite by state counting, at least and at most: one second
to half a minute, mostly.
"""


def smallest_suite(model: Fsm, request: SuiteRequest, *, extra_states: int, at: Place, clock: Deadline) -> FiniteSuite:
    """Generate by the method asked; ``auto`` for equivalence grows a suite where only state counting is left.

    The same request gets the same suite on every machine, unless ``clock``, that of ``--timeout``, cuts.
    """
    grows = request.method == "auto" and request.relation in (None, Relation.EQUIVALENCE) and not request.shrink
    try:
        counted = finite_suite(model, request, extra_states=extra_states, at=at, clock=clock)
    except CountingRefused:
        found = _grown(model, request, extra_states, _MOST_STEPS, at, clock) if grows else None
        if found is None:
            raise
        return found
    if not grows or counted.method != "counting":
        return counted
    price = cost_of(counted.words, reset_cost=request.reset_cost)
    steps = min(_MOST_STEPS, max(_LEAST_STEPS, int(_STEPS_EACH * price)))
    found = _grown(model, request, extra_states, steps, at, clock)
    if found is None or cost_of(found.words, reset_cost=request.reset_cost) >= price:
        return counted
    return dataclasses.replace(found, notes=(*found.notes, f"state counting alone would cost {price:,.0f}"))


def _grown(
    model: Fsm, request: SuiteRequest, extra_states: int, steps: int, at: Place, clock: Deadline
) -> FiniteSuite | None:
    """A suite by counterexamples; None where the model is no deterministic one or the budget is too small."""
    from fullproof.certify.machine import nondeterminism
    from fullproof.certify.shrink import ShrinkLimits, grown

    if nondeterminism(model) is not None:
        return None
    result = grown(
        model,
        extra_states=extra_states,
        limits=ShrinkLimits(steps=steps, seconds=None if request.timeout is None else clock.left()),
        reset_cost=request.reset_cost,
        seed=request.seed,
    )
    if result is None or (request.max_length is not None and max(map(len, result.words)) > request.max_length):
        return None
    prepared = prepare(model, at=at, partial=True)
    return FiniteSuite(
        words=_words(model, result.words),
        method="counting",
        states=prepared.table.states,
        guarantee=grown_guarantee(states=prepared.table.states, extra_states=extra_states),
        notes=(*prepared.notes, inseparable(prepared), PARTIAL, f"grown by counterexamples: {result.reason}"),
    )


def _words(model: Fsm, words: tuple[tuple[str, ...], ...]) -> WordList:
    number = {name: k for k, name in enumerate(model.inputs)}
    return word_list(sorted([number[symbol] for symbol in word] for word in words))
