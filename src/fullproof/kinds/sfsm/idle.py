"""Options that have no effect on a symbolic machine."""

from __future__ import annotations

from fullproof.artefacts.questions import CompareRequest
from fullproof.artefacts.request import SuiteRequest
from fullproof.kinds.idle import FOR_STATEMACHINE, FOR_STS, NAMED, Idle, names_faults
from fullproof.model import Sfsm

_OTHERS = {"paving": FOR_STATEMACHINE, "coverage": FOR_STS, "depth": FOR_STS}
_EXPRESSIONS = (
    *("mutate_guards", "mutate_outputs", "mutate_atoms", "mutate_limit", "thresholds", "pairs", "degree"),
    *("fsm_method", "distinguish"),
)
_LIMITED = "goes with --mutate-guards, --mutate-atoms or --mutate-outputs"


def idle(model: Sfsm, request: object) -> Idle:
    """Why options of a request have no effect, by the names of their fields."""
    match request:
        case SuiteRequest():
            return {**_OTHERS, **_of_suite(model, request)}
        case CompareRequest():
            return {
                "depth": "is for models of kind sts and statemachine: symbolic machines are decided without a bound"
            }
    return {}


def _of_suite(model: Sfsm, request: SuiteRequest) -> Idle:
    if names_faults(model, request):
        return dict.fromkeys(_EXPRESSIONS, NAMED)
    found: dict[str, str] = {}
    if not (request.mutate_guards or request.mutate_outputs or request.mutate_atoms):
        found["mutate_limit"] = _LIMITED
    if request.method not in ("auto", "local"):
        found["pairs"] = "is for method local"
    return found
