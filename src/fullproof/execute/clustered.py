"""Instances of the system on the workers of a cluster, their traces in the order of the run.

Each worker opens the system itself, in a process of its own, so the system that ``--sut`` names must exist there. An
execution that ends its process is repeated by itself, and an error of the system where it does so again, as in
``parallel``.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from itertools import tee

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.suite import Test
from fullproof.cluster.pool import ClusterPool
from fullproof.execute.crew import Crew, executions, trace_of
from fullproof.execute.runner import numbered
from fullproof.execute.sweep import Expected


def execute_on_cluster(
    pool: ClusterPool, crew: Crew, tests: Iterable[Test], *, after: int = 0
) -> Generator[Execution | Expected, None, None]:
    """Run each test ``repeat`` times on the instances of a cluster; see ``runner.execute``."""
    # The second stream of executions waits for the results of the first: the cluster bounds how far that one is ahead.
    sent, waiting = tee(numbered(tests, crew.options, after=after))
    with closing(pool.map(executions(crew), sent)) as results:
        yield from map(trace_of, waiting, results)
