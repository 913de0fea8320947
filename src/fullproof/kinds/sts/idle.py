"""Options that have no effect on a symbolic transition system."""

from __future__ import annotations

from fullproof.artefacts.request import SuiteRequest
from fullproof.kinds.idle import FOR_BELOW, FOR_DEGREES, FOR_GREY_BOX, FOR_STATEMACHINE, FOR_SYMBOLS, Idle
from fullproof.model import Sts


def idle(_model: Sts, request: object) -> Idle:
    """Why options of a request have no effect, by the names of their fields."""
    if not isinstance(request, SuiteRequest):
        return {}
    bound = "has no effect on an sts: purposes cover a model, and claim no bound on states"
    return {
        **({"extra_states": bound} if request.extra_states else {}),  # none is what there is
        "fsm_method": FOR_BELOW,
        "degree": FOR_DEGREES,
        "paving": FOR_STATEMACHINE,
        "domain": FOR_SYMBOLS,
        "distinguish": FOR_GREY_BOX,
        "timeout": "has no effect on an sts, whose purposes are found by steps",
    }
