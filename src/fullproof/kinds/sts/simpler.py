"""Simpler inputs of a symbolic transition system: one parameter nearer to 0 or to a line that the model draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fullproof.analysis.sts_corners import numbers_of
from fullproof.artefacts.execution import Listen, Sent
from fullproof.explain.values import simpler_values
from fullproof.model import Sts


def simpler(model: Sts) -> Callable[[Sent | Listen], Iterator[Sent | Listen]]:
    """What is simpler than a move."""
    numbers = tuple(numbers_of(model))
    gates = {gate.name: gate.parameters for gate in model.inputs}

    def below(move: Sent | Listen) -> Iterator[Sent | Listen]:
        if isinstance(move, Sent):
            for place, parameter in enumerate(gates[move.gate]):
                for value in simpler_values(move.values[place], parameter, numbers):
                    yield Sent(move.gate, (*move.values[:place], value, *move.values[place + 1 :]))

    return below
