"""Scoring mutants of state machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullproof.artefacts.suite import Test
from fullproof.core.errors import Place
from fullproof.kinds.comparison import Asked
from fullproof.kinds.score import Conforming, ScoringBasis
from fullproof.kinds.statemachine.comparison import StateMachineConformance, require_same_interface
from fullproof.model import StateMachine
from fullproof.model.inputs import SENDS, Advance, SignalEvent, TestInput

if TYPE_CHECKING:
    from fullproof.analysis.run_to_completion import CompletedRun, Configuration, RunToCompletion


class StateMachineScorer:
    """Executes every test on every mutant, over all its runs, and judges it as a system.

    Whether a mutant lies in the fault domain of a suite is not decided: the hypotheses FH3 and FH4 of paper 003 are
    about how its faults show. A survivor is therefore never a violation of the guarantee.
    """

    def __init__(self, model: StateMachine, basis: ScoringBasis) -> None:
        asked = Asked(relation=basis.relation, timeout=basis.timeout)
        self.conformance = StateMachineConformance(model, asked)
        self.judged = JudgedRuns(model)

    def __call__(self, mutant: StateMachine, at: Place) -> StateMachineScoredMutant:
        """Prepare one machine for scoring."""
        require_same_interface(self.conformance.model, mutant, at=at)
        return StateMachineScoredMutant(self, mutant, at)


class StateMachineScoredMutant:
    """A state machine with the interface of the model."""

    def __init__(self, scorer: StateMachineScorer, mutant: StateMachine, at: Place) -> None:
        from fullproof.analysis.run_to_completion import RunToCompletion

        self._scorer, self._mutant, self._at = scorer, mutant, at
        self._machine = RunToCompletion(mutant)

    def fails(self, test: Test, /) -> bool:
        """Whether some run fails a test."""
        return self._scorer.judged.fails(self._machine, test)

    def conforms(self, killer: Test | None, /) -> Conforming:
        """Whether it is equivalent; a test that killed it may show more than tolerances, and then it is not."""
        conformance = self._scorer.conformance
        if killer is not None:
            conformance.remember(killer)
            if conformance.is_distinguished(self._mutant):
                return Conforming(conforms=False)
        comparison = conformance.compare(self._mutant, at=self._at)
        return Conforming(comparison.conforms, comparison.undecided)

    def is_inside(self) -> bool:
        """Not decided."""
        return False


class JudgedRuns:
    """Machines that execute tests of a model, judged like systems, with tolerances."""

    def __init__(self, model: StateMachine) -> None:
        from fullproof.judge.statemachine import StateMachineSemantics

        self._model = model
        self._semantics = StateMachineSemantics(model)

    def fails(self, machine: RunToCompletion, test: Test) -> bool:
        """Whether some run of a machine gives an answer that the model does not allow, or goes wrong."""
        from fullproof.analysis.run_to_completion import RunGoesWrong

        layer = {(machine.start, 0)}
        for symbol in test.inputs:
            following = set()
            for before, node in sorted(layer, key=repr):
                try:
                    runs = _runs(machine, before, symbol)
                except RunGoesWrong:
                    return True
                for run in runs:
                    after = self._semantics.move(node, symbol, self._answer(machine, run)).node
                    if after < 0:
                        return True
                    following.add((run.end, after))
            layer = following
        return False

    def _answer(self, machine: RunToCompletion, run: CompletedRun) -> dict[str, object]:
        values = machine.values(run.end)
        return {v.name: values[v.name] for v in self._model.outputs} | {SENDS: list(run.sent)}


def _runs(machine: RunToCompletion, before: Configuration, symbol: TestInput) -> list[CompletedRun]:
    """What may happen by an event or in a delay."""
    from fullproof.analysis.delays import delays

    if isinstance(symbol, Advance):
        return delays(machine, before, symbol.seconds)
    assert isinstance(symbol, SignalEvent)
    return machine.runs(before, symbol.signal, symbol.values)
