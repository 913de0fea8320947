"""Systems under test: the one way to open what ``--sut`` names, for models of every kind."""

from __future__ import annotations

from typing import Any

from fullproof.kinds import kind_of
from fullproof.model import Model
from fullproof.model.state_output import joined, plain


def open_sut(
    spec: str, model: Model, *, seed: int = 0, step_timeout: float | None = 10.0, isolated: bool = False
) -> Any:
    """Open a system for a model: a ``Sut``, or a ``ReactiveSut`` where the kind is reactive. Close it after.

    A UserError where there is none. ``step_timeout`` bounds each answer of an out-of-process system and the constructor
    of a Python one; a reactive Python system that is ``isolated`` has a process of its own.
    """
    from fullproof.execute.adapters import ANSWERING, REACTIVE, Opening, open_system

    kind = kind_of(model)
    opening = Opening(stand_in=kind.stand_in, seed=seed, step_timeout=step_timeout, isolated=isolated)
    contract = REACTIVE if kind.reactive else ANSWERING
    if model.description.unobserved is None:
        return open_system(spec, model, contract, opening)
    from fullproof.execute.observing import ObservingSut

    seen = plain(model)
    return ObservingSut(open_system(spec, seen, contract, opening), joined(seen))
