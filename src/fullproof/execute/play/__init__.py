"""Simulation of a system under test by a model: the interface of players for all kinds of models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeAlias, runtime_checkable

from fullproof.artefacts.suite import TestInput
from fullproof.language.types import Value
from fullproof.model import Model
from fullproof.model.interface import GateInterface


@runtime_checkable
class Player(Protocol):
    """A model that answers each input. The random generator is not reset, so that repetitions of a test may differ."""

    def reset(self) -> None:
        """Return to the initial state."""

    @property
    def state(self) -> str:
        """The current state."""

    @property
    def active(self) -> tuple[str, ...]:
        """The innermost active states: several, where the model is a chart with regions."""

    @property
    def is_partial(self) -> bool:
        """Whether some input is undefined in some state, where inputs are symbols."""

    def step(self, symbol: TestInput, /) -> object:
        """Take a transition and return its output; SutError where the input is undefined."""

    def enabled(self) -> frozenset[str] | None:
        """The inputs defined in the current state; None where the inputs are not symbols."""


@runtime_checkable
class TimedPlayer(Protocol):
    """A model whose time is turned forward by inputs."""

    @property
    def has_clock(self) -> bool:
        """Whether anything depends on the time."""

    def clock(self) -> str:
        """The time since the last reset, and the timers that run, for people."""


@dataclass(frozen=True, slots=True)
class Emission:
    """An output that a system may emit now, and the state after it."""

    gate: str
    values: tuple[Value, ...]
    location: str
    variables: dict[str, Value]


@runtime_checkable
class EmittingPlayer(Protocol):
    """A model that takes inputs, and emits outputs spontaneously."""

    @property
    def interface(self) -> GateInterface:
        """Its gates."""

    def reset(self) -> None:
        """Return to the initial state."""

    def propose(self) -> Emission | None:
        """A random output that is possible now, or None. It takes effect when passed to ``commit``."""

    def commit(self, emission: Emission, /) -> None:
        """Take the transition of an output."""

    def take_now(self, gate: str, values: Sequence[Value], /) -> bool:
        """Take an input before any internal step; False where it is undefined here, and the state is unchanged."""

    def take(self, gate: str, values: Sequence[Value], /) -> bool:
        """Take an input; False where it is undefined here; only internal steps may have happened."""

    def where(self) -> str:
        """The location and the values of the variables, for messages."""


Play: TypeAlias = Callable[[Model, Random], Player | EmittingPlayer]
"""Starts executing a model; its choices come from the generator. Kinds have one each (``kinds.play``)."""
