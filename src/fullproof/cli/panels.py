"""The panels of ``--help``: the options that people need first, then the others by what they are for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

COMMON = (
    "sut",
    "suite",
    "output",
    "extra-states",
    "method",
    "relation",
    "property",
    "mutate-guards",
    "report",
    "jobs",
    "resume",
    "seed",
)
"""The 12 options that come first, where a command has them."""
_FIRST = "Common options"
_OTHERS = {
    "Fault domain": (
        *("faults", "since", "mutate-outputs", "mutate-atoms", "mutate-limit", "threshold", "pairs", "degree"),
        *("paving", "domain", "mutants", "sample", "margin", "tolerance"),
    ),
    "Generation": (
        *("fsm-method", "distinguish", "reset-cost", "max-length", "shrink", "timeout", "observe", "depth"),
        *("regions", "pump"),
    ),
    "Execution": (
        *("repeat", "adaptive", "share-prefixes", "until-seen", "stop-on-failure", "step-timeout", "test-timeout"),
        *("clock", "isolate", "allow-changed-system", "cluster", "shrink-failures", "max-failures", "confirm"),
    ),
    "Records and proofs": ("meta", "baseline", "journal", "certificate", "with", "format"),
    "Spontaneous outputs (sts)": ("coverage", "values", "order", "retries", "steps"),
}
_MANY = 12
"""A command with fewer options has one panel."""
PRINTED = "What is printed"
_T = TypeVar("_T")


def panel_of(name: str, *, among: int) -> str | None:
    """The panel of an option of a command that has so many; None: the only one."""
    if among <= _MANY:
        return None
    if name in COMMON:
        return _FIRST
    return next((panel for panel, names in _OTHERS.items() if name in names), "Further options")


def panel_of_switches(*, among: int) -> str | None:
    """The panel of --json, --quiet, --verbose and --help of a command that has so many options: the last one."""
    return PRINTED if among > _MANY else None


def in_order(options: Iterable[tuple[str, _T]], *, among: int) -> list[tuple[str, _T]]:
    """The options, those that come first in front, and those of a panel together."""
    listed = list(options)
    if among <= _MANY:
        return listed
    panels = [_FIRST, *_OTHERS]

    def place(name: str) -> tuple[int, int]:
        if name in COMMON:
            return 0, COMMON.index(name)
        panel = panel_of(name, among=among)
        return (panels.index(panel) if panel in panels else len(panels)), 0

    return sorted(listed, key=lambda one: place(one[0]))
