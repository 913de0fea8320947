"""Fault domains by name: which slips each transition of a finite machine may have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from fullproof.core.errors import NOWHERE, Place
from fullproof.language.durations import duration_to_text


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """What one transition may do instead; without targets or outputs, those of the model."""

    source: str
    input: str
    targets: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    at: Place = field(default=NOWHERE, compare=False, repr=False)


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

    def text(self) -> str:
        """The domain in words, after "each transition may have"."""
        parts = [f"{name.value} ({MEANINGS[name]})" for name in self.names]
        if self.alternatives:
            count = len(self.alternatives)
            parts.append(f"the listed alternatives of {count} transition{'s' if count > 1 else ''}")
        found = " or ".join(parts)
        for what, limited in (("states", self.states), ("inputs", self.inputs)):
            if limited and self.names:
                found += f", only {what} {', '.join(limited)}"
        if self.transitions is not None and self.names:
            found += f", only {len(self.transitions)} of the transitions"
        if self.tolerance is not None and FaultName.DURATION in self.names:
            found += f", with a tolerance of {duration_to_text(self.tolerance)}"
        if self.at_most is not None:
            found += f", at most {self.at_most} at once"
        return found
