"""Properties that no finite observation can refute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import error
from fullproof.core.errors import NOWHERE
from fullproof.language.printing import to_text
from fullproof.language.safety import offending_operator
from fullproof.model.common import Property


def unsafe_properties(properties: Iterable[Property]) -> Iterator[Finding]:
    """A finding for each property that is not a safety property by its form, with the operator that is in the way."""
    for stated in properties:
        operator = offending_operator(stated.formula)
        if operator is None:
            continue
        under = "" if operator.operator in ("F", "U") else " under a negation"
        yield error(
            "not-safety",
            f"property {stated.name}",
            f"{operator.operator}{under} in {to_text(operator)} can only be refuted by an infinite run, and no test is"
            " infinite; a safety property uses and, or, X, W, G, R over conditions",
            witness={"operator": operator.operator},
            at=operator.at if operator.at != NOWHERE else stated.at,
        )
