"""Python systems that begin and end, or wait: called as if they were objects with plain methods.

A factory may be a class, a function, a generator that yields the system and cleans up after it, or a context manager;
each of them, and every method of the system, may be asynchronous. An object has an event loop of its own, which runs
while one of its coroutines is called: tasks that it has started go on meanwhile. Context managers are entered when the
system is made, and left when it is closed.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fullproof.core.errors import UserError
from fullproof.execute.worker import numbered_factory

if TYPE_CHECKING:
    import asyncio

_METHODS = ("reset", "step", "advance", "observe", "enabled", "send", "receive", "snapshot", "restore", "close")


def synchronous(make: Callable[..., Any]) -> Callable[[], Any]:
    """A factory of objects with plain methods; objects that need nothing of this come as they are."""
    call = numbered_factory(make)

    @functools.wraps(make, updated=())
    def made() -> Any:
        new = call()
        loop = _Loop()
        if inspect.isawaitable(new):
            new = loop.run(new)
        end = None
        if (context := _context(new)) is not None:
            new, end = _entered(context, loop)
        if loop.is_used or any(_is_coroutine(new, name) for name in _METHODS):
            return Awaited(new, loop, end)
        return new if end is None else Managed(new, end)

    return made


def _context(new: Any) -> Any:
    """The context manager that an object is, or None."""
    if inspect.isgenerator(new):
        return contextlib.contextmanager(lambda: new)()
    if inspect.isasyncgen(new):
        return contextlib.asynccontextmanager(lambda: new)()
    found = type(new)
    is_context = all(hasattr(found, name) for name in ("__enter__", "__exit__"))
    return new if is_context or all(hasattr(found, name) for name in ("__aenter__", "__aexit__")) else None


def _entered(context: Any, loop: _Loop) -> tuple[Any, Callable[[], object]]:
    """The system of a context manager, and what leaves it; one that enters without a value is the system itself."""
    if hasattr(type(context), "__enter__"):
        value = context.__enter__()
        return (context if value is None else value), lambda: context.__exit__(None, None, None)
    value = loop.run(context.__aenter__())
    return (context if value is None else value), lambda: loop.run(context.__aexit__(None, None, None))


def _is_coroutine(new: object, name: str) -> bool:
    try:
        return inspect.iscoroutinefunction(getattr(new, name, None))
    except Exception:  # noqa: BLE001 - a property of the user's: who needs it will say what it raised
        return False


class _Loop:
    """An event loop that is made when it is needed."""

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None

    @property
    def is_used(self) -> bool:
        return self._runner is not None

    def run(self, waiting: Any) -> Any:
        import asyncio

        if self._runner is None:
            if asyncio._get_running_loop() is not None:
                if inspect.iscoroutine(waiting):
                    waiting.close()  # else Python warns that it was never awaited
                raise UserError(
                    "the system is asynchronous, and this is inside a coroutine, whose loop cannot run it: call "
                    "fullproof by 'await asyncio.to_thread(...)'"
                )
            self._runner = asyncio.Runner()
        return self._runner.run(_wait(waiting))

    def close(self) -> None:
        if self._runner is not None:
            # A loop that was interrupted may fail to close.
            with contextlib.suppress(RuntimeError):
                self._runner.close()


async def _wait(waiting: Any) -> Any:
    return await waiting


class Managed:
    """An object with what cleans up after it."""

    def __init__(self, made: Any, end: Callable[[], object]) -> None:
        self._made = made
        self._end: Callable[[], object] | None = end

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)

    def close(self) -> None:
        """Leave the context, once."""
        end, self._end = self._end, None
        if end is not None:
            end()


class Awaited:
    """An object whose coroutines are run to their end when they are called."""

    def __init__(self, made: Any, loop: _Loop, end: Callable[[], object] | None) -> None:
        self._made = made
        self._loop = loop
        self._end = end

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._made, name)
        if not inspect.iscoroutinefunction(value):
            return value

        @functools.wraps(value)
        def called(*words: Any, **named: Any) -> Any:
            return self._loop.run(value(*words, **named))

        return called

    def close(self) -> None:
        """Leave its context, or close the object where it can be closed; then its loop, whose tasks are cancelled."""
        try:
            end, self._end = self._end, None
            close = getattr(self._made, "close", None) if end is None else end
            if callable(close):
                result = close()
                if inspect.isawaitable(result):
                    self._loop.run(result)
        finally:
            self._loop.close()
