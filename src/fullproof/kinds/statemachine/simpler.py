"""Simpler events of a state machine: with a simpler value.

A value that is given is not left out: that would ask the system whether it keeps values, which tests that give all of
them do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fullproof.explain.values import numbers_in, simpler_inputs
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent, TestInput
from fullproof.model.unflattened import drawn_transitions


def simpler(model: StateMachine) -> Callable[[TestInput], Iterator[TestInput]]:
    """The events that are simpler than an event."""
    trees = (e for t in drawn_transitions(model) for e in (t.guard, *(action.expression for action in t.actions)))
    numbers = numbers_in(trees, (c.value for c in model.description.constants))
    variables = {v.name: v for v in model.inputs}

    def below(symbol: TestInput) -> Iterator[TestInput]:
        if not isinstance(symbol, SignalEvent):
            return  # a delay
        for values in simpler_inputs(symbol.values, variables, numbers):
            yield SignalEvent.of(symbol.signal, values)

    return below
