"""``model:``: another model plays the system under test."""

from __future__ import annotations

from pathlib import Path
from random import Random

from fullproof.core.errors import Place, UserError
from fullproof.execute.play import Play, Player
from fullproof.execute.sut import SutError
from fullproof.model import Fsm, Model, Sfsm, StateMachine


class ModelSut:
    """A player behind the contract of a system."""

    in_process = False  # it cannot hang, and a solver could not be interrupted: its own time limit ends it

    def __init__(self, player: Player, dice: Random, *, seed: int) -> None:
        """``dice`` are those that the player takes its choices from."""
        self._player, self._dice, self._seed = player, dice, seed
        self.reset = player.reset
        self.step = player.step

    def begin(self, number: int) -> None:
        """Let the choices of an execution depend on its number alone, whatever ran before it or beside it."""
        self._dice.seed(f"{self._seed} {number}")

    @property
    def grey_box(self) -> bool:
        """An fsm knows which inputs it offers."""
        return self._player.enabled() is not None

    def enabled(self) -> frozenset[str]:
        """The inputs defined in the current state."""
        enabled = self._player.enabled()
        if enabled is None:
            raise SutError("this kind of model does not say which inputs are enabled")
        return enabled

    def state(self) -> str:
        """The current state."""
        return self._player.state

    def finish(self) -> None:
        """A model says nothing unasked."""

    def discard(self) -> None:
        """A model is as good as new after a reset."""

    def close(self) -> None:
        """Nothing to let go of."""


def open_model(target: str, model: Model, *, seed: int, play: Play) -> ModelSut:
    """Read the other model; it must be of the same kind and take the same inputs."""
    from fullproof.formats import read_model

    if not target:
        raise UserError("--sut model: needs a model file, e.g. model:mutant.yaml")
    other = read_model(Path(target))
    at = Place(file=target)
    if other.kind != model.kind:
        raise UserError(f"a model of kind {other.kind} cannot play the system for one of kind {model.kind}", at=at)
    if isinstance(model, Fsm) and isinstance(other, Fsm):
        missing = sorted(set(model.inputs) - set(other.inputs))
        if missing and not set(model.inputs) & set(other.inputs):
            raise UserError(f"has none of the inputs of {model.name}, such as {missing[0]!r}", at=at)
    if isinstance(model, Sfsm | StateMachine) and isinstance(other, Sfsm | StateMachine):
        for what, mine, theirs in (("inputs", model.inputs, other.inputs), ("outputs", model.outputs, other.outputs)):
            if {v.name for v in mine} != {v.name for v in theirs}:
                names = ", ".join(v.name for v in mine)
                raise UserError(f"needs the {what} {names} to play the system for {model.name}", at=at)
    if isinstance(model, StateMachine) and isinstance(other, StateMachine):
        for unheard in sorted(set(model.signals_in) - set(other.signals_in)):
            raise UserError(f"needs the input signal {unheard} to play the system for {model.name}", at=at)
    dice = Random(seed)
    player = play(other, dice)
    assert isinstance(player, Player)
    return ModelSut(player, dice, seed=seed)
