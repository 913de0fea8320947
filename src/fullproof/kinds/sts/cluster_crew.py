"""Conversations with systems of an sts on the workers of a cluster.

The next input of an instance depends on its earlier conversations. So a turn includes these: a process that has held
them continues, any other one replays them on a fresh instance first, as ``--resume`` does. The loss of a worker only
costs time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import RunRequest
from fullproof.cluster.work import Work
from fullproof.kinds.sts.instances import Instance, Item, tester_for
from fullproof.kinds.sts.replanner import Replanner
from fullproof.model import Sts

if TYPE_CHECKING:
    from fullproof.analysis.sts_semantics import StsSemantics
    from fullproof.cluster.pool import ClusterPool
    from fullproof.execute.reactive import ReactiveSut, Tester

Left = frozenset[str]
"""The goals that are still to be covered when a round begins."""


@dataclass(frozen=True, slots=True)
class Past:
    """A conversation that an instance has held."""

    item: Item
    left: Left
    conversation: Execution


@dataclass(frozen=True, slots=True)
class Turn:
    """One conversation to hold, by the instance of some place, which has held others before."""

    place: int
    past: tuple[Past, ...]
    item: Item
    left: Left


@dataclass(frozen=True, slots=True)
class Common:
    """What every process needs."""

    model: Sts
    request: RunRequest
    open: Callable[[], ReactiveSut]
    """Opens the system; it can be pickled."""


class ClusterCrew:
    """Instances on a cluster; made by ``on_cluster``. Its answers are those of a ``Crew`` of this process."""

    def __init__(self, turns: _Turns, results: Generator[Execution, None, None], left: Callable[[], Left]) -> None:
        self._turns = turns
        self._results = results
        self._left = left
        self._past: dict[int, tuple[Past, ...]] = {}

    def converse(self, items: Sequence[Item], places: int) -> Iterator[Execution]:
        """Hold conversations, at most one for each place, all at the same time; give them in their order."""
        left = self._left()
        for item in items:
            place = item.place(places)
            self._turns.add(Turn(place, self._past.get(place, ()), item, left))
        for item in items:
            conversation = next(self._results)
            self._keep(item, places, left, conversation)
            yield conversation

    def rehearse(self, item: Item, conversation: Execution, places: int) -> None:
        """A conversation of an earlier part of the run."""
        self._keep(item, places, self._left(), conversation)

    def _keep(self, item: Item, places: int, left: Left, conversation: Execution) -> None:
        place = item.place(places)
        self._past[place] = (*self._past.get(place, ()), Past(item, left, conversation))


class _Turns:
    """The work of a cluster; empty between the end of a round and the next one."""

    def __init__(self) -> None:
        self._waiting: deque[Turn] = deque()

    def add(self, turn: Turn) -> None:
        self._waiting.append(turn)

    def __iter__(self) -> Iterator[Turn]:
        return self

    def __next__(self) -> Turn:
        if not self._waiting:
            raise StopIteration
        return self._waiting.popleft()


@contextmanager
def on_cluster(pool: ClusterPool, common: Common, left: Callable[[], Left]) -> Iterator[ClusterCrew]:
    """Run instances on a cluster; each process opens the system once."""
    turns = _Turns()
    work: Work[Common, Turn, Execution] = Work(begin=_at_work, common=common, lost=_lost)
    with closing(pool.map(work, turns, largest=1)) as results:
        yield ClusterCrew(turns, results, left)


def _lost(turn: Turn, reason: str) -> Execution:
    """The execution for a conversation that ended its process each time: an error of the system."""
    item = turn.item
    return Execution(item.test, error=reason, reached=False, number=item.number, repetition=item.repetition)


@contextmanager
def _at_work(common: Common) -> Iterator[Callable[[Sequence[Turn]], Iterable[Execution]]]:
    """Open the system; what it prints stays off standard output."""
    from fullproof.analysis.sts_semantics import StsSemantics
    from fullproof.execute.shield import Shield, stay
    from fullproof.execute.worker import as_worker

    request = common.request
    stay()
    with (
        Shield(),
        as_worker(None),
        closing(common.open()) as system,
        tester_for(system, request) as tester,
    ):
        bench = _Bench(StsSemantics(common.model), request, system, tester)
        yield lambda turns: map(bench.hold, turns)


class _Seat:
    """The instance of a place, and the number of conversations it has held or replayed."""

    def __init__(self, semantics: StsSemantics, request: RunRequest, system: ReactiveSut, place: int) -> None:
        self._replanner = Replanner(semantics, request.suite.coverage)
        self._instance = Instance(semantics, request, system, place=place, replan=self._replanner.way)
        self.held = 0

    def rehearse(self, past: Past) -> None:
        from fullproof.execute.reactive import rehearse

        self._replanner.left = past.left
        rehearse(self._instance.guide(past.item), past.conversation)
        self.held += 1

    def hold(self, turn: Turn, tester: Tester) -> Execution:
        self._replanner.left = turn.left
        conversation = tester.converse(
            turn.item.test, self._instance.guide(turn.item), number=turn.item.number, repetition=turn.item.repetition
        )
        self.held += 1
        return conversation


class _Bench:
    """All places whose conversations this process has held, on its one system."""

    def __init__(self, semantics: StsSemantics, request: RunRequest, system: ReactiveSut, tester: Tester) -> None:
        self._semantics = semantics
        self._request = request
        self._system = system
        self._tester = tester
        self._seats: dict[int, _Seat] = {}

    def hold(self, turn: Turn) -> Execution:
        seat = self._seats.get(turn.place)
        if seat is None or seat.held > len(turn.past):
            seat = self._seats[turn.place] = _Seat(self._semantics, self._request, self._system, turn.place)
        for past in turn.past[seat.held :]:
            seat.rehearse(past)
        return seat.hold(turn, self._tester)
