"""Modules beside a system are found by it, as if it were run as a script, and by nothing else.

A file ``html.py`` beside a system would otherwise be what a report imports as ``html`` later, in the same process.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder
from types import ModuleType


@contextmanager
def first_in_path(folder: str | None) -> Iterator[None]:
    """While a system is loaded, its folder is the first to look for modules in; after that the last.

    Where one of its modules has the name of another, e.g. of the standard library, that name means the other one
    again afterwards: the system has what it has imported.
    """
    if folder is None or folder in sys.path or ("" in sys.path and folder == os.getcwd()):  # noqa: PTH109
        yield
        return
    before = set(sys.modules)
    others = list(sys.path)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(folder)
        sys.path.append(folder)
        _reveal({name for name in sys.modules if name not in before}, folder, others)


def _reveal(new: set[str], folder: str, others: list[str]) -> None:
    shadows = {name for name in new if "." not in name and _lies_in(sys.modules[name], folder) and _has(name, others)}
    if not shadows:
        return
    # Modules of the standard library that came along may have found a shadow in the place of another one.
    for name in new:
        root = name.partition(".")[0]
        if root in shadows or root in sys.stdlib_module_names:
            del sys.modules[name]


def _lies_in(module: ModuleType, folder: str) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and os.path.realpath(file).startswith(os.path.join(os.path.realpath(folder), ""))  # noqa: PTH118


def _has(name: str, path: list[str]) -> bool:
    with contextlib.suppress(ImportError, ValueError, OSError):
        return PathFinder.find_spec(name, path) is not None
    return False
