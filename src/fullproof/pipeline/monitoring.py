"""Which properties a run monitors."""

from __future__ import annotations

from collections.abc import Sequence

from fullproof.artefacts.request import Relation
from fullproof.core.errors import Place
from fullproof.kinds import kind_of
from fullproof.model import Model
from fullproof.model.common import Property


def monitored(model: Model, relation: Relation, names: Sequence[str], *, at: Place) -> tuple[Property, ...]:
    """The properties asked for, or all properties that the model satisfies where a property run names none."""
    stated: tuple[Property, ...] = kind_of(model).monitored(model, relation, names, at)
    return stated
