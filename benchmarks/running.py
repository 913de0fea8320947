"""What the harness costs: processor seconds of a whole run beside those of the bare ``step`` loop.

The system is a Python class that does as little as one can do, in a process of its own, which is the default, or in
ours (``--no-isolate``); seconds are those of all processes. A journal is an SQLite file on this disk. What it takes to
make the tests is measured by itself. ``python -m benchmarks.running small`` leaves the runs of a million tests out.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.core.errors import Place
from fullproof.formats import write_model
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition
from fullproof.pipeline.runs import run_suite
from fullproof.pipeline.suites import generate_suite

STATES, INPUTS = 40, 8
SYSTEM = """
TABLE = {table!r}

class System:
    def reset(self):
        self.state = 0

    def step(self, symbol):
        output, self.state = TABLE[self.state, symbol]
        return output
"""


def main(size: str = "all") -> None:
    """Print the bare loop, what it takes to make the tests, runs without and with a journal, and their ratios."""
    fsm = _machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if size != "small":  # first: a process is at least as large as the one that has started it
            for options in ((), ("--no-isolate",)):
                _million(folder, *options)
        model = folder / "model.json"
        write_model(fsm, model)
        (folder / "system.py").write_text(SYSTEM.format(table=_lookup(fsm)))
        for extra in (3,) if size == "small" else (3, 4):
            _table(fsm, model, folder, SuiteRequest(method="hsi", extra_states=extra))


def _table(fsm: Fsm, model: Path, folder: Path, asked: SuiteRequest) -> None:
    words = [test.inputs for test in generate_suite(fsm, asked, sha256="", at=Place()).tests()]
    steps = sum(map(len, words))
    bare = min(_bare(folder / "system.py", words) for _ in range(3))
    tests = len(words)
    del words
    making = min(_making(fsm, asked) for _ in range(3))
    print(f"{tests:,} tests, {steps:,} steps; {making:.2f} s to make them, which is not counted below")
    print(f"bare loop            {bare:8.2f} s  {bare / steps * 1e6:6.2f} us a step")
    ways = [(isolate, journal) for isolate in (False, True) for journal in (None, folder / "j")]
    for isolate, journal in ways:
        what = f"{'default' if isolate else '--no-isolate'}{', journal' if journal is not None else ''}"
        request = RunRequest(suite=asked, sut=f"python:{folder / 'system.py'}:System", journal=journal, isolate=isolate)
        seconds = min(_run(model, request) for _ in range(3)) - making
        ratio = f"{seconds / bare:5.2f} times the loop"
        print(f"{what:21} {seconds:8.2f} s  {seconds / steps * 1e6:6.2f} us a step  {ratio}")
        if journal is not None:
            print(f"                      {journal.stat().st_size / steps:6.1f} bytes a step")


def _million(folder: Path, *options: str) -> None:
    """A run of more than a million tests from the command line, with its report."""
    shutil.rmtree(folder / "report", ignore_errors=True)
    fsm = _machine(states=13, inputs=10)
    write_model(fsm, folder / "million.json")
    (folder / "million.py").write_text(SYSTEM.format(table=_lookup(fsm)))
    words = ["run", "million.json", "--sut", "python:million.py:System", "--method", "hsi", "--extra-states", "4"]
    begin = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, "-m", "fullproof", *words, "--report", "report", "--json", "--quiet", *options],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    seconds, answer = time.perf_counter() - begin, json.loads(ended.stdout)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    page, journal = ((folder / "report" / name).stat().st_size / 1e6 for name in ("report.html", "run.sqlite"))
    way = " ".join(options) or "default"
    print(f"{answer['tests']:,} tests, {answer['steps']:,} steps, report, {way}: {seconds:.0f} s, {memory:.0f} MB")
    print(f"journal {journal:.0f} MB, page {page:.2f} MB")


def _making(fsm: Fsm, asked: SuiteRequest) -> float:
    begin = time.process_time()
    suite = generate_suite(fsm, asked, sha256="", at=Place())
    suite.size()
    for _ in suite.tests():
        pass
    return time.process_time() - begin


def _lookup(fsm: Fsm) -> dict[tuple[int, str], tuple[str, int]]:
    return {(int(t.source[1:]), t.input): (t.output, int(t.target[1:])) for t in fsm.transitions}


def _machine(states: int = STATES, inputs: int = INPUTS) -> Fsm:
    """A machine in which every state has its own answer to the first input."""
    names = [f"s{k}" for k in range(states)]
    transitions = [
        FsmTransition(f"s{k}", f"i{i}", f"o{k}" if i == 0 else "o", names[(k * (i + 2) + i + 1) % states])
        for k in range(states)
        for i in range(inputs)
    ]
    return Fsm(
        name="large",
        initial="s0",
        states=tuple(names),
        inputs=tuple(f"i{i}" for i in range(inputs)),
        outputs=("o", *(f"o{k}" for k in range(states))),
        transitions=tuple(transitions),
    )


def _bare(path: Path, words: list[tuple[object, ...]]) -> float:
    names: dict[str, object] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    system = names["System"]()  # type: ignore[operator]
    begin = time.process_time()
    for word in words:
        system.reset()
        for symbol in word:
            system.step(symbol)
    return time.process_time() - begin


def _run(model: Path, request: RunRequest) -> float:
    begin = _processor()
    outcome = run_suite(model, request, progress=unheard)
    assert outcome.record.result.verdict.value == "pass"
    return _processor() - begin


def _processor() -> float:
    """Seconds of this process and of those that it has started and that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


if __name__ == "__main__":
    main(*sys.argv[1:])
