"""An instance of the system in a separate process, which ``parallel`` or a cluster starts."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.artefacts.execution import BEFORE_TESTS, Columns, Execution, Step
from fullproof.cluster.child import Ending
from fullproof.cluster.record import SEEN, of_this_process
from fullproof.cluster.work import Death, Vigil, Work
from fullproof.execute.runner import ENABLED, READY, Job, Options, Watch, is_plain
from fullproof.execute.sut import Sut
from fullproof.execute.sweep import Answers, Expected, swept_until
from fullproof.execute.worker import as_worker


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """The description of what each process opens. ``options.watch`` stays here: ``watch`` makes one in the process
    itself.

    Needs: options without ``more``, which would have to know what other processes have seen.
    """

    open: Callable[[], Sut]
    """Opens the system; it can be pickled."""
    sut: str
    """What it opens, as ``--sut`` says it."""
    options: Options
    watch: Callable[[], Watch] | None = None
    answers: Answers | None = None
    """The expected answers, where tests that give them are only counted once ``traced`` tests have been run
    (``sweep``)."""
    traced: int = 0
    worker: int | None = None
    """The number of the instance among those of ``--jobs``; on a cluster there is none."""


Seen: TypeAlias = list[object] | Execution | Expected
"""The result of an execution: of a plain one the outputs alone, since the caller knows the rest; of several
expected ones, which occur only where the crew has ``answers``, one count."""


OPENING = 60.0
"""Seconds that a module may take to be imported, beside the limit for making the system."""
_GRACE = 1.0


def executions(crew: Crew) -> Work[Crew, Job, Seen]:
    """Running tests, as work for other processes; ``trace_of`` makes traces of the results."""
    return Work(begin=_at_work, common=crew, lost=died, recorded=True, vigil=vigil_for(crew.sut, crew.options.limit))


def vigil_for(sut: str, limit: float | None) -> Vigil | None:
    """The time limit for a Python system without progress: slightly longer than the limit in its own process.

    Systems of other kinds run in processes, servers or browsers of their own, whose every answer has a deadline.
    """
    if limit is None or not sut.startswith("python:"):
        return None
    return Vigil(patience=1.5 * limit + _GRACE, opening=OPENING + 2 * limit, limit=limit)


def trace_of(job: Job, seen: Seen) -> Execution | Expected:
    """The trace of an execution, or the count of some."""
    if isinstance(seen, Execution | Expected):
        return seen
    number, test, repetition = job
    return Execution(test, Columns(test.inputs, seen), None, None, "", repetition, number)


def died(job: Job, death: Death) -> Execution:
    """The trace of an execution that ended its process, or hung: an error of the system."""
    number, test, repetition = job
    outputs = [value for tag, value in death.notes if tag == SEEN]
    enabled = [value for tag, value in death.notes if tag == ENABLED]
    steps = tuple(map(Step, test.inputs, outputs, enabled)) if enabled else Columns(test.inputs, outputs)
    reason = str(death) if any(tag == READY for tag, _ in death.notes) else f"{BEFORE_TESTS}{death}"
    return Execution(test, steps, None, reason, death.evidence, repetition, number)


def salvaged(crew: Crew, jobs: Sequence[Job], ending: Ending) -> tuple[list[tuple[Job, Seen]], Job | None, Death]:
    """The traces of a batch whose process ended: the recorded ones, and that of the current execution with its
    error.
    """
    seen: list[tuple[Job, Seen]] = []
    place = 0
    for result in ending.results:
        seen.append((jobs[place], result))
        place += result.tests if isinstance(result, Expected) else 1
    done, steps, ready = ending.counts
    death = ending.death
    if crew.answers is not None and (done or ready):
        counted, outputs = swept_until(crew.answers, [test for _, test, _ in jobs[place : place + done + 1]], steps)
        if done:
            seen.append((jobs[place], counted))
        known = death.notes or [(SEEN, output) for output in outputs]
        notes = [(READY, None), *known] if ready else ()
        death = Death(death, evidence=death.evidence, notes=notes, certain=death.certain)
        place += done
    return seen, jobs[place] if place < len(jobs) else None, death


@contextmanager
def _at_work(crew: Crew) -> Iterator[Callable[[Sequence[Job]], Iterable[Seen]]]:
    """Open the system; what it prints stays off standard output."""
    from fullproof.execute.runner import run_jobs
    from fullproof.execute.shield import Shield, stay
    from fullproof.execute.sweep import can_sweep, sweep_piece

    options = crew.options
    if crew.watch is not None:
        options = dataclasses.replace(options, watch=crew.watch())
    stay()
    with (
        Shield(),
        as_worker(crew.worker),
        closing(crew.open()) as system,
    ):
        recorder = of_this_process()

        def do(batch: Sequence[Job]) -> Iterable[Seen]:
            first = batch[0][0]
            if crew.answers is None or first <= crew.traced or not can_sweep(system, options):
                return map(_seen, run_jobs(system, iter(batch), options, recorder=recorder))
            tests = [test for _, test, _ in batch]
            return sweep_piece(system, tests, crew.answers, options=options, first=first, recorder=recorder)

        yield do


def _seen(trace: Execution) -> Seen:
    return list(trace.steps.outputs) if isinstance(trace.steps, Columns) and is_plain(trace) else trace
