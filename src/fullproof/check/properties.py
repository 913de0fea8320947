"""Properties that no finite observation can refute, and those that the model itself violates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fullproof.artefacts.finding import Finding
from fullproof.artefacts.holding import Holding, Holds, Undecided, Violated
from fullproof.check.remarks import error, note, values_text, warning
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


def property_finding(stated: Property, answer: Holding) -> Finding:
    """What model checking has found out about a property."""
    where = f"property {stated.name}"
    match answer:
        case Holds():
            return note("property-holds", where, f"the model satisfies {to_text(stated.formula)}", at=stated.at)
        case Violated(trace=()):
            message = f"nothing satisfies {to_text(stated.formula)}, whatever the model does"
            return error("property-violated", where, message, witness={"trace": []}, at=stated.at)
        case Violated():
            steps = "; ".join(values_text(values) for values in answer.trace)
            return error(
                "property-violated",
                where,
                f"the model violates {to_text(stated.formula)}: {steps}",
                witness={"trace": [dict(values) for values in answer.trace], "states": list(answer.states)},
                at=stated.at,
            )
        case Undecided():
            message = f"neither shown nor refuted that the model satisfies it; not decided: {answer.reason}"
            return warning("property-unknown", where, message, at=stated.at)
