"""Which properties a run monitors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fullproof.artefacts.request import Relation
from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.model import Model, Sfsm
from fullproof.model.common import Property


def monitored(model: Model, relation: Relation, names: Sequence[str], *, at: Path) -> tuple[Property, ...]:
    """The properties asked for, or all properties that the model satisfies where a property run names none.

    A model that violates one that was asked for is refused with a trace: what it allows could not be told from what it
    should.
    """
    if not isinstance(model, Sfsm) or (relation is not Relation.PROPERTY and not names):
        return ()
    place = Place(file=str(at))
    known = {p.name: p for p in model.description.properties}
    for name in names:
        if name not in known:
            raise UserError(f"unknown property {name!r}{did_you_mean(name, known)}", at=place)
    from fullproof.abstract.holding import sfsm_holding
    from fullproof.kinds.sfsm.properties import TIMEOUT, require_holding, satisfied

    if names:
        wanted = tuple(known[name] for name in dict.fromkeys(names))
        require_holding(wanted, lambda p: sfsm_holding(model, p.formula, timeout=TIMEOUT), at=place)
        return wanted
    found = satisfied(model)
    if not found:
        raise UserError("a property run needs a property that the model satisfies, and there is none", at=place)
    return found
