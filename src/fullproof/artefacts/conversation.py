"""What passed between a tester and a system that answers when it likes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fullproof.artefacts.suite import Test
from fullproof.language.types import Value


@dataclass(frozen=True, slots=True)
class Sent:
    """The tester gave an input."""

    gate: str
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Received:
    """The system gave an output, whether or not the model knows it."""

    gate: str
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Silence:
    """The system gave no output although the tester waited: the observation delta of ioco."""


Event: TypeAlias = Sent | Received | Silence


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One execution of a purpose; nothing is judged here.

    ``synchronous`` where inputs and outputs were seen in the order in which they happened; else an output may have
    been under way while an input was given. ``error`` is what went wrong with the system itself.
    """

    test: Test
    events: tuple[Event, ...]
    reached: bool
    reason: str = ""
    synchronous: bool = False
    error: str | None = None
    evidence: str = ""
    number: int = 0
    """Which execution of the run this is, counted from 1."""

    @property
    def steps(self) -> int:
        """Inputs and outputs; silence is neither."""
        return sum(not isinstance(event, Silence) for event in self.events)
