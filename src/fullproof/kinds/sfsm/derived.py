"""Typical faults of guards, comparisons and outputs, which options add to the fault domain of a symbolic machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.counted import counted
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm

if TYPE_CHECKING:
    from fullproof.mutate.expressions import DerivedFaults

_SHOWN = 40
"""How many faults a note names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """Expressions to add to the alphabets, the original of each, and notes."""

    guards: tuple[Expression, ...] = ()
    outputs: tuple[Expression, ...] = ()
    origins: Mapping[Expression, Expression] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def derived_faults(model: Sfsm, request: SuiteRequest) -> Derived:
    """Derive the requested faults; the notes name the expressions, and how many the limit left out."""
    if not request.mutate_guards and not request.mutate_outputs and not request.mutate_atoms:
        return Derived()
    from fullproof.mutate.expressions import DEFAULT_CAP, derived_atoms, derived_guards, derived_outputs

    cap = DEFAULT_CAP if request.mutate_limit is None else request.mutate_limit or None
    guards: list[Expression] = []
    outputs: list[Expression] = []
    notes: list[str] = []
    origins: dict[Expression, Expression] = {}
    if request.mutate_guards:
        found = derived_guards(model, cap=cap)
        guards += [fault.expression for fault in found]
        origins |= {fault.expression: fault.original for fault in found}
        notes.append(_note(found, "guard"))
    if request.mutate_atoms:
        own, found = derived_atoms(model, cap=cap)
        guards += [*own, *(fault.expression for fault in found)]
        notes.append(f"{_note(found, 'comparison')}; systems may combine these and the model's comparisons in any way")
    if request.mutate_outputs:
        found = derived_outputs(model, cap=cap)
        outputs += [fault.expression for fault in found]
        origins |= {fault.expression: fault.original for fault in found}
        notes.append(_note(found, "output"))
    return Derived(guards=tuple(guards), outputs=tuple(outputs), origins=origins, notes=tuple(notes))


def _note(found: DerivedFaults, what: str) -> str:
    texts = "; ".join(fault.why for fault in islice(found, _SHOWN))
    more = f"; and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    left = (
        f"; {counted(found.left_out, 'more was', 'more were')} left out by the limit (--mutate-limit 0 takes all)"
        if found.left_out
        else ""
    )
    return f"{counted(len(found), f'{what} fault')} added to the fault domain: {texts}{more}{left}"
