"""Stepping through a finite machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fullproof.kinds.game import Form, GameWay, PlayedGame
from fullproof.model import Fsm


class FsmGame(PlayedGame[Fsm]):
    """A move is a symbol."""

    taken: tuple[int, ...] = ()

    def move(self, move: Mapping[str, Any], /) -> tuple[str, str]:
        """Give it a symbol, and remember which transitions may have answered so."""
        before = self.state
        shown, output = super().move(move)
        step = before, self.symbol(move), output, self.state
        ways = enumerate(self.model.transitions)
        self.taken = tuple(k for k, t in ways if (t.source, t.input, t.output, t.target) == step)
        return shown, output

    def symbol(self, move: Mapping[str, Any], /) -> str:
        """The input that a move stands for."""
        return str(move["name"])

    def choices(self) -> Iterator[Form]:
        """The inputs that are defined here."""
        enabled = self.player.enabled() or frozenset()
        for symbol in self.model.inputs:
            if symbol in enabled:
                yield {"name": symbol, "fields": []}

    def way(self, number: int, /) -> GameWay:
        """The input of a transition."""
        return GameWay(name=self.model.transitions[number].input)
