"""suite -> smaller suite, by the exact checker."""

from __future__ import annotations

import dataclasses
import time

from fullproof.artefacts.request import StateDomain, SuiteRequest
from fullproof.core.errors import Place, UserError
from fullproof.kinds.suite import GeneratedSuite
from fullproof.model import Fsm


def shrunk(suite: GeneratedSuite, request: SuiteRequest, at: Place) -> GeneratedSuite:
    """Trim a suite as long as it stays certified; the notes say how much was saved and why it ended.

    Guarantee: the same bound as before, now decided exactly. Needs: equivalence, a deterministic model (of a partial
    one, quasi-equivalence is kept), and the domain of all machines up to the bound, which trimming uses to the full.
    """
    from fullproof.artefacts.words import word_list
    from fullproof.certify.machine import nondeterminism
    from fullproof.certify.shrink import ShrinkLimits, shrink

    model = suite.model
    if suite.header.faults is not None:
        raise UserError("a suite for faults by name is trimmed already: it has no use for --shrink", at=at)
    if not isinstance(model, Fsm) or suite.header.relation != "equivalence" or nondeterminism(model) is not None:
        raise UserError("--shrink is for the equivalence of deterministic machines", at=at)
    if request.domain is not StateDomain.STATES:
        raise UserError("--shrink uses the bound on states to the full; it cannot keep --domain k-A", at=at)
    begin = time.perf_counter()
    names = model.inputs
    number = {name: k for k, name in enumerate(names)}
    words = [[names[symbol] for symbol in word] for piece in suite.words.chunks() for word in piece]
    result = shrink(
        model,
        words,
        extra_states=suite.header.extra_states,
        limits=ShrinkLimits(seconds=request.timeout),
        reset_cost=request.reset_cost,
        seed=request.seed,
    )
    note = (
        f"shrunk from cost {result.before:g} to {result.after:g}"
        f"{', irredundant' if result.irredundant else ''}: {result.reason}"
    )
    smaller = word_list(sorted([number[symbol] for symbol in word] for word in result.words))
    header = suite.header
    if result.after < result.before:
        header = dataclasses.replace(header, guarantee=header.guarantee.citing("trimmed by the exact checker"))
    return dataclasses.replace(
        suite,
        header=header,
        words=smaller,
        notes=(*suite.notes, note),
        seconds=suite.seconds + time.perf_counter() - begin,
    )
