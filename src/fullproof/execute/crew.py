"""An instance of the system in a process of its own, whoever starts that process: ``parallel`` or a cluster."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from fullproof.artefacts.trace import Trace
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


def executions(crew: Crew) -> Work[Crew, Job, Trace]:
    """Running tests, as work for other processes."""
    return Work(begin=_at_work, common=crew, lost=died)


def died(job: Job, reason: str) -> Trace:
    """What is known of an execution that ended its process: an error of the system."""
    number, test, repetition = job
    return Trace(test, (), None, reason, "", repetition, number)


@contextmanager
def _at_work(crew: Crew) -> Iterator[Callable[[Sequence[Job]], Iterable[Trace]]]:
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
        yield lambda batch: run_jobs(system, iter(batch), options)
