"""The classes of a model: what is asked, and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from fullproof.core.errors import Place

if TYPE_CHECKING:
    from fullproof.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassesAsked:
    """Which properties count, for how many seconds to look, and the file of the model."""

    properties: tuple[str, ...]
    timeout: float | None
    at: Place


class Classes(Protocol):
    """The classes of a model."""

    @property
    def model(self) -> Model:
        """Whose classes they are."""

    @property
    def holds(self) -> bool | None:
        """Whether they are as they should be; None where the solver left something open."""

    def fields(self) -> dict[str, object]:
        """The fields of ``classes --json``."""
