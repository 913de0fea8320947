"""Typical faults that --mutate-guards and --mutate-outputs add to the fault domain of a symbolic machine."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.artefacts.request import SuiteRequest
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """Expressions to add to the alphabets, and what is to be said of them."""

    guards: tuple[Expression, ...] = ()
    outputs: tuple[Expression, ...] = ()
    notes: tuple[str, ...] = ()


def derived_faults(model: Sfsm, request: SuiteRequest) -> Derived:
    """Derive what was asked for; the notes name every expression, and how many the cap left out."""
    if not request.mutate_guards and not request.mutate_outputs:
        return Derived()
    from fullproof.mutate.expressions import derived_guards, derived_outputs

    notes = []
    added: list[tuple[Expression, ...]] = []
    for wanted, derive, what in (
        (request.mutate_guards, derived_guards, "guard"),
        (request.mutate_outputs, derived_outputs, "output"),
    ):
        if not wanted:
            added.append(())
            continue
        found = derive(model)
        added.append(tuple(fault.expression for fault in found))
        texts = "; ".join(fault.why for fault in found)
        left = f"; {found.left_out} more were left out by the cap" if found.left_out else ""
        plural = "" if len(found) == 1 else "s"
        notes.append(f"{len(found)} {what} fault{plural} added to the fault domain: {texts}{left}")
    return Derived(guards=added[0], outputs=added[1], notes=tuple(notes))
