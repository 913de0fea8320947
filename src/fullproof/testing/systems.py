"""What stands for a system in Python code: what ``--sut`` takes, a class, a factory, or an object."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fullproof.core.errors import UserError
from fullproof.execute.adapters import factory_name
from fullproof.execute.worker import NAME as WORKER
from fullproof.kinds.systems import System

FIXTURE = "fixture:"
_STEPS = ("step", "send")


class Lent:
    """A factory of one object that belongs to the caller: it is reset, never made anew or closed."""

    def __init__(self, lent: Any) -> None:
        self.lent = lent
        self.__qualname__ = type(lent).__qualname__

    @property
    def has_reset(self) -> bool:
        """Whether the object can be brought back into its initial state."""
        return callable(getattr(self.lent, "reset", None))

    def __call__(self) -> Any:
        """The object behind a proxy, so that nothing enters or closes it."""
        return _Borrowed(self.lent)


class _Borrowed:
    def __init__(self, lent: Any) -> None:
        self._lent = lent

    def __getattr__(self, name: str) -> Any:
        if name == "close":
            raise AttributeError(name)
        return getattr(self._lent, name)


def as_system(sut: Any, what: str = "sut") -> System:
    """A text or a factory of systems; an object becomes a factory that gives it again and again."""
    if isinstance(sut, str):
        return sut
    if inspect.isclass(sut):
        return sut
    if any(callable(getattr(sut, name, None)) for name in _STEPS):
        return Lent(sut)
    if callable(sut):
        return sut  # type: ignore[no-any-return]
    kinds = "a text as for --sut, a class, a function that makes a system, or an object with a method step"
    raise UserError(f"{what} must be {kinds}, got {str(sut)[:60]!r} ({type(sut).__name__})")


def resettable(system: System, what: str) -> System:
    """The system, or a UserError where it is an object that keeps its state from test to test."""
    if isinstance(system, Lent) and not system.has_reset:
        name = type(system.lent).__name__
        raise UserError(f"{what}: the object of {name} has no method reset; give it one, or give its class instead")
    return system


def described(system: System) -> str:
    """The system as ``--sut`` would name it, so that commands and reports can; its name where that cannot be done."""
    if isinstance(system, str):
        return system
    name = factory_name(system)
    try:
        file = inspect.getsourcefile(inspect.unwrap(system))
    except (TypeError, ValueError):
        file = None
    if file is None or "<" in name or not name.replace(".", "_").isidentifier() or isinstance(system, Lent):
        return f"object:{name}"
    path = Path(file)
    near = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f"python:{near}:{name}"


def fixtures_of(system: System) -> tuple[str, ...]:
    """The fixtures that a suite needs: that of ``fixture:NAME``, or the parameters of a factory without defaults."""
    if isinstance(system, str):
        return (system.removeprefix(FIXTURE),) if system.startswith(FIXTURE) else ()
    return tuple(_required(system))


def _required(make: Callable[..., Any]) -> list[str]:
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):  # a callable of C code
        return []
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [p.name for p in parameters if p.kind in named and p.default is p.empty and p.name != WORKER]
