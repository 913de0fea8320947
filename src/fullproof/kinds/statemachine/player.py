"""Execution of SysML state machines: run to completion, paper 003 section 2."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random

from fullproof.analysis.delays import delay, next_expiry
from fullproof.analysis.run_to_completion import CompletedRun, RunGoesWrong, RunToCompletion
from fullproof.artefacts.suite import TestInput
from fullproof.execute.sut import SutError
from fullproof.language.durations import duration_to_text
from fullproof.language.types import Value
from fullproof.language.values import coerce
from fullproof.model import StateMachine
from fullproof.model.inputs import SENDS, Advance, SignalEvent


class StateMachinePlayer:
    """Executes a state machine.

    Attributes that an event leaves out keep their values. What it does is one of the runs of ``RunToCompletion``. The
    answer is the values of the output attributes and, under ``send``, the signals sent, where the model has any.
    """

    is_partial = False

    def __init__(self, model: StateMachine, random: Random) -> None:
        self._model = model
        self._choose = random.choice
        self._machine = RunToCompletion(model)
        self._interface = model.interface
        self._inputs = {v.name: v for v in model.inputs}
        self._here = self._machine.start
        self.elapsed = Fraction(0)
        """The seconds since the last reset."""
        self.taken: tuple[int, ...] = ()
        """The transitions of the last step, by number."""

    def reset(self) -> None:
        """Return to the initial state and values."""
        self._here = self._machine.start
        self.elapsed = Fraction(0)

    @property
    def state(self) -> str:
        """The current state."""
        return self._here.state

    @property
    def active(self) -> tuple[str, ...]:
        """The innermost active states."""
        return self._machine.active(self._here)

    @property
    def values(self) -> Mapping[str, Value]:
        """The current values of inputs, outputs and variables, where they have any."""
        return self._machine.values(self._here)

    @property
    def next_expiry(self) -> Fraction | None:
        """The seconds until a timer expires; None where none runs."""
        return next_expiry(self._here)

    def remaining(self, timer: str) -> Fraction | None:
        """The seconds that a timer still runs; None where it does not run."""
        pairs = zip(self._model.timers, self._here.clocks, strict=True)
        return next((left for one, left in pairs if one.name == timer), None)

    @property
    def has_clock(self) -> bool:
        """Whether the model has timers."""
        return bool(self._model.timers)

    def clock(self) -> str:
        """``at 25 s: opened after 30 s in 5 s``"""
        pairs = zip(self._model.timers, self._here.clocks, strict=True)
        running = sorted((left, timer.name) for timer, left in pairs if left is not None)
        parts = [f"{name} in {duration_to_text(left)}" for left, name in running]
        return f"at {duration_to_text(self.elapsed)}: {', '.join(parts) or 'no timer runs'}"

    def step(self, symbol: TestInput, /) -> Mapping[str, object]:
        """Dispatch an event with new inputs and run to completion; where that goes wrong, the state is unchanged."""
        if isinstance(symbol, Advance):
            return self._advance(symbol.seconds)
        signal = symbol.signal if isinstance(symbol, SignalEvent) else None
        if isinstance(symbol, SignalEvent) and self._model.dotted:
            signal = _known_beginning(signal, self._model.signals_in)
            symbol = replace(symbol, signal=signal if signal in self._model.signals_in else None)
        if (misfit := self._interface.misfit(symbol)) is not None:
            raise SutError(f"the model does not take {misfit}")
        assert isinstance(symbol, SignalEvent)
        inputs = {name: coerce(value, self._inputs[name].type) for name, value in symbol.inputs}
        self._require_inputs(inputs)
        return self._answer(lambda: self._machine.run(self._here, signal, inputs, self._choose))

    def _advance(self, seconds: Fraction) -> Mapping[str, object]:
        """Let time pass. A model without timers does nothing meanwhile."""
        soon = next_expiry(self._here)
        if soon is not None and soon <= seconds:
            self._require_inputs({})
        answer = self._answer(lambda: delay(self._machine, self._here, seconds, self._choose, self._choose))
        self.elapsed += seconds
        return answer

    def _require_inputs(self, inputs: Mapping[str, Value]) -> None:
        known = self.values
        if missing := next((name for name in self._inputs if name not in known and name not in inputs), None):
            raise SutError(f"no value of the input {missing} so far")

    def _answer(self, take: Callable[[], CompletedRun]) -> Mapping[str, object]:
        try:
            run = take()
        except RunGoesWrong as wrong:
            raise SutError(f"the model goes wrong: {wrong}") from wrong
        self._here, self.taken = run.end, run.transitions
        values = self.values
        answer: dict[str, object] = {v.name: values[v.name] for v in self._model.outputs}
        return answer | ({SENDS: list(run.sent)} if self._model.signals_out else {})

    def enabled(self) -> None:
        """Events are never refused, only lost."""
        return


def _known_beginning(signal: str | None, known: Collection[str]) -> str | None:
    """The longest known name of which a name with dots is an extension; the name itself where there is none."""
    here = signal
    while here and here not in known:
        here = here.rpartition(".")[0]
    return here or signal
