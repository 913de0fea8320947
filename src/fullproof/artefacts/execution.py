"""Observations of a test execution, without a verdict.

A run has millions of steps, and recording a step may take longer than executing it: hence tuples, and columns that
become rows on access.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, overload

from fullproof.artefacts.suite import Test, TestInput, json_value
from fullproof.language.types import Value


class Step(NamedTuple):
    """One input with the output observed: a symbol of an fsm, or the exact values of an sfsm's outputs by name.

    ``enabled`` are the inputs a grey-box system offers before the input.
    """

    input: TestInput
    output: object
    enabled: frozenset[str] | None = None


class Columns(Sequence[Step]):
    """Steps of a black box, kept as the inputs of the test and the outputs seen, which may be fewer."""

    __slots__ = ("inputs", "outputs")

    def __init__(self, inputs: Sequence[TestInput], outputs: Sequence[object]) -> None:
        self.inputs = inputs
        self.outputs = outputs

    def __len__(self) -> int:
        return len(self.outputs)

    def __iter__(self) -> Iterator[Step]:
        return map(Step, self.inputs, self.outputs)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, index: int | slice) -> Step | tuple[Step, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        return Step(self.inputs[range(len(self))[index]], self.outputs[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@dataclass(frozen=True, slots=True)
class Sent:
    """The tester gave an input."""

    gate: str
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Received:
    """The system gave an output, which the model may or may not have."""

    gate: str
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Silence:
    """The system gave no output although the tester waited: the observation delta of ioco."""


SILENCE = "silence"
"""How it is written."""


Event: TypeAlias = Sent | Received | Silence


def event_json(event: Event) -> dict[str, object]:
    """An event as on the wire of an out-of-process system: ``{"send": [gate, values]}``, ``{"emit": ...}``, silence."""
    match event:
        case Sent(gate, values):
            return {"send": [gate, [json_value(value) for value in values]]}
        case Received(gate, values):
            return {"emit": [gate, [json_value(value) for value in values]]}
        case Silence():
            return {"silence": True}


@dataclass(frozen=True, slots=True)
class Listen:
    """Wait for an output, or for silence."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the test: ``reached`` where its purpose was driven to the end, else ``reason`` says why not."""

    reached: bool
    reason: str = ""


Move: TypeAlias = Sent | Listen | Stop
"""What a tester does next; Sent is an input to give."""


BEFORE_TESTS = "reset: "
"""How the error of an execution begins that ended before its first input."""


class Execution(NamedTuple):
    """One execution of a test: the inputs and outputs, and the error of the system, if any.

    A system that answers each input leaves ``steps``, in which inputs and outputs alternate. A reactive system leaves
    ``events``. ``evidence`` is what else is known about the error: the end of a traceback or of the system's standard
    error.
    """

    test: Test
    steps: Sequence[Step] = ()
    enabled_at_end: frozenset[str] | None = None
    error: str | None = None
    evidence: str = ""
    repetition: int = 1
    """How often the test has been executed, this one included."""
    number: int = 0
    """Which execution of the run this is, counted from 1; see ``runner.Job``."""
    events: tuple[Event, ...] = ()
    reached: bool = True
    """Whether the purpose of the test was driven to its end, or the test was on time; ``reason`` says why not."""
    reason: str = ""
    synchronous: bool = True
    """Whether inputs and outputs were observed in the order in which they happened, so that none can have crossed."""

    @property
    def length(self) -> int:
        """Steps, or inputs and outputs; silence is neither."""
        if not self.events:
            return len(self.steps)
        return sum(not isinstance(event, Silence) for event in self.events)

    @property
    def shows_offers(self) -> bool:
        """Whether the system has said which inputs it offers."""
        return self.enabled_at_end is not None or any(step.enabled is not None for step in self.steps)


def is_before_tests(execution: Execution) -> bool:
    """Whether the system was not ready for the first input."""
    return execution.error is not None and execution.error.startswith(BEFORE_TESTS) and not execution.length
