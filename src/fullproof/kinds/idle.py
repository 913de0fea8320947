"""Options that would do nothing, and say nothing: refused in one line, for every front end.

A kind says which options of a request have no effect on a model (``Kind.idle``). What a front end did not give has its
default, and is no mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.options import is_given, option_named
from fullproof.artefacts.questions import ScoreRequest
from fullproof.artefacts.request import GREY_BOX, RunRequest, SuiteRequest
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS

if TYPE_CHECKING:
    from fullproof.kinds.kind import AnyKind
    from fullproof.model import Model

FOR_STS = "is for models of kind sts"
FOR_STATEMACHINE = "is for models of kind statemachine"
FOR_BELOW = "is for an sfsm and a statemachine, with methods that have a finite one below them"
FOR_SYMBOLS = "is for finite machines"
FOR_DEGREES = "is for models of kind sfsm and statemachine"
FOR_GREY_BOX = f"is for the relations {' and '.join(sorted(one.value for one in GREY_BOX))}, which see enabled inputs"
NAMED = "has no effect with faults by name: their suite is found by counterexamples"
TIMED = "is for models without timers"
WEIGHED = "is for auto and walks, which weigh resets"

Idle = Mapping[str, str]
"""Options of a request by the names of their fields, and why they have no effect."""


_SHARED = frozenset(
    {(SuiteRequest, "timeout"), (SuiteRequest, "distinguish"), (SuiteRequest, "fsm_method"), (ScoreRequest, "timeout")}
)
"""Options that commands share, so that scripts give them for any model: a note says that they have no effect."""


def refuse_idle(kind: AnyKind, model: Model, request: object, *, at: Place = NOWHERE) -> None:
    """Raise a UserError for an option that is given and has no effect on this model."""
    idle = kind.idle(model, request).items()
    _refuse(request, {field: why for field, why in idle if (type(request), field) not in _SHARED}, at)


def idle_notes(kind: AnyKind, model: Model, request: object) -> tuple[MeaningNote, ...]:
    """What is said of options that are given and have no effect, and yet are not refused."""
    return tuple(
        MeaningNote(f"--{option_named(type(request), field).name} {why}")
        for field, why in kind.idle(model, request).items()
        if (type(request), field) in _SHARED and is_given(request, field)
    )


def refuse_idle_in_run(kind: AnyKind, request: RunRequest, *, at: Place = NOWHERE) -> None:
    """The same for options of how a run is driven, which depend on whether systems answer each input."""
    if kind.reactive:
        reason = "is for systems that answer each input: an sts is run until its goals are covered"
        _refuse(request, {"until_seen": reason}, at)
    else:
        # Not --timeout, which commands share: a run says that it has no effect.
        _refuse(request, dict.fromkeys(("order", "values", "retries", "steps"), FOR_STS), at)


def _refuse(request: object, idle: Idle, at: Place) -> None:
    for field, reason in idle.items():
        if is_given(request, field):
            raise UserError(f"--{option_named(type(request), field).name} {reason}", at=at)


def names_faults(model: Model, request: SuiteRequest) -> bool:
    """Whether a request or the model names the faults that a suite is for."""
    stated = model.description.fault_domain.faults
    return request.faults is not None or request.since is not None or stated is not None


def unweighed(request: SuiteRequest) -> Idle:
    """``--reset-cost`` with a finite method that has one suite only, and does not trim it."""
    fixed = request.method in EQUIVALENCE_METHODS and request.method != "walks" and not request.shrink
    return {"reset_cost": WEIGHED} if fixed else {}
