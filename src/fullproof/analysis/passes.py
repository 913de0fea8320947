"""Whether a machine passes a test, exactly: over all its behaviours, not a sample of them."""

from __future__ import annotations

from collections.abc import Sequence

from fullproof.analysis.conformance import ANYTHING_GOES
from fullproof.analysis.responses import Responses
from fullproof.artefacts.request import ALL_ANSWERS, GREY_BOX, Relation


def fails_at(model: Responses, other: Responses, word: Sequence[int], relation: Relation) -> int | None:
    """The step (from 0) at which some behaviour of ``other`` is refused, or None where all of them pass.

    The oracle of paper 002, section 5.4: outputs must be allowed; for equivalence all allowed ones must occur; for
    strong reduction and language equivalence the enabled inputs must agree before every input and at the end. Where
    the model leaves the input undefined, that branch of the test is over.
    Needs: both observable, numbered alike; the complete testing assumption, which makes all behaviours visible.
    """
    pairs = {(0, 0)}
    for step, symbol in enumerate(word):
        after: set[tuple[int, int]] = set()
        for s, t in pairs:
            demanded, given = model.after[s], other.after[t]
            if relation in GREY_BOX and demanded.keys() != given.keys():
                return step
            if symbol not in demanded:
                if symbol in given and relation not in ANYTHING_GOES:
                    return step
                continue
            answers = given.get(symbol, {})
            if not _answers_pass(demanded[symbol], answers, relation):
                return step
            after.update((demanded[symbol][output], target) for output, target in answers.items())
        pairs = after
    if relation in GREY_BOX and any(model.after[s].keys() != other.after[t].keys() for s, t in pairs):
        return len(word)
    return None


def _answers_pass(allowed: dict[int, int], given: dict[int, int], relation: Relation) -> bool:
    if not given:
        return relation is Relation.REDUCTION
    if not given.keys() <= allowed.keys():
        return False
    return relation not in ALL_ANSWERS or given.keys() == allowed.keys()
