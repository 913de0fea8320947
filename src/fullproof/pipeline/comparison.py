"""model, other model -> whether the other model conforms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.questions import CompareRequest
from fullproof.core.errors import Place, UserError
from fullproof.kinds import kind_of
from fullproof.kinds.comparison import Asked, Compared, Conformance

if TYPE_CHECKING:
    from fullproof.model import Model


def compare_files(path: Path, other: Path, request: CompareRequest) -> Compared:
    """Read two models and decide whether the second conforms to the first."""
    from fullproof.formats import read_model

    model, candidate = read_model(path), read_model(other)
    require_same_kind(model, candidate, "compared", at=Place(file=str(other)))
    return conformance_to(model, request).compare(candidate, at=Place(file=str(other)))


def conformance_to(model: Model, request: CompareRequest) -> Conformance[Model]:
    """What decides whether other models of the same kind conform to this one."""
    kind = kind_of(model)
    asked = kind.relation_for(request.relation, request.properties, "compared")
    return kind.compare(
        model,
        Asked(relation=asked, properties=request.properties, depth=request.depth, timeout=request.timeout),
    )


def require_same_kind(model: Model, other: Model, what: str, *, at: Place) -> None:
    """Raise a UserError for models of two kinds; ``what`` is a participle for the message, such as "compared"."""
    if other.kind != model.kind:
        raise UserError(
            f"is of kind {other.kind}, {model.name} of kind {model.kind}: only machines of one kind are {what}", at=at
        )
