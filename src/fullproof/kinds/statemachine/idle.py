"""Options that have no effect on a state machine."""

from __future__ import annotations

from fullproof.artefacts.request import SuiteRequest
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.kinds.idle import FOR_STS, FOR_SYMBOLS, NAMED, TIMED, Idle, names_faults, unweighed
from fullproof.model import StateMachine

_OTHERS = {"coverage": FOR_STS, "depth": FOR_STS, "distinguish": FOR_SYMBOLS}
_CLASSES = ("fsm_method", "degree", "paving")


def idle(model: StateMachine, request: object) -> Idle:
    """Why options of a request have no effect, by the names of their fields."""
    return {**_OTHERS, **_of_suite(model, request)} if isinstance(request, SuiteRequest) else {}


def _of_suite(model: StateMachine, request: SuiteRequest) -> Idle:
    if model.timers:
        return dict.fromkeys(_CLASSES, TIMED)
    if names_faults(model, request):
        return dict.fromkeys((*_CLASSES, "regions"), NAMED)
    below = "is for methods identify and partition, which have a finite method below them"
    if request.method in EQUIVALENCE_METHODS:
        return {"fsm_method": below, **unweighed(request)}
    if request.method in ("paper", "relaxed"):
        found = {"fsm_method": below, "reset_cost": below}
        exercised = "has no effect on method relaxed, which exercises transitions and claims no bound on states"
        bounded = request.method == "relaxed" and request.extra_states
        return {**found, "extra_states": exercised} if bounded else found
    return {}
