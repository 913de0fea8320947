"""A model, its suite and a system side by side, for test frameworks that run tests one by one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from fullproof.artefacts.request import Relation, RunRequest
from fullproof.artefacts.run import StepRow
from fullproof.artefacts.suite import Test
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.core.errors import Place
from fullproof.pipeline.claimed import with_domain
from fullproof.pipeline.suite_conduct import run_options
from fullproof.pipeline.suites import generate_suite

if TYPE_CHECKING:
    from fullproof.execute.sut import Sut
    from fullproof.model import Model

System: TypeAlias = str | Callable[[], Any]
"""What ``--sut`` takes, or a class or factory."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The outcome of one test: its verdict, and the steps of an execution that was wrong."""

    verdict: Verdict
    judgement: Judgement | None
    story: tuple[StepRow, ...]


class Bench:
    """Runs single tests of a suite. The system is opened when the first test needs it, and closed by ``close``."""

    def __init__(self, path: Path, system: System, request: RunRequest) -> None:
        from fullproof.formats import model_sha256
        from fullproof.kinds import kind_of, oracle_for
        from fullproof.kinds.suite_file import SuiteFile
        from fullproof.pipeline.observed_models import read_observed, suite_observes

        file = request.suite_file
        claimed = None if file is None else suite_observes(file)
        self.model: Model = read_observed(path, request.suite.observe or claimed)
        sha256 = model_sha256(path)
        self._request = request
        self._made = system
        self._system: Sut | None = None
        if file is None:
            made = generate_suite(self.model, request.suite, sha256=sha256, at=Place(file=str(path)))
            self._header, self._tests = made.header, tuple(made.tests())
        else:
            given = SuiteFile(file, self.model, kind_of(self.model), sha256=sha256)
            self._tests = tuple(given.tests())
            self._header = given.honest_header(given.judged_for(request.suite), request.suite.properties)
        relation = Relation(self._header.relation)
        stated = kind_of(self.model).monitored(self.model, relation, request.suite.properties, Place(file=str(path)))
        self._oracle = oracle_for(with_domain(self.model, self._header), relation, properties=stated)
        self._options = run_options(self.model, self._oracle, request)

    @property
    def guarantee(self) -> str:
        """What passing all tests proves."""
        return self._header.guarantee.sentence

    def tests(self) -> tuple[Test, ...]:
        """All tests of the suite."""
        return self._tests

    def run(self, test: Test) -> Tried:
        """Run one test, as often as its repetitions, and judge it by itself."""
        from fullproof.execute.runner import execute
        from fullproof.judge import Summary

        if self._system is None:
            self._system = open_system(self._made, self.model, self._request)
        summary = Summary(self._oracle, repeat=self._request.repeat)
        story: tuple[StepRow, ...] = ()
        more = summary.wants_more if self._request.until_seen else None
        for trace in execute(self._system, [test], options=dataclasses.replace(self._options, more=more)):
            judgement = self._oracle.judge(trace)
            summary.add(trace, judgement)
            if judgement.verdict is not Verdict.PASS and not story:
                story = self._oracle.story(trace)
        result = summary.result(seconds=0.0)
        return Tried(result.verdict, next(iter(result.failures), None), story)

    def close(self) -> None:
        """Close the system."""
        if self._system is not None:
            self._system.close()
            self._system = None


def open_system(system: System, model: Model, request: RunRequest) -> Sut:
    """Open what ``--sut`` names, or make an object of a class."""
    if isinstance(system, str):
        from fullproof.kinds.systems import open_sut

        opened: Sut = open_sut(system, model, seed=request.suite.seed, step_timeout=request.step_timeout)
        return opened
    from fullproof.execute.adapters.python_sut import open_object

    name = getattr(system, "__qualname__", type(system).__name__)
    return open_object(system, model, name=name, step_timeout=request.step_timeout)
