"""model, other model -> whether the other model conforms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullproof.artefacts.questions import CompareRequest
from fullproof.artefacts.request import Relation
from fullproof.core.errors import Place, UserError
from fullproof.kinds import kind_of
from fullproof.kinds.comparison import Asked, Compared, Conformance
from fullproof.kinds.idle import refuse_idle
from fullproof.pipeline.observed_models import ModelSource, model_of, place_of

if TYPE_CHECKING:
    from fullproof.model import Model


def compare_files(source: ModelSource, other: ModelSource, request: CompareRequest) -> Compared:
    """Read two models and decide whether the second conforms to the first."""
    model, candidate, at = model_of(source), model_of(other), place_of(other)
    require_same_kind(model, candidate, "compared", at=at)
    kind = kind_of(model)
    refuse_idle(kind, model, request, at=place_of(source))
    if request.properties:
        kind.monitored(model, Relation.PROPERTY, request.properties, place_of(source))  # refuses unknown names
    return conformance_to(model, request).compare(candidate, at=at)


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
