"""How the executions of a run come about: what the flow of runs asks of a kind, whatever its systems are like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from fullproof.artefacts.request import Relation, RunRequest
from fullproof.artefacts.suite import SuiteHeader, Test
from fullproof.core.errors import Place

if TYPE_CHECKING:
    from fullproof.artefacts.execution import Execution
    from fullproof.artefacts.journal import JournalHeader
    from fullproof.artefacts.run import RunResult
    from fullproof.artefacts.verdict import Judgement, Verdict
    from fullproof.cluster.pool import ClusterPool
    from fullproof.execute.runner import Pilot
    from fullproof.execute.sweep import Expected
    from fullproof.explain.trials import SystemAtHand
    from fullproof.judge.oracle import Oracle
    from fullproof.judge.sts import StsOracle
    from fullproof.kinds.suite_file import SuiteFile
    from fullproof.model.common import Property

Told: TypeAlias = tuple[SuiteHeader, tuple[str, ...]]
"""What a suite guarantees, and what should be said beside it."""


class RunCoverage(Protocol):
    """What a run has covered so far of what it is to cover, whether it goes on now or is judged again."""

    def saw(self, execution: Execution, judgement: Judgement, /) -> None:
        """Take in an execution that was judged."""

    def settled(self, result: RunResult, /) -> RunResult:
        """The result where a pass needs more than tests that pass."""

    def notes(self, verdict: Verdict, /) -> tuple[str, ...]:
        """Notes on the verdict."""


class NoGoals:
    """A run that has covered everything once its tests have been run."""

    def saw(self, execution: Execution, judgement: Judgement, /) -> None:
        """Nothing more is to be known."""

    def settled(self, result: RunResult, /) -> RunResult:
        """As its tests say."""
        return result

    def notes(self, _verdict: Verdict, /) -> tuple[str, ...]:
        """Nothing."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSoFar:
    """What is known of a run while it goes on."""

    oracle: Oracle | StsOracle
    coverage: Any
    """The ``RunCoverage`` that the kind has made."""
    after: int
    """The number of the last execution that an earlier part of the run has left."""
    past: Callable[[], Iterator[Execution]]
    past_of: Callable[[Iterable[Test]], Iterator[Execution]]
    """The executions of that part; those of the tests that a suite begins with, or a UserError."""
    more: Callable[[Test], bool]
    """Whether a test that has been judged should be repeated."""
    traced: bool
    """Whether every execution is wanted, though a count of those that went as expected would do for the verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrder:
    """What to run, and what with."""

    request: RunRequest
    given: SuiteFile | None
    """The suite, where it is not to be generated."""
    model_sha256: str
    at: Place
    """The file of the model."""
    open: Callable[[], Any]
    """Opens the system; it can be pickled."""
    by_tests: Callable[[Any, RunOrder], Conduct]
    """The conduct of tests that say their inputs, where the kind has no other."""
    pool: ClusterPool | None = None


class Conduct(Protocol):
    """Runs tests, and says what they are for."""

    @property
    def header(self) -> SuiteHeader:
        """As the suite came: whether it may be believed is known once its tests have been read."""

    @property
    def suite_sha256(self) -> str:
        """Of the file of the suite, where there is one."""

    @property
    def relation(self) -> Relation:
        """What executions are judged for."""

    @property
    def properties(self) -> tuple[Property, ...]:
        """What a property run monitors."""

    @property
    def count(self) -> int | None:
        """How many tests there are, where that is known."""

    def journaled(self, header: JournalHeader, /) -> JournalHeader:
        """The head of the journal with what has to be the same where the run is resumed."""

    def executions(self, state: RunSoFar, /) -> AbstractContextManager[Iterator[Execution | Expected]]:
        """The executions in order, those of an earlier part of the run first; each is judged before the next."""

    def at_hand(self, oracle: Any, /) -> SystemAtHand | None:
        """The system, to be asked again after the run; None where that cannot be done from here."""

    def told(self) -> Told:
        """What the run guarantees, and what should be said of its suite, once it has ended."""

    def settled(self, result: RunResult, /) -> RunResult:
        """The result of a run that may have ended before everything was tried."""


class AdaptiveTester(Protocol):
    """Chooses inputs by what the system has answered."""

    @property
    def header(self) -> SuiteHeader:
        """What the run guarantees where it comes to its end."""

    def tests(self) -> Iterator[Test]:
        """One empty test for each execution, as long as there is anything to try."""

    def pilot(self) -> Pilot:
        """The pilot that chooses the inputs of one execution."""

    def told(self) -> Told:
        """The guarantee of the run and its notes, once it has ended."""

    def settled(self, result: RunResult, /) -> RunResult:
        """The result of a run that may have ended before everything was tried."""
