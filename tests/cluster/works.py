"""Work for clusters in tests: processes find it by the name of this module."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fullproof.cluster.work import Work
from fullproof.core.errors import Place, UserError


@contextmanager
def doing(folder: str) -> Iterator[Callable[[Sequence[tuple[str, int]]], Iterable[int]]]:
    """Items are pairs of what to do and a number; the result is the square of the number."""
    place = Path(folder)
    (place / f"begun-{os.getpid()}").touch()
    try:
        yield lambda batch: (do(place, *item) for item in batch)
    finally:
        (place / f"ended-{os.getpid()}").touch()


def do(folder: Path, what: str, number: int) -> int:
    match what:
        case "sleep":
            time.sleep(0.001 * (number % 7))
        case "long":
            time.sleep(0.05)
        case "refuse":
            raise UserError(f"item {number} is wrong", at=Place(file="items", line=number))
        case "bug":
            raise ZeroDivisionError(f"item {number}")
        case "die":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "kill the worker":
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60)
        case "die once":
            mark = folder / f"died-{number}"
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def lost(item: tuple[str, int], reason: str) -> int:
    assert reason in ("died: killed by SIGSEGV", "died: 1 workers of the cluster, one after the other"), reason
    return -item[1]


def work(folder: Path) -> Work[str, tuple[str, int], int]:
    return Work(begin=doing, common=str(folder), lost=lost)
