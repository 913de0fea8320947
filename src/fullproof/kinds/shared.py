"""Parts that several kinds have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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

    require_same_kind(model, other, at)
    if (reason := answering(model).unplayable(answering(other), model.name)) is not None:
        raise UserError(reason, at=at)
    dice = Random(seed)
    return ModelSut(play(other, dice), dice, seed=seed)


def require_same_kind(model: Model, other: Model, at: Place) -> None:
    """A UserError where a model is of another kind than the one for which it is to play the system."""
    if other.kind != model.kind:
        raise UserError(f"a model of kind {other.kind} cannot play the system for one of kind {model.kind}", at=at)


def single_moves(model: Any, transitions: Iterable[tuple[str, int, str]]) -> dict[int, dict[int, int]]:
    """The next state for each state and input, by their numbers, where there is one only; state 0 is initial.

    ``transitions`` are sources, numbers of inputs and targets.
    """
    states = [model.initial, *(state for state in model.states if state != model.initial)]
    numbers = {state: number for number, state in enumerate(states)}
    targets: dict[int, dict[int, set[int]]] = {number: {} for number in range(len(states))}
    for source, symbol, target in transitions:
        targets[numbers[source]].setdefault(symbol, set()).add(numbers[target])
    return {
        state: {symbol: next(iter(found)) for symbol, found in cells.items() if len(found) == 1}
        for state, cells in targets.items()
    }
