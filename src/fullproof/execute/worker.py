"""The number of the instance of a system that this process runs, so that instances share no port, file or table.

It is 0 for the first or the only one; ``--jobs`` and pytest-xdist count from 0. On a cluster there is none.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from fullproof.core.errors import UserError

NAME = "worker"
"""The parameter of a factory that gets the number."""
_XDIST = "PYTEST_XDIST_WORKER"


_GIVEN: list[int | None] = []


@contextmanager
def as_worker(number: int | None) -> Iterator[None]:
    """Systems that are opened meanwhile are instances of this number; None: they have none."""
    _GIVEN.append(number)
    try:
        yield
    finally:
        _GIVEN.pop()


def worker_number() -> int | None:
    """The number of this process, given by a run or by pytest-xdist, which calls its processes gw0, gw1 and so on."""
    if _GIVEN:
        return _GIVEN[-1]
    digits = os.environ.get(_XDIST, "").removeprefix("gw")
    return int(digits) if digits.isdecimal() else 0


def numbered_factory(make: Callable[..., Any]) -> Callable[[], Any]:
    """The class or the factory, which gets the number of now where it has a parameter for it."""
    try:
        takes = NAME in inspect.signature(make).parameters
    except (TypeError, ValueError):  # a callable of C code
        return make
    if not takes:
        return make
    number = worker_number()
    if number is None:
        raise UserError(f"the system takes a number, '{NAME}', which there is with --jobs, but not with --cluster")
    return partial(make, **{NAME: number})
