"""What a process of its own costs a Python system: processor seconds of all processes for each step.

The system does as little as one can do. Once inside the process of the run, once in a process of its own, to which
whole tests are shipped and which records each step, and once with a question and an answer for each step, as for
systems of an sts, whose next input depends on the last output.
"""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from benchmarks.running import SYSTEM, _lookup, _machine
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.artefacts.suite import Test, make_test
from fullproof.cluster.child import Child, dismiss, opened
from fullproof.cluster.work import packed
from fullproof.core.errors import Place
from fullproof.execute import Options, execute
from fullproof.execute.crew import Crew, executions
from fullproof.execute.parallel import execute_in_parallel
from fullproof.formats import write_model
from fullproof.kinds.systems import open_sut
from fullproof.pipeline.runs import run_suite
from fullproof.pipeline.suites import generate_suite

_CALLS = 5_000


def main() -> None:
    """Print the cost of a step each way, then that of whole runs."""
    fsm = _machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "system.py").write_text(SYSTEM.format(table=_lookup(fsm)))
        write_model(fsm, folder / "model.json")
        sut, asked = f"python:{folder / 'system.py'}:System", SuiteRequest(method="hsi", extra_states=2)
        tests = list(generate_suite(fsm, asked, sha256="", at=Place()).tests())
        steps = sum(len(test.inputs) for test in tests)
        print(f"{len(tests):,} tests, {steps:,} steps")

        def inside() -> None:
            with closing(open_sut(sut, fsm)) as system:
                assert all(trace.error is None for trace in execute(system, tests))

        crew = Crew(open=partial(open_sut, sut, fsm), sut=sut, options=Options())

        def shipped() -> None:
            assert all(trace.error is None for trace in execute_in_parallel(crew, tests, jobs=1))

        def nothing() -> None:
            list(execute_in_parallel(crew, tests[:1], jobs=1))

        start = _seconds(nothing)
        print(f"start of a process             {start * 1e3:8.0f} ms")
        _line("in process", _seconds(inside), steps)
        _line("isolated, whole tests", _seconds(shipped) - start, steps)
        _line("isolated, a step at a time", _seconds(lambda: _one_by_one(crew, tests)) - start, _CALLS)
        for what, isolate in (("a run, --no-isolate", False), ("a run, --isolate", True)):
            request = RunRequest(suite=asked, sut=sut, isolate=isolate)
            _line(what, _seconds(lambda r=request: run_suite(folder / "model.json", r, progress=unheard)), steps)


def _one_by_one(crew: Crew, tests: list[Test]) -> None:
    """Questions of one step each: a test of one input, with its reset."""
    child = Child(packed(executions(crew)))
    opened(child.answer())
    job = pickle.dumps([(1, make_test(tests[0].inputs[:1]), 1)])
    for _ in range(_CALLS):
        child.ask(job)
        opened(child.answer())
    dismiss([child])


def _line(what: str, seconds: float, steps: int) -> None:
    print(f"{what:30} {seconds:8.2f} s  {seconds / steps * 1e6:7.2f} us a step")


def _seconds(work: Callable[[], object]) -> float:
    """Processor seconds of this process and of those that it has waited for; the least of three tries."""
    tries = []
    for _ in range(3):
        before = os.times()
        work()
        after = os.times()
        tries.append(sum(after[:4]) - sum(before[:4]))
    return min(tries)


if __name__ == "__main__":
    main()
