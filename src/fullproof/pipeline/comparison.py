"""model against model: is the other one conforming?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.core.errors import Place, UserError
from fullproof.kinds import kind_of
from fullproof.kinds.comparison import DEPTH, Asked, Compared, Conformance

if TYPE_CHECKING:
    from fullproof.model import Model


def compare_files(
    path: Path,
    other: Path,
    relation: Relation | None,
    *,
    properties: Sequence[str] = (),
    timeout: float | None = None,
    depth: int = DEPTH,
) -> Compared:
    """Read two models and decide whether the second conforms to the first.

    ``timeout`` is for each solver call on an sfsm (default 10), for the whole search on an sts or a statemachine, where
    ``depth`` bounds the traces.
    """
    from fullproof.formats import read_model

    model, candidate = read_model(path), read_model(other)
    require_same_kind(model, candidate, "compared", at=Place(file=str(other)))
    asked = conformance_to(model, relation, properties=properties, timeout=timeout, depth=depth)
    return asked.compare(candidate, at=Place(file=str(other)))


def conformance_to(
    model: Model,
    relation: Relation | None = None,
    *,
    properties: Sequence[str] = (),
    timeout: float | None = None,
    depth: int = DEPTH,
) -> Conformance[Model]:
    """What decides whether other models of the same kind conform to this one."""
    kind = kind_of(model)
    asked = kind.relation_for(relation, properties, "compared")
    return kind.compare(model, Asked(relation=asked, properties=tuple(properties), depth=depth, timeout=timeout))


def require_same_kind(model: Model, other: Model, what: str, *, at: Place) -> None:
    """Say that models of two kinds have nothing in common; ``what`` would have been done to the other one."""
    if other.kind != model.kind:
        raise UserError(
            f"is of kind {other.kind}, {model.name} of kind {model.kind}: only machines of one kind are {what}", at=at
        )
