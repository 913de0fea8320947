"""A system whose active state is part of what it answers: ``--observe state``."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol, runtime_checkable

from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.execute.observation import shown
from fullproof.execute.sut import Sut, SutError


@runtime_checkable
class StateShowing(Protocol):
    """A system that can say which state it is in."""

    def state(self) -> object:
        """The name of the active state after the last step; None where the system does not show it."""


class ObservingSut:
    """A wrapper that adds the state to the answers of a system."""

    def __init__(self, sut: Sut, joined: Callable[[object, str], object]) -> None:
        """``joined`` makes one answer of an output and the name of a state (``model.state_output.joined``)."""
        if not isinstance(sut, StateShowing):
            raise UserError("this kind of system cannot show its state, which --observe state needs; others can: "
                            "python:, exec:, tcp:, http:, lib:, browser: and model:")  # fmt: skip
        self._sut, self._shows = sut, sut
        self.in_process = sut.in_process
        self.reset, self.enabled = sut.reset, sut.enabled
        self.finish, self.discard, self.close = sut.finish, sut.discard, sut.close
        self._joined = joined
        self._observe = getattr(sut, "observe", None)
        begin = getattr(sut, "begin", None)
        if begin is not None:
            self.begin = begin

    @property
    def grey_box(self) -> bool:
        """As the system itself."""
        return self._sut.grey_box

    def step(self, symbol: TestInput, /) -> object:
        """The answer and the state that it leads to."""
        return self._with_state(self._sut.step(symbol))

    def observe(self) -> object:
        """What is seen after a delay in real time, and the state."""
        if self._observe is None:
            raise UserError("this kind of system cannot be observed in between, which --clock real needs")
        return self._with_state(self._observe())

    def _with_state(self, output: object) -> object:
        return self._joined(output, read_state(self._shows.state()))


def read_state(raw: object) -> str:
    """The name of a state: a string, or a member of an enumeration."""
    if isinstance(raw, Enum):
        raw = raw.value if isinstance(raw.value, str) else raw.name
    if isinstance(raw, str):
        return str.__str__(raw)
    if raw is None:
        raise SutError("does not show its state, which --observe state needs")
    raise SutError(f"shows {shown(raw)} ({type(raw).__name__}) as its state, expected its name, a string")
