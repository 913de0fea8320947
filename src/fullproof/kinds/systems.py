"""Opens the system under test that ``--sut`` names, for models of every kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from fullproof.kinds import kind_of
from fullproof.model import Model
from fullproof.model.state_output import joined, plain

if TYPE_CHECKING:
    from fullproof.execute.adapters import Contract


System: TypeAlias = str | Callable[..., Any]
"""What ``--sut`` takes, or a class or factory, whose objects run in this process."""


def open_sut(
    spec: System,
    model: Model,
    *,
    seed: int = 0,
    step_timeout: float | None = 10.0,
    isolated: bool = False,
    waits: bool = False,
) -> Any:
    """Open a system for a model: a ``Sut``, or a ``ReactiveSut`` where the kind is reactive. Close it after.

    A UserError where there is none. ``step_timeout`` bounds each answer of an out-of-process system and the constructor
    of a Python one; a reactive Python system that is ``isolated`` has a process of its own.
    Where ``waits``, delays pass in real time.
    """
    from fullproof.execute.adapters import Opening, open_system

    seen = plain(model)
    stand_in = kind_of(model).stand_in
    opening = Opening(stand_in=stand_in, seed=seed, step_timeout=step_timeout, isolated=isolated, waits=waits)
    contract = _contract(model)
    if isinstance(spec, str):
        system = open_system(spec, seen, contract, opening)
    else:
        system = contract.adopt(spec, seen, opening)
    if model.description.unobserved is None:
        return system
    from fullproof.execute.state_observation import ObservingSut

    return ObservingSut(system, joined(seen))


def check_sut(spec: str, model: Model) -> None:
    """Raise the UserError for a spec that cannot name a system, without starting anything of the system."""
    from fullproof.execute.adapters import Opening
    from fullproof.execute.adapters.specs import check_spec

    check_spec(spec, plain(model), _contract(model), Opening(stand_in=kind_of(model).stand_in))


def _contract(model: Model) -> Contract:
    from fullproof.execute.adapters import ANSWERING, REACTIVE

    return REACTIVE if kind_of(model).reactive else ANSWERING
