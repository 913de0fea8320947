"""Suites of finite machines: tests, inputs, seconds and peak memory of every method, beside those of other tools.

Every measurement runs in a process of its own; its memory includes some 30 MB of interpreter and libraries. Peers'
figures are those of ../shared/peers (the fewest tests and the fewest inputs of any tool for the same method, which may
be two tools); AALpy's W and Wp run here, in the same way. A suite is enumerated completely, but not kept.
Arguments: names of machines, or parts of them (default: all).
"""

from __future__ import annotations

import csv
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fullproof.analysis.table import Table
from fullproof.artefacts.request import SuiteRequest
from fullproof.formats import read_model
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.generate.finite.preparation import prepare
from fullproof.model import Fsm

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
FOLDERS = ("random", "automata-wiki/TCP", "automata-wiki/TLS", "automata-wiki/MQTT", "industrial")
SAME_METHOD = {
    "w": ("w",),
    "wp": ("wp",),
    "hsi": ("hsi", "hsi-st", "hsi-minimal"),
    "hads": ("hads-minimal",),
    "h": ("h",),
    "spy": ("spy", "spy-st"),
    "spyh": ("spyh",),
    "walks": ("s",),
}
STREAMED_CELLS = 2_000_000
"""States x inputs^(extra + 1) up to which methods that stream are run."""
OTHER_CELLS = 60_000
AALPY_CELLS = 300_000
SECONDS = 120

Size = tuple[int, int]


@dataclass(frozen=True)
class Measured:
    """What one run gave: sizes and seconds, or why it gave none; peak memory in megabytes."""

    tests: int = 0
    inputs: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    failed: str = ""


def main() -> None:
    """Print one line for each machine, number of extra states and method."""
    if not SHARED.is_dir():
        print("skipped: the published machines and measurements (../shared) are not here")
        return
    peers = published()
    warm_up()
    print(
        f"{'model':<36}{'n':>5}{'p':>4}{'a':>3} {'method':<10}{'tests':>11}{'inputs':>13}{'seconds':>9}{'MB':>6}"
        f"{'peers: tests':>14}{'inputs':>13}  {'ratio':>5}"
    )
    wanted = sys.argv[1:]
    for path in models():
        if wanted and not any(word in path.stem for word in wanted):
            continue
        model = read_model(path)
        assert isinstance(model, Fsm)
        table = prepare(model).table
        for extra in range(3):
            for name, generate in runs(table, extra):
                best = smallest(peers.get((path.stem, extra), {}), SAME_METHOD.get(name, ()))
                show(path.stem, table, extra, name, measure(generate), best)


def warm_up() -> None:
    """Load everything before the clocks run."""
    flips = np.array([1, 0], dtype=np.int32)
    table = Table(states=2, inputs=1, outputs=2, target=flips, output=flips)
    for _, generate in runs(table, 0):
        generate()


def models() -> Iterator[Path]:
    """The machines, folder by folder, small ones first."""
    for folder in FOLDERS:
        yield from sorted(
            (p for p in (SHARED / "models" / folder).iterdir() if p.suffix in (".dot", ".fsm")),
            key=lambda p: (p.stat().st_size, p.name),
        )


def runs(table: Table, extra: int) -> Iterator[tuple[str, Callable[[], Size]]]:
    """Everything that can be afforded for a machine."""
    cells = table.states * table.inputs ** (extra + 1)
    for name, method in EQUIVALENCE_METHODS.items():
        if cells <= (STREAMED_CELLS if method.streams else OTHER_CELLS):
            yield name, lambda name=name: ours(name, table, extra)
    if cells <= AALPY_CELLS:
        yield "AALpy w", lambda: aalpy(table, extra, phases=1)
        yield "AALpy wp", lambda: aalpy(table, extra, phases=2)


def ours(name: str, table: Table, extra: int) -> Size:
    """Enumerate a suite of ours."""
    source = EQUIVALENCE_METHODS[name].source(table, SuiteRequest(method=name), extra_states=extra)
    tests = inputs = 0
    for piece in source.chunks():
        tests += len(piece)
        inputs += piece.total
    return tests, inputs


def aalpy(table: Table, extra: int, *, phases: int) -> Size:
    """Let AALpy list its W suite (one phase) or its Wp suite (two), and count the maximal tests."""
    from aalpy.automata import MealyMachine, MealyState
    from aalpy.oracles.WMethodEqOracle import WMethodEqOracle
    from aalpy.oracles.WpMethodEqOracle import first_phase_it, second_phase_it

    from fullproof.artefacts.prefix_tree import PrefixTree

    states = [MealyState(str(k)) for k in range(table.states)]
    letters = list(range(table.inputs))
    for cell in range(table.states * table.inputs):
        source, symbol = divmod(cell, table.inputs)
        states[source].transitions[symbol] = states[int(table.target[cell])]
        states[source].output_fun[symbol] = int(table.output[cell])
    machine = MealyMachine(states[0], states)
    machine.compute_prefixes()
    words = machine.compute_characterization_set()
    cover = {state.prefix for state in machine.states}
    steps = {(*prefix, letter) for prefix in cover for letter in letters}
    if phases == 1:
        suite = set(WMethodEqOracle(letters, None, 0).test_suite(list(steps), extra + 1, words))
    else:
        suite = set(first_phase_it(letters, cover, extra + 1, words))
        suite.update(second_phase_it(machine, letters, steps - cover, extra + 1))
    return PrefixTree(suite).size()


def measure(generate: Callable[[], Size]) -> Measured:
    """Run in a child process, which is stopped when its time is over."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(SECONDS)
        begin = time.perf_counter()
        tests, inputs = generate()
        answer = (tests, inputs, time.perf_counter() - begin)
        os.write(writer, json.dumps(answer).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        text = answers.read()
    _, status, usage = os.wait4(child, 0)
    if not text:
        timed_out = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
        return Measured(failed=f"> {SECONDS} s" if timed_out else "failed", megabytes=usage.ru_maxrss / 1024)
    tests, inputs, seconds = json.loads(text)
    return Measured(tests, inputs, seconds, usage.ru_maxrss / 1024)


def published() -> dict[tuple[str, int], dict[str, list[Size]]]:
    """Sizes reached by other tools, by machine and extra states, then by method."""
    found: dict[tuple[str, int], dict[str, list[Size]]] = {}
    with (SHARED / "peers" / "results.csv").open(encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            if line["status"] == "ok":
                cell = found.setdefault((line["model"], int(line["a"])), {})
                cell.setdefault(line["method"], []).append((int(line["tests"]), int(line["inputs"])))
    return found


def smallest(found: dict[str, list[Size]], methods: tuple[str, ...]) -> Size | None:
    """The fewest tests and the fewest inputs."""
    sizes = [size for method in methods for size in found.get(method, [])]
    return (min(s[0] for s in sizes), min(s[1] for s in sizes)) if sizes else None


def show(model: str, table: Table, extra: int, name: str, found: Measured, best: Size | None) -> None:
    """Print one line; the ratio compares inputs plus tests."""
    head = f"{model:<36}{table.states:>5}{table.inputs:>4}{extra:>3} {name:<10}"
    if found.failed:
        print(f"{head}{found.failed:>11}{'':>13}{'':>9}{found.megabytes:>6.0f}", flush=True)
        return
    line = f"{head}{found.tests:>11,}{found.inputs:>13,}{found.seconds:>9.2f}{found.megabytes:>6.0f}"
    if best:
        line += f"{best[0]:>14,}{best[1]:>13,}  {(found.tests + found.inputs) / sum(best):>5.2f}"
    print(line, flush=True)


if __name__ == "__main__":
    main()
