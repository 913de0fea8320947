"""A finite machine in motion."""

from __future__ import annotations

from random import Random

from fullproof.artefacts.suite import TestInput
from fullproof.core.suggest import did_you_mean
from fullproof.execute.observation import shown
from fullproof.execute.sut import SutError
from fullproof.model import Fsm


class FsmPlayer:
    """Plays any fsm; among several transitions for an input each is as likely as the others."""

    def __init__(self, model: Fsm, random: Random) -> None:
        self._random = random
        self._initial = self._state = model.initial
        self._inputs = model.inputs
        self._moves: dict[str, dict[str, list[tuple[str, str]]]] = {state: {} for state in model.states}
        for t in model.transitions:
            self._moves[t.source].setdefault(t.input, []).append((t.output, t.target))

    def reset(self) -> None:
        """Return to the initial state."""
        self._state = self._initial

    @property
    def state(self) -> str:
        """The current state."""
        return self._state

    def step(self, symbol: TestInput, /) -> str:
        """Take a transition and return its output."""
        if not isinstance(symbol, str):
            raise SutError(f"{shown(symbol)} is no input of an fsm, which is a string")
        moves = self._moves[self._state].get(symbol)
        if moves is None:
            raise self._undefined(symbol)
        output, self._state = moves[0] if len(moves) == 1 else self._random.choice(moves)
        return output

    def enabled(self) -> frozenset[str]:
        """The inputs defined in the current state."""
        return frozenset(self._moves[self._state])

    def _undefined(self, symbol: str) -> SutError:
        if symbol not in self._inputs:
            return SutError(f"unknown input {symbol!r}{did_you_mean(symbol, self._inputs)}")
        return SutError(f"input {symbol!r} is undefined in state {self._state!r}")
