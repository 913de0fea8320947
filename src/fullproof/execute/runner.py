"""Executes tests on a system and records the observations, without verdicts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Any, Protocol

from fullproof.artefacts.execution import BEFORE_TESTS, Columns, Execution, Step
from fullproof.artefacts.suite import Test, TestInput
from fullproof.cluster.record import SEEN
from fullproof.core.errors import UserError
from fullproof.execute.blame import blame, evidence, is_interruption
from fullproof.execute.common_prefixes import SharingSut
from fullproof.execute.real_time import RealTime, Timeline, TooLate, executed
from fullproof.execute.shield import Shield
from fullproof.execute.sut import Sut, SutError, no_answer
from fullproof.execute.watchdog import Hang, Watchdog
from fullproof.model.inputs import Advance


class Enabled(Enum):
    """When to ask a system which inputs it offers."""

    NEVER = "never"
    IF_OFFERED = "if offered"
    REQUIRED = "required"


class TestObserver(Protocol):
    """Observes one test while it runs, and may end it early."""

    def wants(self, symbol: TestInput, /) -> bool:
        """Called before each input; False ends the test here."""

    def sees(self, step: Step, /) -> None:
        """Called after each step."""


Watch = Callable[[Test], TestObserver]


class Pilot(Protocol):
    """Chooses the inputs of one execution while it runs: its test is known at its end."""

    def next(self, enabled: frozenset[str] | None, /) -> TestInput | None:
        """The next input, or None at the end; called with the enabled inputs, where the system shows them."""

    def sees(self, step: Step, /) -> None:
        """Called after each step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to run tests. A limit of None means unlimited; ``repeat`` is the K of the complete testing assumption."""

    repeat: int = 1
    step_timeout: float | None = 10.0
    test_timeout: float | None = None
    enabled: Enabled = Enabled.NEVER
    watch: Watch | None = None
    share: bool = False
    """Run common prefixes of tests once; see ``common_prefixes``. Needs: ``repeat`` is 1."""
    pilot: Callable[[], Pilot] | None = None
    """Chooses the inputs instead of the tests, which are then empty. Needs: one instance of the system."""
    real_time: RealTime | None = None
    """Delays are waited for, instead of asking the system to let time pass. Needs: systems that can ``observe``."""
    more: Callable[[Test], bool] | None = None
    """Called before each repetition of a test but the first, once the last one has been judged: False ends the test."""

    @property
    def limit(self) -> float | None:
        """Seconds without a step after which a system hangs."""
        return min((limit for limit in (self.step_timeout, self.test_timeout) if limit is not None), default=None)


class EventRecorder(Protocol):
    """The recorder of a process: its contents survive where the process hangs or ends (``cluster.record``)."""

    def note(self, tag: bytes, value: object, /) -> None:
        """Record an event."""

    def noted(self, tag: bytes, /) -> list[Any]:
        """A list that notes what is appended to it."""

    def done(self, result: object = None, /) -> None:
        """An execution has ended; None where its outputs are the whole result."""


Job = tuple[int, Test, int]
"""One execution: its number in the run, counted from 1, the test, and which repetition of it this is.

Numbers do not depend on how often other tests are repeated: those of repetitions that are left out are left out, too.
"""

_DEFAULTS = Options()
_SLICE = 0.005
_READY = object()
READY, ENABLED, _WAITS = b"r", b"e", b"w"
"""Tags of notes: that the reset is over, what was enabled before a step, that a delay goes on. Outputs are ``SEEN``."""


def execute(sut: Sut, tests: Iterable[Test], *, options: Options = _DEFAULTS, after: int = 0) -> Iterator[Execution]:
    """Run each test ``repeat`` times in a row, lazily; the executions up to number ``after`` have been done before.

    A system that raises, hangs, gives invalid output or ends makes its test end with ``Execution.error``; the next
    test runs on a fresh system. A test also ends, without error, before an input that a grey box does not offer. The
    caller closes the system. Up to ``_SLICE`` seconds of tests on a system in this process are run ahead.
    """
    yield from run_jobs(sut, numbered(tests, options, after=after), options)


def run_jobs(
    sut: Sut, jobs: Iterator[Job], options: Options, *, recorder: EventRecorder | None = None
) -> Iterator[Execution]:
    """Run executions one after the other, as ``execute`` does; events are passed to ``recorder`` at once."""
    if options.share:
        sut = SharingSut(sut)
    with Watchdog(options.limit if sut.in_process else None) as watchdog:
        run = _Run(sut, watchdog, options, recorder)
        if not sut.in_process:
            for job in jobs:
                yield run.trace(*job)
            return
        while batch := run.batch(jobs):
            yield from batch


def numbered(tests: Iterable[Test], options: Options, *, after: int = 0) -> Iterator[Job]:
    """The executions of a run in order, from number ``after + 1`` on."""
    repeat = options.repeat
    done, rest = divmod(after, repeat)
    for index, test in enumerate(islice(tests, done, None), start=done):
        for repetition in range(rest + 1, repeat + 1):
            if repetition > 1 and options.more is not None and not options.more(test):
                break
            yield index * repeat + repetition, test, repetition
        rest = 0


def is_plain(trace: Execution) -> bool:
    """Whether the outputs and the test determine the whole execution."""
    silent = trace.error is None and not trace.evidence
    return isinstance(trace.steps, Columns) and silent and trace.enabled_at_end is None


class _Record:
    """The observations of one test so far; they are kept however the test ends."""

    __slots__ = ("at_end", "enabled", "progress", "test")

    def __init__(self, test: Test, recorder: EventRecorder | None) -> None:
        self.test = test
        self.progress: list[object] = []
        """The end of the reset, then the outputs: the watchdog looks at its length."""
        self.enabled: list[frozenset[str]] = []
        if recorder is not None:
            self.progress, self.enabled = recorder.noted(SEEN), recorder.noted(ENABLED)
        self.at_end: frozenset[str] | None = None

    def steps(self) -> Sequence[Step]:
        outputs = self.progress[1:]
        if not self.enabled:
            return Columns(self.test.inputs, outputs)
        return tuple(map(Step, self.test.inputs, outputs, self.enabled))


class _Run:
    """The state that is common to all tests of a run."""

    def __init__(self, sut: Sut, watchdog: Watchdog, options: Options, recorder: EventRecorder | None) -> None:
        self._sut = sut
        self._recorder = recorder
        self._begin: Callable[[int], None] | None = getattr(sut, "begin", None)
        self._watchdog = watchdog
        self._options = options
        curious = options.enabled is not Enabled.NEVER or options.watch is not None
        self._drive = self._observed if curious or options.test_timeout is not None else self._plain
        if options.pilot is not None:
            self._drive = self._piloted
        self._line: Timeline | None = None
        if options.real_time is not None:
            self._drive = self._waiting

    def batch(self, jobs: Iterator[Job]) -> list[Execution]:
        """Run tests for a short time behind one shield, which costs more than many tests."""
        traces = []
        with Shield():
            end = time.monotonic() + _SLICE
            for job in jobs:
                traces.append(self.trace(*job))
                # Whether there are more repetitions depends on the caller's judgement of this one.
                if self._options.more is not None or time.monotonic() > end:
                    break
        return traces

    def trace(self, number: int, test: Test, repetition: int) -> Execution:
        """Run one test to its end, good or bad."""
        real = self._options.real_time
        if real is None:
            trace = self._trace(number, test, repetition)
        else:
            blank = Execution(test, repetition=repetition, number=number)

            def attempt(line: Timeline) -> Execution:
                self._line = line
                return self._trace(number, test, repetition)

            trace = executed(real, test, attempt, self._beat, blank)
        if self._recorder is not None:
            self._recorder.done(None if is_plain(trace) else trace)
        return trace

    def _beat(self) -> None:
        """A sign of life: the system need not do anything while a delay passes."""
        if self._recorder is not None:
            self._recorder.note(_WAITS, None)

    def _trace(self, number: int, test: Test, repetition: int) -> Execution:
        record = _Record(test, self._recorder)
        if self._begin is not None:
            self._begin(number)
        failure: SutError
        try:
            self._watchdog.watch(record.progress)
            if self._line is not None:
                self._line.begins()
            self._sut.reset()
            if self._line is not None:
                self._line.ready()
            list.append(record.progress, _READY)
            if self._recorder is not None:
                self._recorder.note(READY, None)
            self._drive(record)
            self._sut.finish()
            self._watchdog.rest()
            return Execution(record.test, record.steps(), record.at_end, None, "", repetition, number)
        except (UserError, TooLate):
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
        reason = failure.reason if record.progress else f"{BEFORE_TESTS}{failure.reason}"
        return Execution(record.test, record.steps(), None, reason, failure.evidence, repetition, number)

    def _plain(self, record: _Record) -> None:
        """The common case: this loop costs little more than the system itself."""
        step, append = self._sut.step, record.progress.append
        for symbol in record.test.inputs:
            append(step(symbol))

    def _observed(self, record: _Record) -> None:
        sut, options = self._sut, self._options
        observer = options.watch(record.test) if options.watch is not None else None
        asks = self._asks()
        enabled: frozenset[str] | None = None
        deadline = None if options.test_timeout is None else time.monotonic() + options.test_timeout
        for symbol in record.test.inputs:
            if observer is not None and not observer.wants(symbol):
                break
            if asks:
                enabled = sut.enabled()
                if symbol not in enabled:
                    break
                record.enabled.append(enabled)
            output = sut.step(symbol)
            record.progress.append(output)
            if observer is not None:
                observer.sees(Step(symbol, output, enabled))
            if deadline is not None and time.monotonic() > deadline:
                raise SutError(f"the test took longer than {options.test_timeout:g} s")
        if asks:
            record.at_end = sut.enabled()

    def _waiting(self, record: _Record) -> None:
        """Delays are waited for here, where no watchdog has to fear that the system hangs."""
        observe, line, options = getattr(self._sut, "observe", None), self._line, self._options
        assert line is not None
        if observe is None:
            raise UserError("this kind of system cannot be observed in between, which --clock real needs")
        deadline = None if options.test_timeout is None else time.monotonic() + options.test_timeout
        for symbol in record.test.inputs:
            if isinstance(symbol, Advance):
                self._watchdog.rest()
                line.wait(symbol.seconds)
            self._watchdog.watch([])
            record.progress.append(observe() if isinstance(symbol, Advance) else self._sut.step(symbol))
            line.answered()
            if deadline is not None and time.monotonic() > deadline:
                raise SutError(f"the test took longer than {options.test_timeout:g} s")

    def _piloted(self, record: _Record) -> None:
        """The inputs of the test are those that were chosen on the way."""
        sut, options = self._sut, self._options
        assert options.pilot is not None
        pilot, asks = options.pilot(), self._asks()
        deadline = None if options.test_timeout is None else time.monotonic() + options.test_timeout
        while True:
            enabled = sut.enabled() if asks else None
            symbol = pilot.next(enabled)
            if symbol is not None:
                record.test = Test(inputs=(*record.test.inputs, symbol))
            if symbol is None or (enabled is not None and symbol not in enabled):
                record.at_end = enabled
                return
            if enabled is not None:
                record.enabled.append(enabled)
            output = sut.step(symbol)
            record.progress.append(output)
            pilot.sees(Step(symbol, output, enabled))
            if deadline is not None and time.monotonic() > deadline:
                raise SutError(f"the test took longer than {options.test_timeout:g} s")

    def _asks(self) -> bool:
        if self._options.enabled is Enabled.REQUIRED and not self._sut.grey_box:
            raise UserError("the system does not say which inputs are enabled, which this relation needs")
        return self._options.enabled is not Enabled.NEVER and self._sut.grey_box
