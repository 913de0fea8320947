"""Scoring mutants of state machines with timers: tests are executed on each, and both are compared over all delays."""

from __future__ import annotations

from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.suite import Test
from fullproof.core.errors import Place
from fullproof.kinds.score import Conforming, ScoringBasis
from fullproof.kinds.statemachine.comparison import require_same_interface
from fullproof.kinds.statemachine.score import JudgedRuns
from fullproof.kinds.statemachine.timed_comparison import TimedConformance
from fullproof.kinds.statemachine.timed_suite import timed_faults
from fullproof.model import StateMachine


class TimedScorer:
    """Judges mutants as systems. Conforming means: alike on all runs that keep the margin of the suite."""

    def __init__(self, model: StateMachine, basis: ScoringBasis) -> None:
        from fullproof.formats.document.named_faults import named_faults_of_text

        given = basis.header.faults
        faults = None if given is None else named_faults_of_text(given, "the fault domain of the suite")
        found = timed_faults(model, SuiteRequest(), given=faults)
        self.model = model
        self.conformance = TimedConformance(model, margin=found.margin)
        self.judged = JudgedRuns(model)

    def __call__(self, mutant: StateMachine, at: Place) -> TimedScoredMutant:
        """Prepare one machine for scoring."""
        require_same_interface(self.model, mutant, at=at)
        return TimedScoredMutant(self, mutant)


class TimedScoredMutant:
    """A state machine with the interface of the model."""

    def __init__(self, scorer: TimedScorer, mutant: StateMachine) -> None:
        from fullproof.analysis.run_to_completion import RunToCompletion

        self._scorer, self._mutant = scorer, mutant
        self._machine = RunToCompletion(mutant)

    def fails(self, test: Test, /) -> bool:
        """Whether some run fails a test."""
        return self._scorer.judged.fails(self._machine, test)

    def conforms(self, killer: Test | None, /) -> Conforming:
        """Decided exactly over all real delays; a mutant that a test has killed does not conform."""
        if killer is not None:
            return Conforming(conforms=False)
        found = self._scorer.conformance.compare(self._mutant)
        return Conforming(found.conforms, found.undecided)

    def is_inside(self) -> bool:
        """Not decided: the domain is over the finite machine of the model, and a mutant is a model."""
        return False
