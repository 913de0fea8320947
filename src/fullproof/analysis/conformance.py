"""Exact conformance between two observable machines over the same numbering, by a walk through their product."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum

from fullproof.analysis.responses import Responses
from fullproof.artefacts.request import ALL_ANSWERS, Relation

ANYTHING_GOES = frozenset({Relation.EQUIVALENCE, Relation.QUASI_REDUCTION})
"""Relations that allow any reaction to an input that the model leaves undefined."""


class RelationViolation(Enum):
    """How a pair of states breaks a relation."""

    OUTPUT = "the model does not allow the output"
    MISSING = "the model demands an output that the other machine never gives"
    REFUSED = "the model defines the input, the other machine does not"
    ACCEPTED = "the other machine defines the input, the model does not"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """A shortest common trace and the input after which the two differ; ``output`` is the offending one, if any."""

    trace: tuple[tuple[int, int], ...]
    input: int
    output: int | None
    violation: RelationViolation


def counterexample(model: Responses, other: Responses, relation: Relation) -> Counterexample | None:
    """A shortest reason why ``other`` does not conform to ``model``, or None where it does.

    Quasi-reduction: what the model defines, the other defines and answers as allowed. Equivalence: in addition, it
    gives every output that the model has; for a partial model this is quasi-equivalence. Strong reduction: a
    quasi-reduction that defines nothing more. Language equivalence: both. Reduction: the other's language is contained
    in the model's.
    Needs: both observable; inputs and outputs numbered alike.
    """
    start = (0, 0)
    before: dict[tuple[int, int], tuple[tuple[int, int], tuple[int, int]] | None] = {start: None}
    queue = deque([start])
    while queue:
        pair = queue.popleft()
        found = _difference(model, other, pair, relation)
        if found is not None:
            symbol, output, violation = found
            return Counterexample(trace=_trace(before, pair), input=symbol, output=output, violation=violation)
        for symbol, answers in sorted(other.after[pair[1]].items()):
            allowed = model.after[pair[0]].get(symbol, {})
            for output, target in sorted(answers.items()):
                if output in allowed and (allowed[output], target) not in before:
                    before[allowed[output], target] = (pair, (symbol, output))
                    queue.append((allowed[output], target))
    return None


def _difference(
    model: Responses, other: Responses, pair: tuple[int, int], relation: Relation
) -> tuple[int, int | None, RelationViolation] | None:
    demanded, given = model.after[pair[0]], other.after[pair[1]]
    for symbol in sorted(demanded.keys() | given.keys()):
        if symbol not in given:
            if relation is not Relation.REDUCTION:
                return symbol, None, RelationViolation.REFUSED
        elif symbol not in demanded:
            if relation not in ANYTHING_GOES:
                return symbol, min(given[symbol]), RelationViolation.ACCEPTED
        else:
            if forbidden := given[symbol].keys() - demanded[symbol].keys():
                return symbol, min(forbidden), RelationViolation.OUTPUT
            missing = demanded[symbol].keys() - given[symbol].keys()
            if missing and relation in ALL_ANSWERS:
                return symbol, min(missing), RelationViolation.MISSING
    return None


def _trace(
    before: dict[tuple[int, int], tuple[tuple[int, int], tuple[int, int]] | None], pair: tuple[int, int]
) -> tuple[tuple[int, int], ...]:
    steps = []
    link = before[pair]
    while link is not None:
        pair, step = link
        steps.append(step)
        link = before[pair]
    return tuple(reversed(steps))
