"""What was observed while a test ran; nothing is judged here.

A run has millions of steps, and a step of the system may take less time than writing it down: hence tuples, and columns
that become rows when somebody looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from fullproof.artefacts.suite import Test, TestInput


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


class Trace(NamedTuple):
    """One execution of a test: the steps done, and what went wrong with the system itself, if anything.

    ``evidence`` is what else is known about the error: the end of a traceback or of the system's standard error.
    """

    test: Test
    steps: Sequence[Step]
    enabled_at_end: frozenset[str] | None = None
    error: str | None = None
    evidence: str = ""
    repetition: int = 1
    number: int = 0
    """Which execution of the run this is, counted from 1; see ``runner.Job``."""
