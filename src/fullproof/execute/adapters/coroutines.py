"""Python systems with coroutines, ``async def step(...)``, called as if they were functions.

Each object has an event loop of its own, which runs while one of its coroutines is called: tasks that it has started
go on meanwhile. Factories may be coroutines, too.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

_METHODS = ("reset", "step", "enabled", "send", "receive", "snapshot", "restore", "close")


def synchronous(make: Callable[[], Any]) -> Callable[[], Any]:
    """A factory of objects without coroutines; objects that have none come as they are."""

    @functools.wraps(make, updated=())
    def made() -> Any:
        new = make()
        waits = inspect.isawaitable(new)
        if not waits and not any(_is_coroutine(new, name) for name in _METHODS):
            return new
        import asyncio

        runner = asyncio.Runner()
        return Awaited(runner.run(_wait(new)) if waits else new, runner)

    return made


def _is_coroutine(new: object, name: str) -> bool:
    try:
        return inspect.iscoroutinefunction(getattr(new, name, None))
    except Exception:  # noqa: BLE001 - a property of the user's: who needs it will say what it raised
        return False


class Awaited:
    """An object whose coroutines are run to their end when they are called."""

    def __init__(self, made: Any, runner: asyncio.Runner) -> None:
        self._made = made
        self._runner = runner

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._made, name)
        if not inspect.iscoroutinefunction(value):
            return value

        @functools.wraps(value)
        def called(*words: Any, **named: Any) -> Any:
            return self._runner.run(value(*words, **named))

        return called

    def close(self) -> None:
        """Close the object where it can be closed, then its loop, whose tasks are cancelled."""
        try:
            close = getattr(self._made, "close", None)
            if callable(close):
                result = close()
                if inspect.isawaitable(result):
                    self._runner.run(_wait(result))
        finally:
            # A loop that was interrupted may fail to close.
            with contextlib.suppress(RuntimeError):
                self._runner.close()


async def _wait(result: Any) -> Any:
    return await result
