"""Executes tests on a reactive system and records the events, without verdicts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from fullproof.artefacts.execution import BEFORE_TESTS, Event, Execution, Move, Received, Sent, Silence, Stop
from fullproof.artefacts.suite import Test
from fullproof.core.errors import UserError
from fullproof.execute.blame import blame, evidence, is_interruption
from fullproof.execute.shield import Shield
from fullproof.execute.sut import SutError, no_answer
from fullproof.execute.watchdog import Hang, Watchdog
from fullproof.language.types import Value
from fullproof.model.sts import Gate


class Gated(Protocol):
    """A model whose inputs and outputs are values at gates."""

    @property
    def outputs(self) -> tuple[Gate, ...]:
        """The gates at which a system emits."""

    @property
    def gates(self) -> tuple[Gate, ...]:
        """All gates."""


class ReactiveSut(Protocol):
    """A system with asynchronous inputs and outputs. All methods raise SutError where the system fails."""

    @property
    def in_process(self) -> bool:
        """Whether the system runs inside this process, where only the watchdog can end a hanging call."""

    @property
    def synchronous(self) -> bool:
        """Whether inputs and outputs are seen in the order in which they happen, so that none can cross."""

    def reset(self) -> None:
        """Bring the system into its initial state; on a fresh system where the last one was discarded."""

    def send(self, gate: str, values: tuple[Value, ...]) -> None:
        """Give an input."""

    def receive(self, timeout: float) -> tuple[str, tuple[Value, ...]] | None:
        """The next output, or None where there is none within this many seconds; 0 looks without waiting."""

    def discard(self) -> None:
        """The system has failed: the next reset starts a fresh one."""

    def close(self) -> None:
        """Close processes and connections; may be called twice."""


class Guide(Protocol):
    """Chooses the next action from the observations so far."""

    def restart(self) -> None:
        """A test begins."""

    def next(self) -> Move:
        """The next action."""

    def saw(self, event: Event, /) -> None:
        """Record an observation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactiveOptions:
    """``silence`` is the time in seconds without an output that counts as quiescence; a limit of None is unlimited."""

    silence: float = 1.0
    step_timeout: float | None = 10.0
    test_timeout: float | None = None


class Tester:
    """Holds conversations with one system; a context, as long as which a watchdog runs."""

    def __init__(self, sut: ReactiveSut, options: ReactiveOptions) -> None:
        self._sut = sut
        self._options = options
        limits = [limit for limit in (options.step_timeout, options.test_timeout) if limit is not None]
        limit = min(limits) + options.silence if limits and sut.in_process else None
        self._watchdog = Watchdog(limit)
        self._unseen = False
        """Whether the guide has not been shown the last event."""

    def __enter__(self) -> Self:
        self._watchdog.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._watchdog.__exit__(kind, error, traceback)

    def converse(self, test: Test, guide: Guide, *, number: int = 0, repetition: int = 1) -> Execution:
        """Run one test to its end, good or bad: a system that fails ends it with the evidence.

        A system may have a method ``begin``, as a ``Sut`` may: it is called with the number of the execution.
        """
        return self._converse(test, guide, number)._replace(number=number, repetition=repetition)

    def _converse(self, test: Test, guide: Guide, number: int) -> Execution:
        guide.restart()
        begin: Callable[[int], None] | None = getattr(self._sut, "begin", None)
        if begin is not None and number:
            begin(number)
        events: list[Event] = []
        self._unseen = ready = False
        failure: SutError
        try:
            with Shield():
                self._watchdog.watch([])
                self._sut.reset()
                ready = True
                stop = self._talk(guide, events)
            return self._record(test, events, stop)
        except UserError:
            raise
        except SutError as error:
            failure = error
        except Hang as hang:
            failure = no_answer(self._watchdog.limit, evidence=evidence(hang))
        except BaseException as error:  # code of the system under test runs here, and may raise anything
            if is_interruption(error):
                raise
            failure = blame(error)
        finally:
            self._watchdog.rest()
        self._sut.discard()
        if self._unseen:  # an interrupted run that goes on shows its guides everything that is recorded
            guide.saw(events[-1])
            guide.next()
        reason = failure.reason if ready else f"{BEFORE_TESTS}{failure.reason}"
        return self._record(test, events, Stop(reached=False), SutError(reason, evidence=failure.evidence))

    def _record(self, test: Test, events: list[Event], stop: Stop, failure: SutError | None = None) -> Execution:
        return Execution(
            test=test,
            events=tuple(events),
            reached=stop.reached,
            reason=stop.reason,
            synchronous=self._sut.synchronous,
            error=None if failure is None else failure.reason,
            evidence="" if failure is None else failure.evidence,
        )

    def _talk(self, guide: Guide, events: list[Event]) -> Stop:
        limit = self._options.test_timeout
        deadline = None if limit is None else time.monotonic() + limit
        while True:
            self._watchdog.rest()  # errors of the guide are not errors of the system
            if events:
                self._unseen = False
                guide.saw(events[-1])
            move = guide.next()
            if isinstance(move, Stop):
                return move
            self._watchdog.watch([])
            if isinstance(move, Sent):
                self._give(move, events)
            else:
                events.append(self._hear(self._options.silence) or Silence())
                self._unseen = True
            if deadline is not None and time.monotonic() > deadline:
                raise SutError(f"the test took longer than {limit:g} s")

    def _give(self, move: Sent, events: list[Event]) -> None:
        """An output that has already arrived comes first; the guide is asked again.

        An input on which a system breaks down is one of the events: it is what a shorter sequence has to keep.
        """
        found = self._hear(0.0)
        events.append(move if found is None else found)
        self._unseen = True
        if found is None:
            self._sut.send(move.gate, move.values)

    def _hear(self, patience: float) -> Received | None:
        found = self._sut.receive(patience)
        return None if found is None else Received(*found)


def rehearse(guide: Guide, conversation: Execution) -> None:
    """Replay a past conversation in a guide, so that its next choices are those of an uninterrupted run."""
    guide.restart()
    for event in conversation.events:
        if isinstance(guide.next(), Stop):
            return
        guide.saw(event)
    guide.next()
