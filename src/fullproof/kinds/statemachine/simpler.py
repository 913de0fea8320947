"""Simpler events of a state machine: without a value that stays as it was, or with a simpler one."""

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
        given = symbol.values
        if symbol.signal is not None:
            for name in given:
                yield SignalEvent.of(symbol.signal, {other: value for other, value in given.items() if other != name})
        for values in simpler_inputs(given, variables, numbers):
            yield SignalEvent.of(symbol.signal, values)

    return below
