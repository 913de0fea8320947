"""What a kind of models is made of: parts with one signature for all kinds, so that flows need not know the kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from fullproof.artefacts.request import Relation
from fullproof.core.errors import NOWHERE, Place, UserError

if TYPE_CHECKING:
    from random import Random

    from fullproof.artefacts.finding import Profile
    from fullproof.artefacts.suite import TestInput
    from fullproof.execute.play import Player
    from fullproof.judge import Oracle
    from fullproof.kinds.comparison import Asked, Conformance
    from fullproof.model.common import Property

M = TypeVar("M")
P = TypeVar("P")


class Interface(Protocol):
    """What an input of a model is."""

    def misfit(self, symbol: TestInput, /) -> str | None:
        """Why a value is no input of the model; None where it is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[M]):
    """A kind of models and its parts. A part loads its stage when it is called.

    Where a part is None, ``reasons`` says why, under the name by which users know it; ``required`` makes the sentence.
    """

    name: str
    plural: str
    """What several models of this kind are called in messages."""
    relation: Relation
    """How a system relates to a model of this kind, where nothing else is asked for."""
    compared: tuple[Relation, ...]
    """The relations that ``compare`` decides."""
    check: Callable[[M], Profile]
    compare: Callable[[M, Asked], Conformance[M]]
    interface: Callable[[M], Interface] | None
    oracle: Callable[[M, Relation, Sequence[Property]], Oracle] | None
    player: Callable[[M, Random], Player] | None
    reasons: Mapping[str, str] = field(default_factory=dict)

    def required(self, part: P | None, name: str, *, at: Place = NOWHERE) -> P:
        """The part, which users know as ``name``, or a UserError that says why this kind has none."""
        if part is None:
            raise UserError(f"{name} is not for {self.name} models: {self.reasons[name]}", at=at)
        return part


AnyKind: TypeAlias = Kind[Any]
