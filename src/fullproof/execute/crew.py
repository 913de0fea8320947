"""An instance of the system in a process of its own, whoever starts that process: ``parallel`` or a cluster."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.artefacts.trace import Columns, Trace
from fullproof.cluster.work import Work
from fullproof.execute.runner import Job, Options, Watch
from fullproof.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """What each process opens. ``options.watch`` stays here: ``watch`` makes one in the process itself.

    Needs: options without ``more``, which would have to know what other processes have seen.
    """

    sut: str
    model: Model
    seed: int
    options: Options
    watch: Callable[[], Watch] | None = None


Seen: TypeAlias = list[object] | Trace
"""What comes back of an execution: of a plain one the outputs alone, since who asked for it knows the rest."""


def executions(crew: Crew) -> Work[Crew, Job, Seen]:
    """Running tests, as work for other processes; ``trace_of`` makes traces of the results."""
    return Work(begin=_at_work, common=crew, lost=died)


def trace_of(job: Job, seen: Seen) -> Trace:
    """The trace of an execution."""
    if isinstance(seen, Trace):
        return seen
    number, test, repetition = job
    return Trace(test, Columns(test.inputs, seen), None, None, "", repetition, number)


def died(job: Job, reason: str) -> Trace:
    """What is known of an execution that ended its process: an error of the system."""
    number, test, repetition = job
    return Trace(test, (), None, reason, "", repetition, number)


@contextmanager
def _at_work(crew: Crew) -> Iterator[Callable[[Sequence[Job]], Iterable[Seen]]]:
    """Open the system; what it prints stays off standard output."""
    from fullproof.execute.adapters import open_sut
    from fullproof.execute.runner import run_jobs
    from fullproof.execute.shield import Shield, stay

    options = crew.options
    if crew.watch is not None:
        options = dataclasses.replace(options, watch=crew.watch())
    stay()
    with (
        Shield(),
        closing(open_sut(crew.sut, crew.model, seed=crew.seed, step_timeout=options.step_timeout)) as system,
    ):
        yield lambda batch: map(_seen, run_jobs(system, iter(batch), options))


def _seen(trace: Trace) -> Seen:
    if isinstance(trace.steps, Columns) and trace.error is None and trace.enabled_at_end is None:
        return list(trace.steps.outputs)
    return trace
