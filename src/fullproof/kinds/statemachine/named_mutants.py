"""Mutants of state machines with faults by name: flat machines whose states are the configurations of the model."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, cast

from fullproof.core.errors import UserError
from fullproof.kinds.fsm.named_faults import domain_of
from fullproof.kinds.statemachine.named_faults import asked_events, event_text, explored_machine, finite_machine
from fullproof.language.shallow_trees import conjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import Comparison, Name
from fullproof.model import StateMachine
from fullproof.model.statemachine import SmTransition
from fullproof.model.sts import Assignment

if TYPE_CHECKING:
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.certify.mutation_machine import Cell
    from fullproof.language.types import Value
    from fullproof.model.inputs import SignalEvent
    from fullproof.mutate.engine import Fault, ListedFaults

_Wrong = tuple["Cell", int, int]


def named_mutants(model: StateMachine, request: SuiteRequest) -> ListedFaults[StateMachine] | None:
    """The single faults of the domain by name; None where none are named.

    A configuration has one reaction to each signal, and each mutant reacts to signals as a machine of the domain.
    Without a signal it keeps the outputs of the wrong transition, where that machine shows those of the configuration:
    a machine that reacts to signals alone cannot say otherwise. Outputs that the model never gives are left out, and so
    are states that only an older model has.
    """
    from fullproof.mutate.engine import ListedFaults

    faults = asked_events(model, request)
    if faults is None:
        return None
    flat = _Flat(model)
    machine, _ = finite_machine(model)
    most, outputs = len(machine.states), len(machine.outputs)
    listed = [
        (cell, target, output)
        for cell, target, output in domain_of(machine, faults, 0).single_faults()
        if max(cell[0], target) < most and output < outputs and flat.has(cell)
    ]
    return ListedFaults(
        lambda current: flat.faults(current, listed),
        lambda one: (
            one.initial,
            frozenset((t.source, t.trigger, t.guard, t.actions, t.sends, t.target) for t in one.transitions),
        ),
        lambda _: len(listed),
    )


class _Flat:
    """The model as a machine with a transition for each configuration and event."""

    def __init__(self, model: StateMachine) -> None:
        machine = explored_machine(model)
        self._events = machine.events
        self._fsm = finite_machine(model)[0]
        self._seen = list(dict.fromkeys(one for row in machine.seen for one in row))
        self._model = model
        for p, row in enumerate(machine.after):
            for event, target in zip(machine.events, row, strict=True):
                if event.signal is None and target != p:
                    message = "mutants with faults by name are for state machines that react to signals alone"
                    raise UserError(f"{message}, and {event_text(event)} changes the state")
        memory = dict(zip([v.name for v in model.outputs], machine.places[0].memory, strict=False))
        self.flat = dataclasses.replace(
            model,
            initial=self._fsm.states[0],
            states=self._fsm.states,
            choices=(),
            outputs=tuple(dataclasses.replace(v, initial=memory[v.name]) for v in model.outputs),
            variables=(),
            transitions=(),
            active=(),
        )
        self._own = {
            (p, e): self._row(p, e, target, self._seen.index(seen))
            for p, (targets, said) in enumerate(zip(machine.after, machine.seen, strict=True))
            for e, (target, seen) in enumerate(zip(targets, said, strict=True))
            if self.has((p, e))
        }

    def has(self, cell: Cell) -> bool:
        """Whether a cell is a transition: an event without a signal is not."""
        return self._events[cell[1]].signal is not None

    def faults(self, current: StateMachine, listed: list[_Wrong]) -> Iterator[Fault[StateMachine]]:
        """For transitions that are still right."""
        from fullproof.mutate.engine import Fault

        rows = tuple(self._own.values()) if current is self._model else current.transitions
        known = set(map(_key, rows))
        for (p, e), target, output in listed:
            right, wrong = self._own[p, e], self._row(p, e, target, output)
            if _key(right) not in known:
                continue
            same = (right.target == wrong.target, (right.actions, right.sends) == (wrong.actions, wrong.sends))
            operator = {(True, False): "output", (False, True): "transfer"}.get(same, "both")
            said = self._fsm.outputs[output]
            where = f"{right.source} --{self._fsm.inputs[e]}--> {right.target}: /{said}--> {wrong.target}"
            yield Fault(operator, where, partial(self._with, rows, right, wrong))

    def _with(self, rows: tuple[SmTransition, ...], right: SmTransition, wrong: SmTransition) -> StateMachine:
        return dataclasses.replace(self.flat, transitions=tuple(wrong if t == right else t for t in rows))

    def _row(self, p: int, e: int, target: int, output: int) -> SmTransition:
        event: SignalEvent = self._events[e]
        seen, outputs = self._seen[output], self._model.outputs
        sent, values = seen[: len(seen) - len(outputs)], cast("tuple[Value, ...]", seen[len(seen) - len(outputs) :])
        return SmTransition(
            source=self._fsm.states[p],
            trigger=event.signal,
            guard=conjunction(Comparison((Name(name), literal(value)), ("==",)) for name, value in event.inputs),
            actions=tuple(
                Assignment(variable=v.name, expression=literal(value)) for v, value in zip(outputs, values, strict=True)
            ),
            sends=tuple(map(str, sent)),
            target=self._fsm.states[target],
        )


def _key(t: SmTransition) -> tuple[object, ...]:
    return t.source, t.trigger, t.guard, t.actions, t.sends, t.target
