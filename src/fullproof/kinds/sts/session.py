"""Drives systems along purposes and walks, and tries again what was not reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import TYPE_CHECKING

from fullproof.analysis.requirements import requirements_along
from fullproof.artefacts.execution import Execution
from fullproof.artefacts.purposes import Purpose, PurposeSet, SwitchLetter, Walk, letter_name
from fullproof.artefacts.request import Criterion, RunRequest
from fullproof.artefacts.suite import SuiteHeader, Test, make_test
from fullproof.core.errors import Place, UserError
from fullproof.kinds.sts.cluster_crew import ClusterCrew, Common, on_cluster
from fullproof.kinds.sts.goal_coverage import GoalCoverage
from fullproof.kinds.sts.instances import Instance, Item, ReactiveCrew, at_work
from fullproof.kinds.sts.purposes import find_purposes
from fullproof.kinds.sts.replanner import Replanner
from fullproof.kinds.sts.walks import budget_of, walks

if TYPE_CHECKING:
    from fullproof.cluster.pool import ClusterPool
    from fullproof.concretise.value_choice import ValueChooser
    from fullproof.execute.reactive import ReactiveSut

_PATIENCE = 5
"""After this many failing tests in a row, a system is regarded as broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PurposePlan:
    """The tests of a run and their goals."""

    purposes: Sequence[Purpose]
    wanted: frozenset[str]
    header: SuiteHeader
    notes: tuple[str, ...]
    found: PurposeSet | None = None
    sha256: str = ""
    """Of the suite file, where there is one."""
    walk: Walk | None = None
    """The walks after the purposes."""
    replays: tuple[Test, ...] = ()
    """Tests that repeat the moves of conversations, instead of purposes."""

    @property
    def criterion(self) -> Criterion:
        """What the goals are; those of a suite from a file are its switches."""
        return Criterion.SWITCH if self.found is None else self.found.criterion


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """The instances on a cluster, instead of systems that are open here."""

    pool: ClusterPool
    open: Callable[[], ReactiveSut]


class Session:
    """One run against one or several instances of a system, which are open."""

    def __init__(
        self,
        coverage: GoalCoverage,
        request: RunRequest,
        systems: Sequence[ReactiveSut],
        chooser: ValueChooser | None = None,
        *,
        workers: Workers | None = None,
    ) -> None:
        self._coverage = coverage
        self._semantics = semantics = coverage.semantics
        self._request = request
        self._times: Counter[str] = Counter()
        self._covers = requirements_along(semantics.model)
        self._workers = workers
        self._places = len(systems) if workers is None else request.jobs
        self._replanner = Replanner(semantics, request.suite.coverage)
        self._instances = [
            Instance(semantics, request, system, place=place, replan=self._replanner.way)
            for place, system in enumerate(systems)
        ]
        if chooser is not None:
            self._instances[0].chooser = chooser

    def executions(self, plan: PurposePlan, past: Iterator[Execution]) -> Generator[Execution]:
        """Execute the plan, then retry goals that were not reached. Needs: ``coverage`` sees each before the next.

        Executions of an earlier part of the run are replayed in the guides and not run again, so that the rest is the
        same as in an uninterrupted run. Instances work in rounds: goals covered in one round are known to all instances
        in the next.
        """
        agenda, coverage = self._agenda(plan), self._coverage
        with self._crew() as crew:
            while items := list(islice(agenda, self._places)):
                self._replanner.left = coverage.left
                for conversation in self._held(crew, items, past):
                    yield conversation
                    if coverage.broken >= _PATIENCE:
                        return

    def _crew(self) -> AbstractContextManager[ReactiveCrew | ClusterCrew]:
        if self._workers is None:
            return at_work(self._instances, self._request)
        common = Common(self._semantics.model, self._request, self._workers.open)
        return on_cluster(self._workers.pool, common, lambda: self._replanner.left)

    def _held(
        self, crew: ReactiveCrew | ClusterCrew, items: Sequence[Item], past: Iterator[Execution]
    ) -> Iterator[Execution]:
        """One conversation for each item: those of the past, then new ones."""
        known = list(zip(items, past))  # noqa: B905  # in this order: none of the past is taken and lost
        for item, conversation in known:
            if conversation.test.id != item.test.id:
                was = f"test {item.number} of it was {conversation.test.id}, now it is {item.test.id}"
                raise UserError(f"cannot be resumed: {was}")
            crew.rehearse(item, conversation, self._places)
            yield conversation
        yield from crew.converse(items[len(known) :], self._places)

    def _agenda(self, plan: PurposePlan) -> Iterator[Item]:
        """Purposes, then short ones for what they have not reached, then walks, until the budget is used up."""
        numbers, budget = count(1), budget_of(plan.walk, self._request)
        for letters in self._letters(plan):
            if budget is not None and self._coverage.steps >= budget:
                return
            yield self._item(next(numbers), letters)
        if plan.walk is not None:
            yield from walks(plan.walk, self._request, self._coverage, numbers)

    def _letters(self, plan: PurposePlan) -> Iterator[tuple[SwitchLetter, ...]]:
        """The purposes as often as --repeat says, or repeatedly until the budget is used up."""
        coverage, endless = self._coverage, plan.walk is None and self._request.steps is not None
        for _ in count() if endless and plan.purposes else range(self._request.repeat):
            before = coverage.steps
            for purpose in plan.purposes:
                yield purpose.letters
            if endless and coverage.steps == before:
                break
        for _ in range(self._request.retries):
            if not coverage.left:
                return
            for purpose in self._short_purposes(plan):
                if not coverage.left.isdisjoint(purpose.goals):
                    yield purpose.letters

    def _item(self, number: int, letters: tuple[SwitchLetter, ...]) -> Item:
        words = [letter_name(letter, self._coverage.names) for letter in letters]
        test = make_test(words, self._covers(words))
        self._times[test.id] += 1
        return Item(number, test, letters, repetition=self._times[test.id])

    def _short_purposes(self, plan: PurposePlan) -> Sequence[Purpose]:
        """The shortest path to each goal: where a long purpose was left, a short one is more likely to succeed."""
        if plan.found is None or plan.found.method == "switch":
            names = self._coverage.names
            return [replace(p, goals=p.goals or tuple(names[k.switch] for k in p.letters)) for p in plan.purposes]
        request = replace(self._request.suite, method="switch")
        return find_purposes(self._semantics.model, request, at=Place()).purposes
