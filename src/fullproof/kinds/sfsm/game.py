"""Stepping through a symbolic machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fullproof.artefacts.suite import TestInput
from fullproof.kinds.game import Form, GameWay, PlayedGame, field, given_values
from fullproof.kinds.sfsm.player import SfsmPlayer
from fullproof.model import Sfsm


class SfsmGame(PlayedGame[Sfsm]):
    """A move gives a value to each input variable."""

    player: SfsmPlayer

    @property
    def taken(self) -> tuple[int, ...]:
        """The transition that answered."""
        return self.player.taken

    def symbol(self, move: Mapping[str, Any], /) -> TestInput:
        """The input that a move stands for."""
        return given_values(move, self.model.inputs)

    def choices(self) -> Iterator[Form]:
        """One form with all input variables."""
        yield {"name": "", "fields": [field(v) for v in self.model.inputs]}

    def way(self, number: int, /) -> GameWay:
        """Values that the guard admits, and to which there is an answer."""
        t, model = self.model.transitions[number], self.model
        scope = model.scope_with((*model.outputs, *model.inputs))
        return GameWay(name="", free=model.inputs, known=model.outputs, conditions=(t.guard, t.output), scope=scope)
