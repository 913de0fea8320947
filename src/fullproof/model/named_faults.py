"""Fault domains by name: which slips each transition of a finite machine may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from fullproof.core.counted import counted
from fullproof.core.errors import NOWHERE, Place
from fullproof.language.durations import duration_to_text

_SHOWN = 5
"""Transitions that a sentence names."""


class FaultName(Enum):
    """What may be wrong with a transition."""

    TRANSFER = "transfer"
    OUTPUT = "output"
    STUCK = "stuck"
    MISSING = "missing"
    SWAPPED = "swapped"
    DURATION = "duration"
    START = "start"


OF_TIMERS = frozenset({FaultName.DURATION, FaultName.START})
"""What may be wrong with timers alone."""

MEANINGS = {
    FaultName.TRANSFER: "any target",
    FaultName.OUTPUT: "any output",
    FaultName.STUCK: "the state does not change",
    FaultName.MISSING: "the input is ignored: the state does not change, and the output is one that the model gives "
    "where it ignores an input, or one that it does not have",
    FaultName.SWAPPED: "the reaction to another input in the same state",
    FaultName.DURATION: "a timer is early or late by the tolerance, has another time of the model, or never expires",
    FaultName.START: "a start or restart of a timer is lost or added",
}

TIMED_MEANINGS = {
    **MEANINGS,
    FaultName.TRANSFER: "any state of the model, with values that it has there",
    FaultName.OUTPUT: "the signals of another move, none, or one that the model does not send; any values of output "
    "attributes until the next move",
}
"""The same for machines with timers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """What one transition may do instead; without targets or outputs, those of the model."""

    source: str
    input: str
    targets: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    at: Place = field(default=NOWHERE, compare=False, repr=False)


class FormerTransition(NamedTuple):
    """A transition of a state that only an older model has; its target is such a state, or one of the model."""

    source: str
    input: str
    output: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFaults:
    """A mutation machine by name: the domain is every machine that takes one alternative for each transition.

    Faults by name concern all transitions, or those of ``states`` and ``inputs`` and among ``transitions``; the rest of
    the system is trusted. Names for the same transition combine: with ``transfer`` and ``output`` both may be wrong at
    once. ``at_most`` bounds how many transitions are wrong.
    """

    names: tuple[FaultName, ...] = ()
    states: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    transitions: tuple[tuple[str, str], ...] | None = None
    """Only these states with these inputs, such as those that changed since an older model; None: all."""
    former: tuple[FormerTransition, ...] = ()
    """What is left of an older model in a system that was not changed everywhere: any target may be such a state."""
    alternatives: tuple[Alternative, ...] = ()
    at_most: int | None = None
    changed_since: str | None = None
    """The file of an older model: then ``transitions`` are those that it has otherwise, or not at all."""
    margin: Fraction | None = None
    tolerance: Fraction | None = None
    """Seconds: how far tests stay away from timeouts of the model, and how early or late a timer may be."""
    places: Mapping[tuple[str, str], Place] = field(default_factory=dict, compare=False, repr=False)
    """Where a file has a name, by what it names and the name."""

    def at(self, what: str, name: str) -> Place:
        """Where a file names a state, an input or an output."""
        return self.places.get((what, name), NOWHERE)

    def text(self, meanings: Mapping[FaultName, str] = MEANINGS) -> str:
        """The domain in words, after "each transition may have"."""
        found = " or ".join(f"{name.value} ({meanings[name]})" for name in self.names)
        if self.former:
            count = len({t.source for t in self.former})
            found += f", where targets may also be {counted(count, 'state')} that only the older model has"
        if self.names:
            for what, limited in (("states", self.states), ("inputs", self.inputs)):
                found += f", only {what} {', '.join(limited)}" if limited else ""
            if self.transitions is not None:
                found += f", only {_transitions(self.transitions)}"
        if self.alternatives:
            cells = tuple(dict.fromkeys((one.source, one.input) for one in self.alternatives))
            found += f"{', or ' if found else ''}the listed alternatives of {_transitions(cells)}"
        if self.tolerance is not None and FaultName.DURATION in self.names:
            found += f", with a tolerance of {duration_to_text(self.tolerance)}"
        if self.at_most is not None:
            found += f", at most {self.at_most} at once"
        return found


def _transitions(cells: Sequence[tuple[str, str]]) -> str:
    """Some transitions by their states and inputs, the first ones where there are many."""
    shown = ", ".join(f"{state} --{symbol}-->" for state, symbol in cells[:_SHOWN])
    more = f" and {len(cells) - _SHOWN} more" if len(cells) > _SHOWN else ""
    return f"{counted(len(cells), 'transition')} ({shown}{more})" if cells else "no transition"
