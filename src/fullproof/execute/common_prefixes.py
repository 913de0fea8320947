"""Common prefixes of tests are executed once, on systems that can return to an earlier state.

For systems whose reset is expensive. The tests come sorted, so that those that share a beginning follow each other.
Nothing runs until a test leaves the path of the one before it; then the system goes back to the last state kept on
that path, walks the rest of it, and must answer as it did before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.execute.sut import Sut, SutError


@runtime_checkable
class Returning(Protocol):
    """A system that can go back."""

    @property
    def can_return(self) -> bool:
        """Whether ``snapshot`` and ``restore`` work."""

    def snapshot(self) -> object:
        """The state that the system is in now, as something to keep."""

    def restore(self, state: object, /) -> None:
        """Go back to a state that was kept since the system was made; it may be asked for again."""


@dataclass(slots=True)
class _Place:
    """A step of the current path: what was given, what came back, what was enabled before it."""

    symbol: TestInput
    output: object
    enabled: frozenset[str] | None


class SharingSut:
    """A wrapper that answers known prefixes from memory.

    Needs: a deterministic system, and tests each of which is run once. A system that answers otherwise on the way back
    than it did the first time is in error.
    """

    def __init__(self, sut: Sut) -> None:
        if not isinstance(sut, Returning):
            raise UserError("--share-prefixes needs a system that can go back: python:, exec: or tcp:")
        self._sut: Sut = sut
        self._keeper: Returning = sut
        self.in_process = sut.in_process
        self._path: list[_Place] = []
        """The last path of the system."""
        self._at = 0
        """The number of steps of this test so far."""
        self._awake = False
        """Whether the system is in the state of the test; else it is elsewhere on the old path, or not started."""
        self._kept: list[tuple[int, object]] = []
        """States on the path, by how many steps lead to them."""
        self._checked = self._proven = False
        """Whether it was asked for ``can_return``, and whether it has given a state to keep."""

    @property
    def grey_box(self) -> bool:
        """As the system itself."""
        if not self._path and not self._awake:
            self._wake()
        return self._sut.grey_box

    def reset(self) -> None:
        """Begin a test; the system is not reset yet."""
        self._at = 0
        self._awake = False

    def step(self, symbol: TestInput, /) -> object:
        """Answer from memory as long as nothing is new."""
        if not self._awake:
            if self._at < len(self._path) and self._path[self._at].symbol == symbol:
                self._at += 1
                return self._path[self._at - 1].output
            self._wake()
        enabled = self._sut.enabled() if self._sut.grey_box else None
        output = self._sut.step(symbol)
        self._path.append(_Place(symbol, output, enabled))
        self._at += 1
        return output

    def enabled(self) -> frozenset[str]:
        """From memory, where it is known."""
        if not self._awake and self._at < len(self._path):
            known = self._path[self._at].enabled
            if known is not None:
                return known
        if not self._awake:
            self._wake()
        return self._sut.enabled()

    def finish(self) -> None:
        """Finish the test in the system, where it took part."""
        if self._awake:
            self._sut.finish()

    def discard(self) -> None:
        """Nothing is known of the next system."""
        self._forget()
        self._sut.discard()

    def close(self) -> None:
        """Close the system."""
        self._forget()
        self._sut.close()

    def _forget(self) -> None:
        self._path.clear()
        self._kept.clear()
        self._at, self._awake = 0, False

    def _snapshot(self) -> object:
        try:
            state = self._keeper.snapshot()
        except SutError as error:
            if self._proven:
                raise
            # Every test would have the same error.
            raise UserError(f"--share-prefixes needs a system that can go back: {error.reason}") from error
        self._proven = True
        return state

    def _wake(self) -> None:
        """Bring the system into the state of the test, and keep a snapshot: a third test may branch here, too."""
        wanted = self._path[: self._at]
        while self._kept and self._kept[-1][0] > len(wanted):
            self._kept.pop()
        if self._kept:
            done, state = self._kept[-1]
            self._keeper.restore(state)
        else:
            done = 0
            self._sut.reset()
            if not self._checked and not self._keeper.can_return:
                raise UserError("--share-prefixes needs a system that can go back: it has no snapshot and restore")
            self._checked = True
        for place in wanted[done:]:
            output = self._sut.step(place.symbol)
            if output != place.output:
                raise SutError("answers otherwise when it has gone back: the prefixes of its tests cannot be shared")
        del self._path[self._at :]
        if self._at > done or not self._kept:
            self._kept.append((self._at, self._snapshot()))
        self._awake = True
