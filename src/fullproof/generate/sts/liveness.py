"""Live variables of locations: a variable that no later guard depends on does not distinguish symbolic states."""

from __future__ import annotations

from fullproof.language.traversal import free_names
from fullproof.model.sts import Sts


def live_variables(model: Sts) -> dict[str, frozenset[str]]:
    """The variables whose values at a location may decide a guard there or later; the least fixpoint, backwards."""
    variables = frozenset(v.name for v in model.variables)
    # An assignment may leave the range of its variable: variables that decide that are live, too.
    bounded = {v.name for v in model.variables if getattr(v.type, "low", None) is not None}
    bounded |= {v.name for v in model.variables if getattr(v.type, "high", None) is not None}
    live: dict[str, frozenset[str]] = {location: frozenset() for location in model.states}
    changed = True
    while changed:
        changed = False
        for switch in model.transitions:
            assigned = {a.variable: free_names(a.expression) for a in switch.assignments}
            needed = free_names(switch.guard) | (live[switch.target] - assigned.keys())
            for name, used in assigned.items():
                if name in live[switch.target] or name in bounded:
                    needed |= used
            grown = live[switch.source] | (needed & variables)
            if grown != live[switch.source]:
                live[switch.source], changed = grown, True
    return live
