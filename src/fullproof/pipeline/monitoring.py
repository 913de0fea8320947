"""Which properties a run monitors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fullproof.artefacts.request import Relation
from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.safety import offending_operator
from fullproof.model import Model, Sfsm
from fullproof.model.common import Property


def monitored(model: Model, relation: Relation, names: Sequence[str], *, at: Path) -> tuple[Property, ...]:
    """The properties asked for, or all safety properties of the model where a property run names none.

    A model that violates one of them is refused with a trace: what it allows could not be told from what it should.
    """
    if relation is not Relation.PROPERTY or not isinstance(model, Sfsm):
        return ()
    place = Place(file=str(at))
    known = {p.name: p for p in model.description.properties}
    for name in names:
        if name not in known:
            raise UserError(f"unknown property {name!r}{did_you_mean(name, known)}", at=place)
    wanted = [known[name] for name in dict.fromkeys(names)] or list(known.values())
    found = tuple(stated for stated in wanted if offending_operator(stated.formula) is None)
    if not found:
        raise UserError("a property run needs safety properties, and the model has none", at=place)
    from fullproof.pipeline.properties import require_holding

    require_holding(model, found, at=place)
    return found
