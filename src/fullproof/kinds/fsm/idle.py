"""Options that have no effect on a finite machine."""

from __future__ import annotations

from fullproof.artefacts.questions import CompareRequest, ScoreRequest
from fullproof.artefacts.request import GREY_BOX, Relation, SuiteRequest
from fullproof.kinds.idle import (
    FOR_BELOW,
    FOR_DEGREES,
    FOR_GREY_BOX,
    FOR_STATEMACHINE,
    FOR_STS,
    FOR_SYMBOLS,
    NAMED,
    Idle,
    names_faults,
    unweighed,
)
from fullproof.model import Fsm

_DECIDED = "has no effect on finite machines, which are decided without a bound"


def idle(model: Fsm, request: object) -> Idle:
    """Why options of a request have no effect, by the names of their fields."""
    match request:
        case SuiteRequest():
            return {**_OTHERS, **_of_suite(model, request)}
        case CompareRequest():
            return {"depth": _DECIDED}
        case ScoreRequest():
            return {"timeout": _DECIDED}
    return {}


_OTHERS = {
    "fsm_method": FOR_BELOW,
    "degree": FOR_DEGREES,
    "paving": FOR_STATEMACHINE,
    "coverage": FOR_STS,
    "depth": FOR_STS,
}


def _of_suite(model: Fsm, request: SuiteRequest) -> Idle:
    if names_faults(model, request):
        return {"distinguish": NAMED}
    relation = request.relation or Relation.EQUIVALENCE
    if relation is not Relation.EQUIVALENCE:
        counted = f"has no effect on suites for {relation.value}, which are made by counting states"
        found = dict.fromkeys(("reset_cost", "timeout", "domain"), counted)
        return found if relation in GREY_BOX else {**found, "distinguish": FOR_GREY_BOX}
    # Only auto looks for a suite as long as there is time; one method makes the suite that it has.
    single = (
        {}
        if request.method == "auto" or request.shrink
        else {"timeout": "has no effect: it is for method auto, --shrink and faults"}
    )
    counting = {"domain": FOR_SYMBOLS} if request.method == "counting" else {}
    return {"distinguish": FOR_GREY_BOX, **unweighed(request), **single, **counting}
