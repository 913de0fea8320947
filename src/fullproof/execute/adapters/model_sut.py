"""``model:``: a model that simulates the system under test."""

from __future__ import annotations

from random import Random

from fullproof.execute.play import Player
from fullproof.execute.sut import SutError


class ModelSut:
    """A player behind the contract of a system."""

    in_process = False  # no watchdog: a solver cannot be interrupted, and its own time limit ends it

    def __init__(self, player: Player, dice: Random, *, seed: int) -> None:
        """``dice`` is the random generator of the player."""
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
        """A model has no unsolicited output."""

    def discard(self) -> None:
        """A model needs no replacement after a reset."""

    def close(self) -> None:
        """Nothing to close."""
