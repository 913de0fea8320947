"""The workbench under attack: hostile models, crowds, what an answer costs, and the memory that all of it takes."""

from __future__ import annotations

import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tests.serve.bench import Answer, Bench, model, workbench
from tests.serve.hostile import hostile
from tests.shared import REFERENCE, ROOT

_MODELS = ROOT / "src" / "fullproof" / "serve" / "models"
_QUESTIONS = ("check", "draw", "classes", "cost", "simulate")
_CROWD = 200
_SECONDS = 5
_MEMORY = 512


def main() -> None:
    """Measure and print."""
    with workbench("--seconds", 60) as bench:
        _latency(bench)
    with workbench("--seconds", _SECONDS, "--memory", _MEMORY) as bench:
        _attack(bench)
        _crowds(bench)


def _latency(bench: Bench) -> None:
    print(f"{'median of 9 answers, in ms':30}" + "".join(f"{question:>10}" for question in _QUESTIONS))
    for path in (_MODELS / "turnstile.yaml", _MODELS / "vending-machine.yaml", REFERENCE / "brake" / "brake.yaml"):
        asked = model(path.read_text(), path.name)
        times = [_median(partial(bench.ask, question, asked)) for question in _QUESTIONS]
        print(f"{path.name:30}" + "".join(f"{t:10.0f}" if t else f"{'-':>10}" for t in times))


def _median(ask: Callable[[], Answer]) -> float | None:
    if ask().status != 200:
        return None
    times = []
    for _ in range(9):
        begin = time.perf_counter()
        ask()
        times.append(time.perf_counter() - begin)
    return 1000 * statistics.median(times)


def _attack(bench: Bench) -> None:
    """Every hostile model, as every question that reads models."""
    cases = [(q, name, file, text) for name, file, text in hostile() for q in ("check", "draw", "cost", "classes")]
    begin, longest = time.perf_counter(), ("", 0.0)
    counts: Counter[int] = Counter()
    with _watched(bench) as peak, ThreadPoolExecutor(8) as crowd:
        for (question, name, _, _), (status, seconds) in zip(
            cases, crowd.map(lambda case: _timed(bench, case[0], case[2], case[3]), cases), strict=True
        ):
            counts[status] += 1
            longest = max(longest, (f"{question} {name}", seconds), key=lambda pair: pair[1])
            if status == 500:
                print(f"  a bug: {question} {name}")
    models = len({case[1] for case in cases})
    print(f"\n{models} hostile models, {len(cases)} requests, {time.perf_counter() - begin:.0f} s, limits {_SECONDS} s")
    print("  answers:", ", ".join(f"{count} x {status}" for status, count in sorted(counts.items())))
    print(f"  the longest with its time in the queue: {longest[1]:.1f} s ({longest[0]})")
    _report(bench, peak)


def _timed(bench: Bench, question: str, file: str, text: str) -> tuple[int, float]:
    begin = time.perf_counter()
    return bench.ask(question, model(text, file)).status, time.perf_counter() - begin


def _crowds(bench: Bench) -> None:
    small = model((_MODELS / "turnstile.yaml").read_text())
    large = model("k: 1\n" * 600_000)  # 3.6 MB each, as JSON
    slow = model(next(text for name, _, text in hostile() if name == "exponential classes"))
    for what, question, asked in (("small", "check", small), ("3.6 MB", "check", large), ("endless", "classes", slow)):
        begin = time.perf_counter()
        with _watched(bench) as peak, ThreadPoolExecutor(_CROWD) as crowd:
            statuses = Counter(
                crowd.map(lambda _, q=question, a=asked: bench.ask(q, a).status, range(_CROWD))  # type: ignore[misc]
            )
        answers = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
        print(f"\n{_CROWD} {what} requests at once: {answers} in {time.perf_counter() - begin:.1f} s")
        _report(bench, peak)


@contextmanager
def _watched(bench: Bench) -> Iterator[dict[str, int]]:
    """The most memory that the server, and all processes together, had at any time."""
    peak, over = {"server": 0, "all": 0}, threading.Event()

    def look() -> None:
        while not over.wait(0.1):
            server = bench.memory()
            rest = sum(map(_resident, bench.children()))
            peak["server"], peak["all"] = max(peak["server"], server), max(peak["all"], server + rest)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield peak
    finally:
        over.set()
        watcher.join()


def _resident(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS")), 0)


def _report(bench: Bench, peak: dict[str, int]) -> None:
    alive = bench.ask("check", model((_MODELS / "turnstile.yaml").read_text())).status == 200
    print(
        f"  memory: server at most {peak['server'] >> 20} MiB, now {bench.memory() >> 20} MiB; "
        f"with workers at most {peak['all'] >> 20} MiB; processes now {len(bench.children())}; "
        + ("still alive" if alive else "DEAD")
    )


if __name__ == "__main__":
    main()
