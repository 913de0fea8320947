"""Execution of finite machines."""

from __future__ import annotations

from random import Random

from fullproof.artefacts.suite import TestInput
from fullproof.core.suggest import did_you_mean
from fullproof.execute.observation import shown
from fullproof.execute.sut import SutError
from fullproof.model import Fsm


class FsmPlayer:
    """Executes any fsm; among several transitions for an input each has the same probability.

    A machine that is not observable is executed as the observable machine of the same language, which every relation
    refers to: it enables the inputs of all states that the trace so far may have led to, and where its current state
    does not define an input, it continues from one of the others.
    """

    def __init__(self, model: Fsm, random: Random) -> None:
        self._random = random
        self._initial = self._state = model.initial
        self._possible = [model.initial]
        """All states that the trace so far may have led to, the current one among them."""
        self._inputs = model.inputs
        self._moves: dict[str, dict[str, list[tuple[str, str]]]] = {state: {} for state in model.states}
        for t in model.transitions:
            self._moves[t.source].setdefault(t.input, []).append((t.output, t.target))
        self.is_partial = model.is_partial

    def reset(self) -> None:
        """Return to the initial state."""
        self._state = self._initial
        self._possible = [self._initial]

    @property
    def state(self) -> str:
        """The current state."""
        return self._state

    @property
    def active(self) -> tuple[str, ...]:
        """The current state alone."""
        return (self._state,)

    def step(self, symbol: TestInput, /) -> str:
        """Take a transition and return its output."""
        if not isinstance(symbol, str):
            raise SutError(f"{shown(symbol)} is not an input of an fsm, which is a string")
        here = self._moves[self._state].get(symbol)
        if len(self._possible) == 1 and here is not None and len(here) == 1:
            output, self._state = here[0]
            self._possible = [self._state]
            return output
        moves = [move for state in self._possible for move in self._moves[state].get(symbol, ())]
        if not moves:
            raise self._undefined(symbol)
        output, self._state = self._random.choice(here or moves)
        self._possible = list(dict.fromkeys(target for given, target in moves if given == output))
        return output

    def enabled(self) -> frozenset[str]:
        """The inputs defined after the trace so far."""
        return frozenset(symbol for state in self._possible for symbol in self._moves[state])

    def _undefined(self, symbol: str) -> SutError:
        if symbol not in self._inputs:
            return SutError(f"unknown input {symbol!r}{did_you_mean(symbol, self._inputs)}")
        return SutError(f"input {symbol!r} is undefined in state {self._state!r}")
