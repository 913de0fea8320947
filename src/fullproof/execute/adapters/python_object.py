"""Finds the class or factory behind ``path/to/file.py:Name`` or ``package.module:Name``."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.adapters.shadows import first_in_path
from fullproof.execute.blame import describe, is_interruption, place_of

_WANTED = "expected python:path/to/file.py:Name or python:package.module:Name"


def load_object(target: str) -> tuple[str, Callable[[], Any]]:
    """The name and the callable that makes a system; a UserError where there is none."""
    path, source, name = located(target)
    module = _from_module(source) if path is None else _from_file(path)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise UserError(f"no {part!r} in {source}{did_you_mean(part, _offers(found))}")
        found = getattr(found, part)
    if not callable(found):
        raise UserError(f"{name} in {source} is neither a class nor a factory")
    return name, found


def located(target: str) -> tuple[Path | None, str, str]:
    """The file of a target, None for a module, then the text before the colon and that after it; nothing is loaded."""
    source, _, name = target.rpartition(":")
    is_file = source.endswith(".py") or "/" in source
    if not source or not name or (source.startswith(".") and not is_file):
        raise UserError(f"--sut python:{target}: {_WANTED}")
    path = Path(source)
    if is_file and not path.exists():
        near = [p.name for p in path.parent.glob("*.py")] if path.parent.is_dir() else []
        raise UserError(f"no such file{did_you_mean(path.name, near)}", at=Place(file=str(path)))
    return (path if is_file else None), source, name


def _from_file(path: Path) -> ModuleType:
    at = Place(file=str(path))
    spec = importlib.util.spec_from_file_location(f"fullproof_sut_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UserError("is no Python file", at=at)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickle look a class's module up by name
    loader = spec.loader
    # As if the file were run as a script, so that it finds the modules beside it.
    with first_in_path(str(path.resolve().parent)):
        _importing(str(path), lambda: loader.exec_module(module))
    return module


def _from_module(name: str) -> ModuleType:
    # A console script does not look into the working directory by itself, python -m does.
    folder = None
    with contextlib.suppress(OSError):  # which may have been removed meanwhile
        folder = str(Path.cwd())
    with first_in_path(folder):
        _importing(name, lambda: importlib.import_module(name))
        return sys.modules[name]


def _importing(what: str, action: Callable[[], object]) -> None:
    try:
        action()
    except ModuleNotFoundError as error:
        if error.name is not None and (what == error.name or what.startswith(error.name + ".")):
            raise UserError(f"no module named {error.name!r}; {_WANTED}") from error
        raise UserError(f"cannot import {what}: {describe(error)}", at=place_of(error)) from error
    except BaseException as error:  # the user's module runs here
        if is_interruption(error):
            raise
        raise UserError(f"cannot import {what}: {describe(error)}", at=place_of(error)) from error


def _offers(holder: object) -> list[str]:
    """Names that look like classes or factories of the user's."""
    members = vars(holder) if hasattr(holder, "__dict__") else {}
    home = getattr(holder, "__name__", None)
    return [
        name
        for name, member in members.items()
        if callable(member) and not name.startswith("_") and getattr(member, "__module__", home) == home
    ]
