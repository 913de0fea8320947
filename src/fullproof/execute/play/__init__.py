"""Models that play the system under test: one player per kind, random choices from a seeded generator."""

from __future__ import annotations

from random import Random
from typing import Protocol

from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.execute.play.fsm import FsmPlayer
from fullproof.execute.play.sfsm import SfsmPlayer
from fullproof.execute.play.statemachine import StateMachinePlayer
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts


class Player(Protocol):
    """A model in motion. Choices go on across resets, so that repetitions of a test may differ."""

    def reset(self) -> None:
        """Return to the initial state."""

    @property
    def state(self) -> str:
        """The current state."""

    def step(self, symbol: TestInput, /) -> object:
        """Take a transition and return its output; SutError where the input is undefined."""

    def enabled(self) -> frozenset[str] | None:
        """The inputs defined in the current state; None where the inputs are not symbols."""


def player_for(model: Model, *, seed: int | Random) -> Player:
    """Set a model in motion; its choices come from ``seed``."""
    dice = seed if isinstance(seed, Random) else Random(seed)
    match model:
        case Fsm():
            return FsmPlayer(model, dice)
        case Sfsm():
            return SfsmPlayer(model, dice)
        case StateMachine():
            return StateMachinePlayer(model, dice)
        case Sts():
            raise UserError("an sts answers when it likes, it cannot play a system that answers each input")


__all__ = ["FsmPlayer", "Player", "SfsmPlayer", "StateMachinePlayer", "player_for"]
