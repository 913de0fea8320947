"""Readings of a request that are common to all kinds of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.written_states import given_extra_states
from fullproof.core.errors import NOWHERE, Place, UserError

if TYPE_CHECKING:
    from fullproof.kinds.kind import AnyKind
    from fullproof.model import Model


def refuse_symbolic_options(kind: AnyKind, request: SuiteRequest, *, at: Place = NOWHERE) -> None:
    """Options of symbolic machines that would silently do nothing for others."""
    for asked, option in (
        (request.properties, "--property"),
        (request.mutate_guards, "--mutate-guards"),
        (request.mutate_outputs, "--mutate-outputs"),
        (request.mutate_atoms, "--mutate-atoms"),
        (request.mutate_limit is not None, "--mutate-limit"),
        (request.thresholds, "--threshold"),
        (request.pairs, "--pairs"),
    ):
        if asked and not kind.has_expressions:
            raise UserError(f"{option} is for models of kind sfsm", at=at)
    if request.regions is not None:
        kind.required(kind.regions, "--regions", at=at)


def refuse_times(model: Model, request: SuiteRequest, *, at: Place = NOWHERE) -> None:
    """Options of models with timers that would silently do nothing for others."""
    for asked, option in ((request.margin, "--margin"), (request.tolerance, "--tolerance")):
        if asked is not None and not getattr(model, "timers", ()):
            raise UserError(f"{option} is for models with timers", at=at)


def extra_states_of(model: Model, request: SuiteRequest) -> int:
    """How many states a system may have more than the minimal form of the model: from the request, else from the model.

    Where neither has a number, ``pipeline.suites`` asks again with the default of ``artefacts.written_states``.
    """
    return given_extra_states(model, request) or 0
