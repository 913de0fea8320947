"""Instances of a system of an sts, which run at the same time, each with its own choice of values.

An instance waits most of the time, for outputs or for silence to be certain: threads are enough. Solvers are not
thread-safe, so only one guide works at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from threading import Lock
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Event, Execution, Move
from fullproof.artefacts.purposes import SwitchLetter, Walk
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.suite import Test

if TYPE_CHECKING:
    from fullproof.analysis.sts_semantics import StsSemantics
    from fullproof.concretise.least_tried_walk import Map
    from fullproof.concretise.purpose_driver import Replan
    from fullproof.concretise.tried import KnowingGuide
    from fullproof.concretise.value_choice import ValueChooser
    from fullproof.execute.reactive import Guide, ReactiveSut, Tester

IN_PROCESS = ("python", "model")
"""Systems that run inside this process."""


@dataclass(frozen=True, slots=True)
class Item:
    """One conversation to hold: along some letters, or a walk of some length where ``letters`` is None."""

    number: int
    test: Test
    letters: tuple[SwitchLetter, ...] | None
    walk: Walk = Walk.RANDOM
    length: int = 0
    repetition: int = 1
    """How often its test has been executed, this time included."""

    def place(self, places: int) -> int:
        """Which of this many instances holds it."""
        return (self.number - 1) % places


class Instance:
    """One of the systems with its guides; its input values depend only on its own observations."""

    def __init__(
        self, semantics: StsSemantics, request: RunRequest, system: ReactiveSut, *, place: int, replan: Replan
    ) -> None:
        from fullproof.concretise.purpose_driver import chooser_for
        from fullproof.concretise.tried import TriedCounts

        self._semantics = semantics
        self._replan = replan
        self.system = system
        seed = f"values {request.suite.seed}" + (f" {place}" if place else "")
        self._random = Random(seed)
        self.chooser: ValueChooser = chooser_for(semantics.model, request.values, self._random)
        self._guides: dict[tuple[SwitchLetter, ...], KnowingGuide] = {}
        self._tried = TriedCounts(semantics)
        self._map: Map | None = None

    def guide(self, item: Item) -> Guide:
        """The guide for an item, which also counts what was tried."""
        from fullproof.concretise.tried import Remembering

        return Remembering(self._guide(item), self._tried)

    def _guide(self, item: Item) -> KnowingGuide:
        """The guide is reused for the same letters, since it may know their earlier outcome."""
        from fullproof.concretise.purpose_driver import Follower
        from fullproof.concretise.random_walk import Wanderer

        synchronous = self.system.synchronous
        if item.letters is None and item.walk is Walk.GUIDED:
            return self._scout(item.length)
        if item.letters is None:
            return Wanderer(self._semantics, self.chooser, self._random, length=item.length, synchronous=synchronous)
        if item.letters not in self._guides:
            self._guides[item.letters] = Follower(
                self._semantics, item.letters, self.chooser, synchronous=synchronous, replan=self._replan
            )
        return self._guides[item.letters]

    def _scout(self, length: int) -> KnowingGuide:
        from fullproof.concretise.least_tried_walk import LeastTriedScout, Map

        if self._map is None:
            self._map = Map(self._semantics, self.chooser, self._random, self._tried)
        return LeastTriedScout(self._map, length=length, synchronous=self.system.synchronous)


class ReactiveCrew:
    """Running instances, each with a tester; made by ``at_work``."""

    def __init__(
        self,
        instances: Sequence[Instance],
        testers: Sequence[Tester],
        pool: ThreadPoolExecutor,
        *,
        one_by_one: bool,
    ) -> None:
        self._one_by_one = one_by_one
        self._instances = instances
        self._testers = testers
        self._pool = pool
        self._thinking = Lock()

    def converse(self, items: Sequence[Item], places: int) -> Iterator[Execution]:
        """Hold conversations, at most one for each instance; give them in their order.

        Systems in separate processes run at the same time, those in this process do not: they share a solver, and only
        the main thread can be interrupted.
        """
        if len(items) == 1 or self._one_by_one:
            return map(partial(self._hold, places=places), items)
        return self._pool.map(partial(self._hold, places=places), items)

    def rehearse(self, item: Item, conversation: Execution, places: int) -> None:
        """Replay a past conversation, so that its instance is in the state after it."""
        from fullproof.execute.reactive import rehearse

        rehearse(self._instances[item.place(places)].guide(item), conversation)

    def _hold(self, item: Item, *, places: int) -> Execution:
        place = item.place(places)
        with self._thinking:
            guide = _OneAtATime(self._instances[place].guide(item), self._thinking)
        return self._testers[place].converse(item.test, guide, number=item.number, repetition=item.repetition)


@contextmanager
def at_work(instances: Sequence[Instance], request: RunRequest) -> Iterator[ReactiveCrew]:
    """Run instances, and stop their watchdogs in the end."""
    with ExitStack() as stack:
        testers = [stack.enter_context(tester_for(instance.system, request)) for instance in instances]
        pool = stack.enter_context(ThreadPoolExecutor(len(instances)))
        inside = request.sut.partition(":")[0] in IN_PROCESS or any(i.system.in_process for i in instances)
        yield ReactiveCrew(instances, testers, pool, one_by_one=inside or len(instances) == 1)


def tester_for(system: ReactiveSut, request: RunRequest) -> Tester:
    """The tester of a system, with the time limits of a request."""
    from fullproof.execute.reactive import ReactiveOptions, Tester

    options = ReactiveOptions(
        silence=request.silence, step_timeout=request.step_timeout, test_timeout=request.test_timeout
    )
    return Tester(system, options)


class _OneAtATime:
    """A guide that shares its solver with others."""

    def __init__(self, guide: Guide, lock: Lock) -> None:
        self._guide = guide
        self._lock = lock

    def restart(self) -> None:
        with self._lock:
            self._guide.restart()

    def next(self) -> Move:
        with self._lock:
            return self._guide.next()

    def saw(self, event: Event, /) -> None:
        with self._lock:
            self._guide.saw(event)
