"""The description of a format: the endings of its files, the kinds of models that they can hold, a reader and a
writer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from fullproof.model import Model

Held = TypeVar("Held", bound="Model")
"""The models that files of a format can hold."""

ReadPart: TypeAlias = "Callable[[Path], Model]"
"""Reads a file that another one names as a part of its model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Codec(Generic[Held]):
    """The functions of a format."""

    read: Callable[[str, Path, ReadPart], Model]
    """The model of a text that stands in a file. Every mistake is a UserError with its place."""
    write: Callable[[Held], Iterable[str]] | None = None
    """The lines of a file that reads back as the same model; UserError where the format cannot express it."""
    write_beside: Callable[[Held], Mapping[str, Iterable[str]]] | None = None
    """The lines of the files that stand beside it, by their endings."""
    parts: Callable[[Path], Iterable[Path]] | None = None
    """The files that a file names as parts of its model; None where there are never any."""


def alone(read: Callable[[str, Path], Model]) -> Callable[[str, Path, ReadPart], Model]:
    """A reader of files that name no others."""
    return lambda text, path, _: read(text, path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One entry of the table. A file of any format can be a mutant for ``score`` and a model in the workbench."""

    name: str
    """The name in menus."""
    endings: tuple[str, ...]
    """In lower case, with their points. Messages and help name the first one."""
    codec: Callable[[], Codec[Any]]
    """Imports the functions: the table itself is cheap to load."""
    kinds: tuple[str, ...] | None = None
    """The kinds of models that a file can hold; None for all."""
    also: Callable[[Model], bool] | None = None
    """Which models of other kinds it can hold all the same."""
    writes: bool = True
    """Whether files can be written, too."""
    beside: tuple[str, ...] = ()
    """The endings of files that may stand beside one of this format and belong to it."""
    comment: str = ""
    """How a line of comment begins; empty where files have none."""
    advice: str = ""
    """The end of the message about a model of a kind that the format cannot hold: what to do instead."""
