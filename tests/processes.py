"""Processes as ``/proc`` shows them, and waiting for what they do: with one generous limit, never for a fixed time."""

import os
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 120.0
"""Seconds. A condition that holds sooner costs nothing; a machine that is busy may take its time."""


def lists_children() -> bool:
    """Whether this kernel says which processes a process has started."""
    return Path(f"/proc/self/task/{os.getpid()}/children").exists()


def children(pid: int) -> set[int]:
    """The processes that any thread of a process has started and that are still there."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found |= {int(child) for child in task.read_text().split()}
        except OSError:  # the thread has ended
            continue
    return found


def descendants(pid: int) -> set[int]:
    """Everything that descends from a process."""
    found: set[int] = set()
    left = [pid]
    while left:
        new = children(left.pop()) - found
        found |= new
        left += new
    return found


def state(pid: int) -> str:
    """The letter of the kernel, e.g. S for a process that sleeps; nothing for one that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def command(pid: int) -> bytes:
    """The command line; nothing for a process that is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def is_alive(pid: int) -> bool:
    """Whether a process is there; one that only waits to be reaped has ended."""
    return state(pid) not in ("", "Z", "X")


def eventually(condition: Callable[[], object], *, seconds: float = PATIENCE) -> bool:
    """Whether a condition comes to hold."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
