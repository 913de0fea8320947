"""Fast runs on a system in this process whose expected answers are known: only deviations are recorded.

For long runs without a journal. Tests that go as expected are counted, in compiled code; the others become ordinary
traces, which the judge evaluates.
"""

from __future__ import annotations

import gc
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from fullproof.artefacts.execution import BEFORE_TESTS, Columns, Execution
from fullproof.artefacts.suite import Test
from fullproof.cluster.record import SEEN
from fullproof.core.errors import UserError
from fullproof.execute.blame import blame, evidence, is_interruption
from fullproof.execute.kernels.expectation import Sweep
from fullproof.execute.observation import python_symbol
from fullproof.execute.runner import Enabled, EventRecorder, Options, numbered, run_jobs
from fullproof.execute.shield import Shield
from fullproof.execute.sut import Sut, SutError, no_answer
from fullproof.execute.watchdog import Hang, Watchdog

Answers: TypeAlias = list[dict[str, tuple[str, int, int]]]
"""For each node, 0 the first, and each input: the output, the next node, and the number of the transition."""

Seen = TypeVar("Seen")

_SLICE = 0.05
_PIECE = 2_000


@runtime_checkable
class Direct(Protocol):
    """A system whose own functions can be called."""

    def direct(self) -> tuple[Callable[[], object], Callable[[object], object]] | None:
        """Reset and step of the system itself, None where it must be made anew or has no reset."""


class SweepRecorder(EventRecorder, Protocol):
    """One that counts as well."""

    @property
    def counts(self) -> memoryview:
        """Tests done since something was written down last, steps of the next one, and whether it was reset."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A number of tests went as expected, and took these transitions, each at least once."""

    tests: int
    steps: int
    taken: frozenset[int]


def can_sweep(sut: Sut, options: Options) -> bool:
    """Whether only the conformance of tests is needed, and the system can be called directly."""
    alone = options.repeat == 1 and options.test_timeout is None and not options.share
    silent = options.enabled is Enabled.NEVER and options.watch is None
    return alone and silent and isinstance(sut, Direct) and sut.direct() is not None


def sweep(
    sut: Sut, tests: Iterable[Test], answers: Answers, *, options: Options, first: int
) -> Iterator[Execution | Expected]:
    """Run each test once; traces of the first ones, later only of those that do not go as expected.

    Needs: ``can_sweep``.
    """
    rest = iter(tests)
    yield from run_jobs(sut, numbered(islice(rest, first), options), options)
    number = first + 1
    while piece := _taken(rest):
        yield from sweep_piece(sut, piece, answers, options=options, first=number)
        number += len(piece)


def sweep_piece(
    sut: Sut,
    piece: list[Test],
    answers: Answers,
    *,
    options: Options,
    first: int,
    recorder: SweepRecorder | None = None,
) -> Iterator[Execution | Expected]:
    """Run each of these tests once, the first of which has the number ``first`` in the run. Needs: ``can_sweep``."""
    limit, begin = options.step_timeout if sut.in_process else None, 0
    while begin < len(piece):
        direct = sut.direct() if isinstance(sut, Direct) else None
        if direct is None:
            # The runner makes a new system, with which the sweep may continue.
            yield from run_jobs(sut, iter([(first + begin, piece[begin], 1)]), options, recorder=recorder)
            begin += 1
            continue
        part = _Piece(sut, piece[begin:], answers, first=first + begin, recorder=recorder)
        part.run(*direct, limit=limit)
        if part.sweep.done:
            yield part.keep(Expected(part.sweep.done, part.sweep.steps, part.taken()))
        begin += part.sweep.done
        if part.trace is not None:
            yield part.keep(part.trace)
            begin += 1


def swept_until(answers: Answers, tests: Sequence[Test], steps: int) -> tuple[Expected, list[object]]:
    """What a sweep has seen of tests the last of which broke off after this many steps, all as expected."""
    taken: set[int] = set()
    outputs: list[object] = []
    for test in tests:
        node, outputs = 0, []
        for symbol in test.inputs if test is not tests[-1] else test.inputs[:steps]:
            output, node, transition = answers[node][cast("str", symbol)]
            outputs.append(output)
            taken.add(transition)
    done = tests[:-1]
    return Expected(len(done), sum(len(test.inputs) for test in done), frozenset(taken)), outputs


def _taken(tests: Iterator[Test]) -> list[Test]:
    with _undisturbed():
        return list(islice(tests, _PIECE))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Tests create no reference cycles: the cycle collector would cost as much as the system itself.

    Between pieces, garbage of the system is collected as usual.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Piece:
    """Some tests behind one shield."""

    def __init__(
        self, sut: Sut, tests: list[Test], answers: Answers, *, first: int, recorder: SweepRecorder | None
    ) -> None:
        self._sut = sut
        self._recorder = recorder
        self._tests = tests
        self._first = first
        self._marks = bytearray(1 + max((entry[2] for cells in answers for entry in cells.values()), default=0))
        counts = array("q", (0, 0, 0)) if recorder is None else recorder.counts
        note = None if recorder is None else partial(recorder.note, SEEN)
        self.sweep = Sweep(answers, self._marks, counts, note)
        self.trace: Execution | None = None
        """Of the test that was not as expected, after which the piece ends."""

    def keep(self, seen: Seen) -> Seen:
        """Record the outcome."""
        if self._recorder is not None:
            # In this order: where the process is killed in between, tests are run again, none is counted twice.
            for place in range(3):
                self._recorder.counts[place] = 0
            self._recorder.done(seen)
        return seen

    def taken(self) -> frozenset[int]:
        return frozenset(number for number, mark in enumerate(self._marks) if mark)

    def run(self, reset: Callable[[], object], step: Callable[[object], object], *, limit: float | None) -> None:
        with Shield(), Watchdog(limit) as watchdog, _undisturbed():
            try:
                watchdog.watch(self.sweep)
                if self.sweep.run(self._tests, reset, step, python_symbol, time.monotonic() + _SLICE):
                    self.trace = self._trace(None)
                watchdog.rest()
            except UserError:
                raise
            except SutError as error:
                self.trace = self._trace(error)
            except Hang as hang:
                failure = no_answer(limit, evidence=evidence(hang))
                self.trace = self._trace(failure)
            except BaseException as error:  # code of the system under test runs here, and may raise anything
                if is_interruption(error):
                    raise
                self.trace = self._trace(blame(error))
            finally:
                watchdog.rest()

    def _trace(self, failure: SutError | None) -> Execution:
        test, number = self._tests[self.sweep.done], self._first + self.sweep.done
        steps = Columns(test.inputs, self.sweep.outputs)
        if failure is None:
            return Execution(test, steps, None, None, "", 1, number)
        self._sut.discard()
        reason = failure.reason if self.sweep.ready else f"{BEFORE_TESTS}{failure.reason}"
        return Execution(test, steps, None, reason, failure.evidence, 1, number)
