"""Reachability of states where it is not always known whether a transition can be taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import note, some_of, warning


@dataclass(frozen=True, slots=True)
class Reached:
    """States that are surely reached, and states that may be; the first are among the second."""

    surely: frozenset[str]
    maybe: frozenset[str]

    def connected(self, states: Iterable[str]) -> bool | None:
        """Whether all states are reached; None where that depends on an open question."""
        everything = set(states)
        return True if everything <= self.surely else None if everything <= self.maybe else False


def reached(initial: str, sure: Iterable[tuple[str, str]], open_: Iterable[tuple[str, str]] = ()) -> Reached:
    """Follow edges (source, target) from the initial state."""
    certain = list(sure)
    return Reached(_closure(initial, certain), _closure(initial, [*certain, *open_]))


def _closure(initial: str, edges: Sequence[tuple[str, str]]) -> frozenset[str]:
    targets: dict[str, list[str]] = {}
    for source, target in edges:
        targets.setdefault(source, []).append(target)
    found, waiting = {initial}, [initial]
    while waiting:
        fresh = [target for target in targets.get(waiting.pop(), ()) if target not in found]
        found.update(fresh)
        waiting.extend(fresh)
    return frozenset(found)


def unreachable(states: Sequence[str], initial: str, found: Reached) -> Iterator[Finding]:
    """A finding for the states that no path leads to."""
    missing = [state for state in states if state not in found.maybe]
    if missing:
        yield warning(
            "unreachable-state",
            f"state{'s' if len(missing) > 1 else ''} {some_of(missing)}",
            f"no path of transitions that can be taken leads there from {initial}; no test can cover it",
            witness={"states": missing},
        )


def not_reentered(states: Sequence[str], initial: str, edges: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """A note where only a reset leads back to the initial state."""
    if len(states) > 1 and all(target != initial for _, target in edges):
        message = "no transition leads back to the initial state: only a reset does"
        yield note("initial-not-reentered", f"state {initial}", message)
