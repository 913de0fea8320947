"""What a cluster costs and gains: one process, ``--jobs 2`` and ``local:2``, for a slow system and a fast one.

Times are those of the executions, from the first trace to the last, without the start of the processes, and with the
time in which batches find their size; what starting a cluster takes is printed by itself. The overhead of a cluster is
what its run takes longer than one that shares the same work out among two workers at no cost. A system that sleeps
leaves the processor to the rest of the run; a fast one shows the price of a test that goes to another process and
comes back.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.suite import Test, make_test
from fullproof.cluster.connection import open_pool
from fullproof.cluster.pool import ClusterPool
from fullproof.execute import Options, execute
from fullproof.execute.clustered import execute_on_cluster
from fullproof.execute.crew import Crew
from fullproof.execute.parallel import execute_in_parallel
from fullproof.kinds.systems import open_sut
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

SYSTEM = """
import time
class System:
    def reset(self): self.on = False
    def step(self, symbol):
        {pause}
        if symbol == "press": self.on = not self.on
        return "on" if self.on else "off"
"""
LAMP = Fsm(
    name="lamp",
    states=("off", "on"),
    inputs=("press", "look"),
    outputs=("off", "on"),
    initial="off",
    transitions=(
        FsmTransition("off", "press", "on", "on"),
        FsmTransition("off", "look", "off", "off"),
        FsmTransition("on", "press", "off", "off"),
        FsmTransition("on", "look", "on", "on"),
    ),
)


def main() -> None:
    """Print one table: for both systems seconds, speed-up and what a test costs beyond its own time."""
    words = [make_test(word) for word in product(LAMP.inputs, repeat=10)]
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, open_pool("local:2") as pool:
        print(f"a cluster of two workers was there after {time.perf_counter() - begin:.1f} s")
        heads = f"{'system':12} {'tests':>8} {'where':10} {'seconds':>8} {'speed-up':>8} {'us/test':>8}"
        print(f"{heads} {'beyond its share':>17}")
        for what, pause, count in (("1 ms a step", "time.sleep(0.001)", 1_000), ("fast", "pass", 100_000)):
            path = Path(folder) / f"{what[:1]}.py"
            path.write_text(SYSTEM.format(pause=pause))
            tests = (words * (count // len(words) + 1))[:count]
            _rows(what, f"python:{path}:System", tests, pool)


def _rows(what: str, sut: str, tests: list[Test], pool: ClusterPool) -> None:
    crew = Crew(open=partial(open_sut, sut, LAMP), sut=sut, options=Options())
    alone = _alone(sut, tests)
    for where, seconds in (
        ("here", alone),
        ("--jobs 2", _timed(execute_in_parallel(crew, _warmed(tests), jobs=2), len(tests))),
        ("local:2", _timed(execute_on_cluster(pool, crew, _warmed(tests)), len(tests))),
    ):
        share = alone if where == "here" else alone / 2
        beyond = (seconds - share) / len(tests) * 1e6
        print(
            f"{what:12} {len(tests):8,} {where:10} {seconds:8.2f} {alone / seconds:8.2f}"
            f" {seconds / len(tests) * 1e6:8.0f} {beyond:8.1f} us ({(seconds - share) / share:4.0%})",
            flush=True,
        )


def _warmed(tests: list[Test]) -> Iterator[Test]:
    """One test first, which is not counted: the processes start."""
    yield tests[0]
    yield from tests


def _timed(traces: Iterable[Execution], count: int) -> float:
    begin, seen = 0.0, 0
    for trace in traces:
        assert trace.error is None
        seen += 1
        if seen == 1:
            begin = time.perf_counter()
    assert seen == count + 1
    return time.perf_counter() - begin


def _alone(sut: str, tests: list[Test]) -> float:
    system = open_sut(sut, LAMP)
    try:
        return _timed(execute(system, _warmed(tests)), len(tests))
    finally:
        system.close()


if __name__ == "__main__":
    main()
