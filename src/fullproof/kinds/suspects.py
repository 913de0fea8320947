"""Single faults that may explain why a run failed: what the diagnosis asks of a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import SuiteDomain
from fullproof.model import Model

Allows: TypeAlias = Callable[[Iterable[Execution]], bool]
"""Whether a mutation allows some executions."""


_PART = 500


def in_parts(traces: Iterable[Execution]) -> Iterator[Sequence[Execution]]:
    """Executions to be read repeatedly, some at a time: there may be more than memory holds."""
    rest = iter(traces)
    while part := tuple(islice(rest, _PART)):
        yield part


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsToTry:
    """The fault domain: a relation, and the number of extra states."""

    relation: Relation
    extra_states: int = 0
    domain: SuiteDomain | None = None
    """The expressions that systems may use, where the suite of a symbolic machine says them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbesAsked:
    """What is asked of tests that a system passes which behaves like one machine, and others hardly."""

    extra_states: int
    """Those of the fault domain of the run: the tests are for systems as large as the run says they may be."""
    domain: SuiteDomain | None
    """The expressions of that fault domain, where the run says them."""
    steps: int
    """Inputs and resets that are left; what goes beyond the fault domain is tested where they are enough."""
    is_over: Callable[[], bool]
    """Whether the time for tests is over, so that no more of them need be made."""

    def afforded(self, words: Iterable[Sequence[Any]]) -> list[Sequence[Any]] | None:
        """The words, where the steps are enough for all of them."""
        found, left = list[Sequence[Any]](), self.steps
        for word in words:
            left -= len(word) + 1
            if left < 0:
                return None
            found.append(word)
        return found


class FaultSuspect(NamedTuple):
    """A fault in words, whether it allows executions, the machine with it, and what it has instead of what."""

    text: str
    allows: Allows
    make: Callable[[], Model | None]
    replaced: tuple[str, str] | None = None
    faults: tuple[str, ...] = ()
    """Its parts, where it is more than one fault."""
    alone: tuple[Allows, ...] = ()
    """For each of these, whether the machine with it alone allows executions; empty where that is not known."""
    drawn: Any = None
    """The machine as a reader would write it, where that is another one."""
    narrowed: Callable[[Iterable[Execution]], Iterable[FaultSuspect]] | None = None
    """Of a fault that stands for many: those of them that allow further executions."""

    def after(self, traces: Sequence[Execution]) -> Iterable[FaultSuspect]:
        """What is left of it after further executions."""
        if self.narrowed is not None:
            return self.narrowed(traces)
        return (self,) if self.allows(traces) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectFaults:
    """What a run says of the faults that may explain it."""

    faults: FaultsToTry
    failing: Sequence[Execution]
    """Executions with outputs that the model does not allow."""
    seen: Callable[[], Iterable[Execution]]
    """All executions, the failing ones first."""
    kept: Sequence[Execution]
    """Those in memory."""
    observes: bool
    """Whether the state of the system is seen; then a fault is one of the machine without it."""
    seen_as: Callable[[Any], Any]
    """A faulty machine with what is observed of it."""
    allows: Callable[[Model, Relation, Iterable[Execution]], bool]
    """Whether a machine allows some executions, as a relation says."""

    def changed(
        self, text: str, mutant: Any, replaced: tuple[str, str], judged: Relation, *, drawn: Any = None
    ) -> FaultSuspect:
        """A machine with a fault."""
        seen = self.seen_as(mutant)
        return FaultSuspect(text, partial(self.allows, seen, judged), lambda: seen, replaced, drawn=drawn)


def explaining_offers(
    suspect: FaultSuspect,
    relation: Relation,
    failing: Sequence[Execution],
    allows: Callable[[Model, Relation, Iterable[Execution]], bool],
) -> FaultSuspect:
    """A fault of outputs and targets that has to explain what a system offers, too, where that is seen."""
    if not any(trace.shows_offers for trace in failing):
        return suspect

    def explains(traces: Iterable[Execution]) -> bool:
        machine = suspect.make()
        parts = () if machine is None else in_parts(traces)
        return machine is not None and all(suspect.allows(p) and allows(machine, relation, p) for p in parts)

    return suspect._replace(allows=explains)
