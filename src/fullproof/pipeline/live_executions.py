"""tests -> traces: runs the system in this process, in a separate one, in several, or on a cluster."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.suite import Test
from fullproof.pipeline.rows import PASSES_KEPT

if TYPE_CHECKING:
    from fullproof.cluster.pool import ClusterPool
    from fullproof.execute.runner import Options, Watch
    from fullproof.execute.sut import Sut
    from fullproof.execute.sweep import Answers, Expected


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """The system, its options, and where it runs."""

    open: Callable[[], Sut]
    """Opens the system; it can be pickled."""
    sut: str
    options: Options
    watch: Callable[[], Watch]
    """Makes the observer of tests in another process, where the options have one."""
    jobs: int
    isolated: bool
    pool: ClusterPool | None


@contextlib.contextmanager
def live_traces(
    tests: Iterable[Test],
    how: How,
    *,
    after: int,
    more: Callable[[Test], bool] | None,
    answers: Answers | None,
) -> Iterator[Iterator[Execution | Expected]]:
    """The executions as they happen: after which one, and until when tests are repeated.

    ``answers`` where it is enough to count the executions that give them.
    """
    from fullproof.execute.runner import execute
    from fullproof.execute.sweep import can_sweep, sweep

    options = how.options
    if how.jobs == 1 and how.pool is None and not how.isolated:
        with closing(how.open()) as system:
            if answers is not None and can_sweep(system, options):
                yield sweep(system, tests, answers, options=options, first=PASSES_KEPT)
            else:
                yield execute(system, tests, options=dataclasses.replace(options, more=more), after=after)
        return
    from fullproof.execute.clustered import execute_on_cluster
    from fullproof.execute.crew import Crew
    from fullproof.execute.parallel import execute_in_parallel

    watch = how.watch if options.watch is not None else None
    plain = dataclasses.replace(options, watch=None)
    crew = Crew(open=how.open, sut=how.sut, options=plain, watch=watch)
    if how.pool is not None:
        live = execute_on_cluster(how.pool, crew, tests, after=after)
    elif how.jobs > 1:
        live = execute_in_parallel(crew, tests, jobs=how.jobs, after=after)
    else:
        crew = dataclasses.replace(crew, answers=answers, traced=PASSES_KEPT)
        live = execute_in_parallel(crew, tests, jobs=1, after=after, more=more)
    with closing(live) as traces:
        yield traces
