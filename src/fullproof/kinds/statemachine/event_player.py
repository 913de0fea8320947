"""A finite machine over events, such as a survivor of ``certify``, in motion as a state machine."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from fullproof.artefacts.suite import TestInput
from fullproof.execute.sut import SutError
from fullproof.kinds.statemachine.event_names import answer_of, event_name, signal_of
from fullproof.kinds.statemachine.player import StateMachinePlayer
from fullproof.language.types import Value
from fullproof.model import Fsm, StateMachine
from fullproof.model.inputs import SENDS, SignalEvent

_Answer = tuple[dict[str, Value], tuple[str, ...]]


def is_over_events(machine: Fsm, model: StateMachine) -> bool:
    """Whether the inputs of a deterministic finite machine are events of a model, and its outputs answers of it.

    One output may be another one: it stands for any answer that the model does not have.
    """
    signals = {None, *model.signals_in}
    strange = [name for name in machine.outputs if answer_of(name, model) is None]
    cells = {(t.source, t.input) for t in machine.transitions}
    return (
        len(cells) == len(machine.transitions)
        and all(signal_of(name) in signals for name in machine.inputs)
        and len(strange) <= 1
        and len(strange) < len(machine.outputs)
        and not model.timers
    )


class EventMachinePlayer(StateMachinePlayer):
    """Answers events as a finite machine over them does, and all that follows an event it does not have as the model.

    Outputs and signals that no answer of the machine has, as of regions beside its own, are those of the model.
    """

    def __init__(self, model: StateMachine, machine: Fsm, random: Random) -> None:
        super().__init__(model, random)
        self._moves = {(t.source, t.input): (t.output, t.target) for t in machine.transitions}
        self._answers: dict[str, _Answer | None] = {name: answer_of(name, model) for name in machine.outputs}
        known = [found for found in self._answers.values() if found is not None]
        self._own = {signal for _, sent in known for signal in sent} | {name for values, _ in known for name in values}
        self._initial = machine.initial
        self._place: str | None = machine.initial

    def reset(self) -> None:
        """Return to the initial states of both."""
        super().reset()
        self._place = self._initial

    def step(self, symbol: TestInput, /) -> Mapping[str, object]:
        """The answer of the machine, as long as it has the events."""
        right = super().step(symbol)
        name = event_name(symbol) if isinstance(symbol, SignalEvent) else ""
        output, self._place = self._moves.get((self._place or "", name), ("", None))
        if self._place is None:
            return right
        found = self._answers[output]
        if found is None:
            raise SutError(f"the machine gives an answer that the model does not have ({output})")
        values, sent = found
        was = right.get(SENDS, [])
        assert isinstance(was, list)
        if sent != tuple(signal for signal in was if signal in self._own):
            was = [*(signal for signal in was if signal not in self._own), *sent]
        return {**right, **values, **({SENDS: was} if SENDS in right else {})}
