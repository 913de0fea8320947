"""The contract with a system under test that answers each input with one output."""

from __future__ import annotations

from typing import Protocol

from fullproof.artefacts.suite import TestInput


class SutError(Exception):
    """The system broke the contract: it crashed, hung, wrote unsolicited output or did not start.

    ``reason`` is one line; ``evidence`` is what else is known, e.g. the end of its standard error.
    """

    def __init__(self, reason: str, *, evidence: str = "") -> None:
        self.reason = " ".join(reason.split())
        self.evidence = evidence
        super().__init__(self.reason)


_NO_ANSWER = "no answer within"


def no_answer(seconds: float | None, *, evidence: str = "") -> SutError:
    """The error of a system that hangs. Needs: a limit, since without one it would still be waited for."""
    assert seconds is not None
    return SutError(f"{_NO_ANSWER} {seconds:g} s", evidence=evidence)


def is_no_answer(reason: str) -> bool:
    """Whether an execution, whose error a journal keeps as text, ended by such an error."""
    return reason.startswith(_NO_ANSWER)


class Sut(Protocol):
    """A synchronous system under test.

    ``reset`` comes before every test. ``step`` answers with what a trace holds: a symbol for an fsm, the exact values
    by name for an sfsm. All raise SutError where the system fails. A system that makes random choices of ours may have
    a method ``begin(number)``, called before each execution with its number in the run, from which it draws them.
    """

    @property
    def in_process(self) -> bool:
        """Whether the system runs inside this process, where only the runner's watchdog can end a hanging call."""

    @property
    def grey_box(self) -> bool:
        """Whether ``enabled`` has an answer. An out-of-process system is known as a grey box after its first reset."""

    def reset(self) -> None:
        """Bring the system into its initial state; on a fresh system where the last one was discarded."""

    def step(self, symbol: TestInput, /) -> object:
        """Apply one input, return the output."""

    def enabled(self) -> frozenset[str]:
        """The inputs the system offers now. Needs: ``grey_box``."""

    def finish(self) -> None:
        """The test is over: raise SutError where the system has given unsolicited output."""

    def discard(self) -> None:
        """The system has failed: the next reset starts a fresh one."""

    def close(self) -> None:
        """Close processes and connections; may be called twice."""
