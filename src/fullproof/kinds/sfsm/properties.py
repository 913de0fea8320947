"""sfsm -> which of its properties it satisfies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from fullproof.abstract.property_product import sfsm_holding
from fullproof.artefacts.finding import Finding
from fullproof.artefacts.property_answers import Holding, Holds, Undecided, Violated
from fullproof.check.properties import property_finding, trace_text
from fullproof.core.errors import Place, UserError
from fullproof.kinds.sfsm.stated import stated_properties
from fullproof.model import Sfsm
from fullproof.model.common import Property

TIMEOUT = 20.0
"""Seconds that the solver may take for one property."""


def property_findings(model: Sfsm) -> Iterator[Finding]:
    """A finding for each property."""
    for stated in model.description.properties:
        yield property_finding(stated, sfsm_holding(model, stated.formula, timeout=TIMEOUT))


def satisfied(model: Sfsm) -> tuple[Property, ...]:
    """The properties that the model is known to satisfy."""
    return tuple(
        stated
        for stated in model.description.properties
        if isinstance(sfsm_holding(model, stated.formula, timeout=TIMEOUT), Holds)
    )


def monitored(model: Sfsm, names: Sequence[str], at: Place) -> tuple[Property, ...]:
    """The properties asked for, or all properties that the model satisfies where none is named.

    A model that violates one that was asked for is refused with a trace: correct and wrong behaviour could not be
    distinguished.
    """
    wanted = stated_properties(model, names, at=at)
    if wanted:
        require_holding(wanted, lambda p: sfsm_holding(model, p.formula, timeout=TIMEOUT), at=at)
        return wanted
    found = satisfied(model)
    if not found:
        raise UserError("a property run needs a property that the model satisfies, and there is none", at=at)
    return found


def require_holding(
    properties: Sequence[Property], decide: Callable[[Property], Holding], *, at: Place
) -> dict[str, str]:
    """Raise a UserError with a trace where the model violates a property; return the undecided ones with the reason.

    Paper 000, Theorems 1 and 3: a suite carries over what the model satisfies, and nothing else.
    """
    doubtful = {}
    for stated in properties:
        match decide(stated):
            case Holds():
                pass
            case Undecided(reason=reason):
                doubtful[stated.name] = reason
            case Violated() as answer:
                shown = f"by the trace {trace_text(answer)}" if answer.trace else "whatever it does"
                raise UserError(
                    f"the model violates its own property {stated.name} {shown}; tests would prove nothing about it",
                    at=Place(file=stated.at.file or at.file, line=stated.at.line, column=stated.at.column),
                )
    return doubtful
