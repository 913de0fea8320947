"""The test that pytest runs now: a suite that is defined inside of it would be collected by no one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_NAMES: list[str | None] = [None]


@contextmanager
def running(name: str | None) -> Iterator[None]:
    """Meanwhile the test of this name runs, or none."""
    _NAMES.append(name)
    try:
        yield
    finally:
        _NAMES.pop()


def current_test() -> str | None:
    """The name of the test that runs now."""
    return _NAMES[-1]
