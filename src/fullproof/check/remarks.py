"""The common wording of findings: shortened lists, values in readable form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from fullproof.artefacts.finding import Finding, Severity
from fullproof.artefacts.written_states import WrittenStates, reachable_states
from fullproof.core.errors import NOWHERE, Place
from fullproof.language.printer import value_to_text
from fullproof.language.types import Value
from fullproof.model import Model

_Item = TypeVar("_Item")

LISTED = 5
"""How many names, places or findings of one rule are spelt out before "and 37 more"."""

_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def some_of(names: Sequence[str], *, total: int | None = None, limit: int = LISTED) -> str:
    """``a, b, c and 37 more``; ``total`` counts what ``names`` was cut from."""
    count = len(names) if total is None else total
    shown = list(names[:limit])
    if count > len(shown):
        return ", ".join(shown) + f" and {count - len(shown):,} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def written_states_note(model: Model, classes: Mapping[str, object]) -> Iterator[Finding]:
    """What states that no test distinguishes mean for suites; ``classes`` has the class of each state."""
    reached = reachable_states(model)
    counts = WrittenStates(written=len(reached), distinguishable=len({classes[state] for state in reached}))
    if counts.more:
        given = model.description.fault_domain.extra_states is not None
        end = "" if given else ", and is the default where that suite is not large"
        yield note("written-states", "machine", f"{counts.sentence}{end}")


def values_text(values: Mapping[str, Value]) -> str:
    """``x = 200, y = 0``"""
    if not values:
        return "nothing"
    return ", ".join(f"{name} = {value_to_text(value)}" for name, value in values.items())


def error(
    rule: str, where: str, message: str, *, witness: Mapping[str, object] | None = None, at: Place = NOWHERE
) -> Finding:
    """A finding that makes ``check`` end with exit code 1."""
    return Finding(severity=Severity.ERROR, rule=rule, where=where, message=message, witness=witness, at=at)


def warning(
    rule: str, where: str, message: str, *, witness: Mapping[str, object] | None = None, at: Place = NOWHERE
) -> Finding:
    """A finding that limits which methods apply."""
    return Finding(severity=Severity.WARNING, rule=rule, where=where, message=message, witness=witness, at=at)


def note(
    rule: str, where: str, message: str, *, witness: Mapping[str, object] | None = None, at: Place = NOWHERE
) -> Finding:
    """A finding for information only."""
    return Finding(severity=Severity.NOTE, rule=rule, where=where, message=message, witness=witness, at=at)


def first_few(items: Sequence[_Item], finding: Callable[[_Item], Finding]) -> Iterator[Finding]:
    """A finding for each of the first few items, and how many more there are: no list grows with the model."""
    last: Finding | None = None
    for item in items[:LISTED]:
        last = finding(item)
        yield last
    if last is not None and len(items) > LISTED:
        yield replace(last, where="", message=f"... and {len(items) - LISTED:,} more", witness=None, at=NOWHERE)


def arranged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Errors first, then warnings, then notes; otherwise in the order in which they were found."""
    return tuple(sorted(findings, key=lambda finding: _ORDER[finding.severity]))


def shortened(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Arranged, and of each rule and severity only the first few, with how many more there are."""
    groups: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in arranged(findings):
        groups.setdefault((finding.severity, finding.rule), []).append(finding)
    return tuple(kept for group in groups.values() for kept in first_few(group, lambda finding: finding))
