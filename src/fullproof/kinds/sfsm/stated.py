"""Properties of a model by their names."""

from __future__ import annotations

from collections.abc import Iterable

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.model import Sfsm
from fullproof.model.common import Property


def stated_properties(model: Sfsm, names: Iterable[str], *, at: Place = NOWHERE) -> tuple[Property, ...]:
    """The properties of these names, each once; an unknown name gets a suggestion."""
    known = {stated.name: stated for stated in model.description.properties}
    asked = tuple(dict.fromkeys(names))
    for name in asked:
        if name not in known:
            hint = did_you_mean(name, known) if known else ": the model has none"
            raise UserError(f"unknown property {name!r}{hint}", at=at)
    return tuple(known[name] for name in asked)
