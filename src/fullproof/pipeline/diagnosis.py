"""failing run -> diagnosis: the single mutations of the model that explain all observations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from fullproof.artefacts.diagnosis import SearchEnd
from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.verdict import Verdict
from fullproof.core.deadline import Deadline
from fullproof.kinds import kind_of, oracle_for
from fullproof.kinds.suspects import FaultsToTry, FaultSuspect, SuspectFaults
from fullproof.model import Model
from fullproof.model.state_output import observing_state, plain

SECONDS = 30.0
"""A safety net: a diagnosis is a convenience, and a run that fails should not wait long for it."""
_TRIED = 2_000
"""Mutations that are tried, which is what ends a search that finds none."""
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class SeenExecutions:
    """Executions of a run: how many, some of them, and all of them, readable repeatedly."""

    count: int
    kept: Sequence[Execution]
    """Those in memory."""
    rest: Callable[[], Iterable[Execution]] = tuple
    """All, where they are not all in memory."""

    def traces(self) -> Iterator[Execution]:
        """All, those in memory first: most explanations are refuted by one of these."""
        return chain(self.kept, self.rest())


@dataclass(frozen=True, slots=True)
class Suspected:
    """The faults that explain everything seen, the likeliest first, of how many tried, and why no more."""

    found: tuple[FaultSuspect, ...]
    tried: int
    ended: SearchEnd


def suspects(
    model: Model, faults: FaultsToTry, failing: Sequence[Execution], seen: SeenExecutions, *, seconds: float = SECONDS
) -> Suspected | None:
    """The single faults that explain a run; None for kinds of models that have none, and where nothing failed.

    Faults behind an extra state are tried for deterministic finite machines and state machines, where nothing simpler
    explains a run.
    """
    if not failing:
        return None
    # The fault is in the machine; an observed state is that of the faulty machine.
    observes = model.description.unobserved is not None
    asked = SuspectFaults(
        faults=faults,
        failing=failing,
        seen=lambda: chain(failing, seen.traces()),
        kept=seen.kept,
        observes=observes,
        seen_as=observing_state if observes else lambda mutant: mutant,
        allows=allows,
    )
    groups = kind_of(model).suspects(plain(model), asked)
    if groups is None:
        return None
    search = _Search(failing, seen, Deadline(seconds))
    for group in groups:
        search.look(group)
        if search.found or search.ended is not SearchEnd.ALL:
            break
    return search.result()


class _Search:
    """Mutations are tried on the failing executions, then on all, while there is time."""

    def __init__(self, failing: Sequence[Execution], seen: SeenExecutions, deadline: Deadline) -> None:
        self._failing = failing
        self._seen = seen
        self._deadline = deadline
        self.found: list[FaultSuspect] = []
        self._tried: set[str] = set()
        self.ended = SearchEnd.ALL

    def look(self, mutations: Iterable[FaultSuspect]) -> None:
        """Try some mutations."""
        for suspect in mutations:
            is_full = len(self.found) >= _SHOWN or len(self._tried) >= _TRIED
            if is_full or self._deadline.passed():
                self.ended = SearchEnd.LIMIT if is_full else SearchEnd.TIME
                return
            self._tried.add(suspect.text)
            if suspect.allows(self._failing) and suspect.allows(self._seen.traces()):
                self.found.append(suspect)

    def result(self) -> Suspected:
        """What was found, by how little was mistaken, else in the order of the search."""
        return Suspected(tuple(sorted(self.found, key=_difference)), len(self._tried), self.ended)


def _difference(suspect: FaultSuspect) -> float:
    """How much was mistaken: ``x <= 190`` for ``x < 190`` is likelier than an expression of another transition.

    A part that is missing or added counts with its whole size.
    """
    from difflib import SequenceMatcher

    return 1.0 if suspect.replaced is None else 1 - SequenceMatcher(None, *suspect.replaced).ratio()


def allows(mutant: Model, relation: Relation, traces: Iterable[Execution]) -> bool:
    """Whether a machine with a fault allows executions, as a relation says."""
    oracle = oracle_for(mutant, Relation.REDUCTION if relation is Relation.PROPERTY else relation)
    return all(oracle.judge(trace).verdict is not Verdict.FAIL for trace in traces)
