"""Requests for the classes of a model, and their answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from fullproof.core.errors import Place

if TYPE_CHECKING:
    from fullproof.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassesAsked:
    """The properties to consider, the time limit in seconds, and the file of the model."""

    properties: tuple[str, ...]
    timeout: float | None
    at: Place


class Classes(Protocol):
    """The classes of a model."""

    @property
    def model(self) -> Model:
        """The model of these classes."""

    @property
    def holds(self) -> bool | None:
        """Whether the classes satisfy their definition; None where the solver left something undecided."""

    def fields(self) -> dict[str, object]:
        """The fields of ``classes --json``."""
