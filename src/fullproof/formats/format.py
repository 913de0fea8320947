"""What a format is: the endings of its files, the kinds of models that they can hold, and the ways there and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from fullproof.model import Model

Held = TypeVar("Held", bound="Model")
"""The models that files of a format can hold."""

ReadPart: TypeAlias = "Callable[[Path], Model]"
"""Reads a file that another one names as a part of its model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format(Generic[Held]):
    """One entry of the table. Its functions import what they need when they are called: the table is cheap to load."""

    name: str
    """As menus name it."""
    endings: tuple[str, ...]
    """In lower case, with their points. Messages and help name the first one."""
    kinds: tuple[str, ...] | None = None
    """The kinds of models that a file can hold; None for all."""
    read: Callable[[str, Path, ReadPart], Model] | None = None
    """The model of a text that stands in a file. Every mistake is a UserError, with line and column where it has some.

    A file of this format can be a mutant for ``score`` and a model in the workbench.
    """
    write: Callable[[Held], Iterable[str]] | None = None
    """The lines of a file that reads back as the same model; UserError where the format cannot express it."""
    beside: Mapping[str, Callable[[Held], Iterable[str]]] = field(default_factory=dict)
    """Files that stand beside one of this format and belong to it, by their endings."""
    parts: Callable[[Path], Iterable[Path]] | None = None
    """The files that a file names as parts of its model; None where there are never any."""
    advice: str = ""
    """What to do instead with a model of a kind that the format cannot hold."""


AnyFormat: TypeAlias = Format[Any]
