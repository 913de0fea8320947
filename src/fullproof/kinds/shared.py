"""Parts that several kinds have in common."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, TypeVar

from fullproof.core.errors import Place, UserError

if TYPE_CHECKING:
    from fullproof.artefacts.finding import Profile
    from fullproof.execute.adapters.model_sut import ModelSut
    from fullproof.execute.play import Player
    from fullproof.model import Model, Sfsm, StateMachine

M = TypeVar("M")


def checked(model: Model) -> Profile:
    """What a model is, and what is wrong with it."""
    from fullproof.check import check

    return check(model)


def stand_in(play: Callable[[M, Random], Player], other: M, seed: int) -> ModelSut:
    """A model in motion as a system that answers each input."""
    from fullproof.execute.adapters.model_sut import ModelSut

    dice = Random(seed)
    return ModelSut(play(other, dice), dice, seed=seed)


def require_same_variables(model: Sfsm | StateMachine, other: Sfsm | StateMachine, at: Place) -> None:
    """A UserError where another model cannot play the system, as it has other inputs or outputs."""
    for what, mine, theirs in (("inputs", model.inputs, other.inputs), ("outputs", model.outputs, other.outputs)):
        if {v.name for v in mine} != {v.name for v in theirs}:
            names = ", ".join(v.name for v in mine)
            raise UserError(f"needs the {what} {names} to play the system for {model.name}", at=at)
