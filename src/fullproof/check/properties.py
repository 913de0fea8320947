"""Findings on properties: those that no finite observation can refute, and the results of model checking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fullproof.artefacts.finding import Finding
from fullproof.artefacts.property_answers import Holding, Holds, Undecided, Violated
from fullproof.check.remarks import error, note, values_text, warning
from fullproof.core.errors import NOWHERE
from fullproof.language.finite_traces import finite_reading
from fullproof.language.printer import to_text
from fullproof.language.safety import offending_operator
from fullproof.model.common import Property


def unsafe_properties(properties: Iterable[Property]) -> Iterator[Finding]:
    """A finding for each property that is not a safety property by its form, with the operator that prevents it."""
    for stated in properties:
        operator = offending_operator(stated.formula)
        if operator is None:
            continue
        under = "" if operator.operator in ("F", "U") else " under a negation"
        reading = finite_reading(stated.formula)
        offer = "" if reading is None else f"; on finite traces it says {to_text(reading)}, which a test can refute"
        yield note(
            "not-safety",
            f"property {stated.name}",
            f"{operator.operator}{under} in {to_text(operator)} can only be refuted by an infinite run: a suite carries"
            f" the property over from the model, but no single test can show that a system violates it{offer}",
            witness={"operator": operator.operator} | ({} if reading is None else {"finite": to_text(reading)}),
            at=operator.at if operator.at != NOWHERE else stated.at,
        )


def trace_text(answer: Violated) -> str:
    """The steps of a trace that violates a property, and which of them repeat."""
    texts = [values_text(values) for values in answer.trace]
    if answer.loop is None:
        return "; ".join(texts)
    return "; ".join([*texts[: answer.loop], "then for ever " + "; ".join(texts[answer.loop :])])


def property_finding(stated: Property, answer: Holding) -> Finding:
    """The finding with the result of model checking a property."""
    where = f"property {stated.name}"
    match answer:
        case Holds():
            return note("property-holds", where, f"the model satisfies {to_text(stated.formula)}", at=stated.at)
        case Violated(trace=()):
            message = f"nothing satisfies {to_text(stated.formula)}, whatever the model does"
            return error("property-violated", where, message, witness={"trace": []}, at=stated.at)
        case Violated():
            again = {} if answer.loop is None else {"loop": answer.loop}
            return error(
                "property-violated",
                where,
                f"the model violates {to_text(stated.formula)}: {trace_text(answer)}",
                witness={"trace": [dict(values) for values in answer.trace], "states": list(answer.states)} | again,
                at=stated.at,
            )
        case Undecided():
            message = f"neither shown nor refuted that the model satisfies it; not decided: {answer.reason}"
            return warning("property-unknown", where, message, at=stated.at)
