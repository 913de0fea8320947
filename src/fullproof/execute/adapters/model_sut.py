"""``model:``: a model that simulates the system under test."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

from fullproof.artefacts.suite import TestInput
from fullproof.execute.play import Player
from fullproof.execute.real_time import SystemClock, Timekeeper
from fullproof.execute.sut import SutError
from fullproof.model.inputs import SENDS, Advance


class ModelSut:
    """A player behind the contract of a system."""

    in_process = False  # no watchdog: a solver cannot be interrupted, and its own time limit ends it

    def __init__(self, player: Player, dice: Random, *, seed: int) -> None:
        """``dice`` is the random generator of the player."""
        self._player, self._dice, self._seed = player, dice, seed
        self.reset = player.reset
        self.step = player.step

    def in_real_time(self, clock: Timekeeper | None = None) -> None:
        """Let the timers of the model run by a clock from now on; ``observe`` says what is seen meanwhile."""
        played = _Waiting(self._player, clock or SystemClock())
        self.reset, self.step, self.observe = played.reset, played.step, played.observe

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


class _Waiting:
    """A model whose timers run by a clock: before it is asked for anything, it does what it was due to do."""

    def __init__(self, player: Player, clock: Timekeeper) -> None:
        self._player, self._clock = player, clock
        self._now = clock.now()

    def reset(self) -> None:
        self._player.reset()
        self._now = self._clock.now()

    def step(self, symbol: TestInput, /) -> object:
        before = self.observe()
        answer: Any = self._player.step(symbol)
        if isinstance(before, Mapping) and isinstance(answer, Mapping) and SENDS in answer:
            return {**answer, SENDS: [*before[SENDS], *answer[SENDS]]}
        return answer

    def observe(self) -> object:
        now = self._clock.now()
        elapsed, self._now = Fraction(now - self._now), now
        return self._player.step(Advance(elapsed))
