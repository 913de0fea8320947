"""sfsm -> which of its properties it satisfies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fullproof.abstract.holding import sfsm_holding
from fullproof.artefacts.finding import Finding
from fullproof.artefacts.holding import Holds, Undecided, Violated
from fullproof.check.properties import property_finding
from fullproof.check.remarks import values_text
from fullproof.core.errors import Place, UserError
from fullproof.language.safety import offending_operator
from fullproof.model import Sfsm
from fullproof.model.common import Property

TIMEOUT = 20.0
"""Seconds that the solver may take for one property."""


def property_findings(model: Sfsm) -> Iterator[Finding]:
    """A finding for each safety property; others have one of their own from ``check``."""
    for stated in model.description.properties:
        if offending_operator(stated.formula) is None:
            yield property_finding(stated, sfsm_holding(model, stated.formula, timeout=TIMEOUT))


def satisfied(model: Sfsm) -> tuple[Property, ...]:
    """The safety properties that the model is known to satisfy."""
    return tuple(
        stated
        for stated in model.description.properties
        if offending_operator(stated.formula) is None
        and isinstance(sfsm_holding(model, stated.formula, timeout=TIMEOUT), Holds)
    )


def require_holding(
    model: Sfsm, properties: Sequence[Property], *, at: Place, timeout: float | None = TIMEOUT
) -> tuple[str, ...]:
    """Raise a UserError with a shortest trace where the model violates a property; return what was not decided.

    Paper 000, Theorems 1 and 3: a suite carries over what the model satisfies, and nothing else. Needs: safety
    properties of the model.
    """
    doubts = []
    for stated in properties:
        match sfsm_holding(model, stated.formula, timeout=timeout):
            case Holds():
                pass
            case Violated(trace=trace):
                steps = "; ".join(values_text(values) for values in trace) or "nothing satisfies it"
                place = Place(file=stated.at.file or at.file, line=stated.at.line, column=stated.at.column)
                raise UserError(
                    f"the model violates its own property {stated.name}, so that no test of it can show the property: "
                    f"{steps}",
                    at=place,
                )
            case Undecided(reason=reason):
                doubts.append(
                    f"whether the model satisfies property {stated.name} was not decided, and the guarantee holds only "
                    f"if it does; not decided: {reason}"
                )
    return tuple(doubts)
