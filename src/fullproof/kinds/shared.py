"""Parts that several kinds have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation

if TYPE_CHECKING:
    from fullproof.artefacts.finding import Profile
    from fullproof.judge import Oracle
    from fullproof.model import Model
    from fullproof.model.common import Property


def checked(model: Model) -> Profile:
    """What a model is, and what is wrong with it."""
    from fullproof.check import check

    return check(model)


def judge_of_answers(model: Model, relation: Relation, properties: Sequence[Property]) -> Oracle:
    """Judges systems that answer each input."""
    from fullproof.judge import oracle_for

    return oracle_for(model, relation, properties=properties)
