"""Pairs of symbolic states: the model's possible ones after a trace, and the implementation's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from fullproof.language.syntax import Expression
from fullproof.language.types import Variable


class EventKind(Enum):
    """The three kinds of events in a suspension trace, and steps that no trace shows."""

    INPUT = "input"
    OUTPUT = "output"
    SILENCE = "silence"
    INTERNAL = "internal"
    """The implementation takes an internal step."""
    CLOSING = "closing"
    """The model may have taken internal steps."""


HIDDEN = (EventKind.INTERNAL, EventKind.CLOSING)


@dataclass(frozen=True, slots=True)
class SymbolicLocation:
    """A location with an expression for each variable."""

    location: str
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairStep:
    """The origin of a pair: an event in its parent, under conditions over the parent's variables and the event's."""

    parent: StatePair
    kind: EventKind
    gate: str
    variables: tuple[Variable, ...]
    """Those of the parent, and the parameters of the gate."""
    conditions: tuple[Expression, ...]
    model: tuple[SymbolicLocation, ...]
    other: SymbolicLocation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StatePair:
    """All pairs (states of the model, state of the implementation) for values of ``variables`` under ``conditions``.

    The model's states are exactly those after the trace, whatever the values: their set is definite, and closed
    under internal steps.
    """

    variables: tuple[Variable, ...]
    conditions: tuple[Expression, ...]
    model: tuple[SymbolicLocation, ...]
    other: SymbolicLocation
    step: PairStep | None = None
    image: tuple[Expression, ...] = ()
    """The new forms of the expressions of ``step``, in the same order."""

    def expressions(self) -> Iterator[Expression]:
        """The expressions of all states."""
        for state in (*self.model, self.other):
            yield from state.values


def expressions_of(step: PairStep) -> tuple[Expression, ...]:
    """The expressions of all states after a step, in the parent's variables."""
    return tuple(value for state in (*step.model, step.other) for value in state.values)
