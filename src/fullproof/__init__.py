"""fullproof: test suites that prove conformance to a model within a stated fault domain."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fullproof.core.version import __version__

if TYPE_CHECKING:
    from fullproof.core.errors import UserError
    from fullproof.formats import read_model, write_model
    from fullproof.testing.aalpy_models import from_aalpy
    from fullproof.testing.interface import check, compare, explore, generate, run
    from fullproof.testing.learning import CompleteOracle, learn
    from fullproof.testing.state_machine import as_state_machine
    from fullproof.testing.suites import suite

__all__ = [
    "CompleteOracle",
    "UserError",
    "__version__",
    "as_state_machine",
    "check",
    "compare",
    "explore",
    "from_aalpy",
    "generate",
    "learn",
    "read_model",
    "run",
    "suite",
    "write_model",
]

_MODULES = {
    "core.errors": ("UserError",),
    "formats": ("read_model", "write_model"),
    "testing.aalpy_models": ("from_aalpy",),
    "testing.interface": ("check", "compare", "explore", "generate", "run"),
    "testing.learning": ("CompleteOracle", "learn"),
    "testing.state_machine": ("as_state_machine",),
    "testing.suites": ("suite",),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import what other tools use when they use it: the command line starts without it."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)


class _Function:
    """A function with the name of a room, which takes the place of the room when that is imported."""

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, module: ModuleType | None, _: type) -> Any:
        return self if module is None else __getattr__(self._name)

    def __set__(self, module: ModuleType, value: object) -> None:
        """The import system sets the room, which is found by its whole name all the same."""


class _Package(ModuleType):
    check = _Function()
    generate = _Function()


sys.modules[__name__].__class__ = _Package
