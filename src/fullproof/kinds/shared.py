"""Parts that several kinds have in common."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from fullproof.core.errors import Place, UserError
from fullproof.model.interface import answering

if TYPE_CHECKING:
    from fullproof.artefacts.finding import Profile
    from fullproof.execute.adapters.model_sut import ModelSut
    from fullproof.execute.play import Player
    from fullproof.model import Model


def checked(model: Model) -> Profile:
    """The profile of a model and the findings on it."""
    from fullproof.check import check

    return check(model)


def stand_in(play: Callable[[Any, Random], Player], model: Model, other: Model, at: Place, seed: int) -> ModelSut:
    """Another model of the kind in motion, as a system that answers each input; a UserError where it cannot be."""
    from fullproof.execute.adapters.model_sut import ModelSut

    if (reason := answering(model).unplayable(answering(other), model.name)) is not None:
        raise UserError(reason, at=at)
    dice = Random(seed)
    return ModelSut(play(other, dice), dice, seed=seed)
