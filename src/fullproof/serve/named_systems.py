"""Systems and models that the command line names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from fullproof.core.errors import UserError
from fullproof.formats.source import read_source
from fullproof.serve.folder import ModelFolder
from fullproof.serve.settings import GivenModel

_NAME = re.compile(r"[\w][\w .-]{0,63}")


def named_systems(given: Sequence[str]) -> dict[str, str]:
    """``NAME=SUT`` each; names differ."""
    systems: dict[str, str] = {}
    for text in given:
        name, sign, spec = text.partition("=")
        if not sign or not spec or not _NAME.fullmatch(name):
            raise UserError(f"--sut {text}: expected NAME=SUT, for example good=python:brake.py:Brake")
        if name in systems:
            raise UserError(f"--sut {text}: there are two systems called {name!r}")
        systems[name] = spec
    return systems


def given_folder(folders: Sequence[Path]) -> ModelFolder | None:
    """The one folder that the command line names, where it names one."""
    if len(folders) > 1:
        raise UserError(f"{folders[1]}: the workbench opens and saves files of one folder, and {folders[0]} is one")
    return ModelFolder(folders[0]) if folders else None


def given_models(paths: Iterable[Path]) -> tuple[GivenModel, ...]:
    """The models that the command line names, then one of each kind to play with."""
    named = [GivenModel(name=path.name, text=read_source(path)) for path in paths]
    folder = files("fullproof.serve") / "models"
    bundled = sorted((item for item in folder.iterdir() if item.name.endswith(".yaml")), key=lambda item: item.name)
    taken = {model.name for model in named}
    return (
        *named,
        *(GivenModel(name=i.name, text=i.read_text(encoding="utf-8")) for i in bundled if i.name not in taken),
    )
