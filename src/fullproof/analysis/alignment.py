"""Two finite machines over one numbering, so that they can be compared."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from fullproof.analysis.minimise import prime
from fullproof.analysis.observable import observable
from fullproof.analysis.responses import Responses, responses
from fullproof.analysis.table import relation_table
from fullproof.model.fsm import Fsm


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aligned:
    """A model and another machine over the union of their alphabets, both observable and reduced."""

    model: Responses
    other: Responses
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def align(model: Fsm, other: Fsm) -> Aligned:
    """Number both machines alike, the model's symbols first."""
    inputs = tuple(dict.fromkeys(model.inputs + other.inputs))
    outputs = tuple(dict.fromkeys(model.outputs + other.outputs))
    return Aligned(
        model=observed(model, inputs=inputs, outputs=outputs),
        other=observed(other, inputs=inputs, outputs=outputs),
        inputs=inputs,
        outputs=outputs,
    )


def observed(fsm: Fsm, *, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> Responses:
    """The reachable, observable, reduced form of a machine over larger alphabets."""
    widened = dataclasses.replace(fsm, inputs=inputs, outputs=outputs)
    return responses(prime(observable(relation_table(widened)).relation).relation)
