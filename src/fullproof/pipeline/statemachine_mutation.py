"""State machine -> mutants -> kill matrix."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.suite import Test
from fullproof.core.errors import Place, UserError
from fullproof.kinds.comparison import Asked
from fullproof.kinds.statemachine.comparison import StateMachineConformance, require_same_interface
from fullproof.model import StateMachine
from fullproof.pipeline.mutation import MadeMutant, Score

if TYPE_CHECKING:
    from fullproof.analysis.run_to_completion import Run, RunToCompletion

_SECONDS = 10.0
"""For the comparison of one mutant."""


def made_statemachines(
    model: StateMachine, request: SuiteRequest, *, order: int, sample: int | None
) -> tuple[list[MadeMutant], int]:
    """The mutants of a state machine, and how many faults were left out."""
    from fullproof.mutate.statemachine import statemachine_mutants

    if request.properties or request.mutate_guards or request.mutate_outputs:
        raise UserError("--property, --mutate-guards and --mutate-outputs are for models of kind sfsm")
    _require_equivalence(request.relation or Relation.EQUIVALENCE)
    extra = request.extra_states if request.extra_states is not None else model.description.fault_domain.extra_states
    made = statemachine_mutants(model, extra_states=extra, order=order, sample=sample, seed=request.seed)
    conformance = StateMachineConformance(model, Asked(relation=Relation.EQUIVALENCE, timeout=_SECONDS))
    mutants = [
        MadeMutant(
            model=mutant.model,
            operator=mutant.operator,
            where=mutant.where,
            conforms=partial(conformance.conforms, mutant.model),
        )
        for mutant in made.mutants
    ]
    return mutants, made.left_out


def score_statemachines(
    model: StateMachine, relation: Relation, tests: Sequence[Test], files: Sequence[Path], *, timeout: float
) -> tuple[Score, ...]:
    """Play every test on every mutant, over all its runs, and judge it as a system; ``timeout`` is for one comparison.

    Whether a mutant lies in the fault domain of a suite is not decided: the hypotheses FH3 and FH4 of paper 003 speak
    of how its faults show. A survivor is therefore never held against the suite's promise.
    """
    _require_equivalence(relation)
    conformance = StateMachineConformance(model, Asked(relation=relation, timeout=timeout))
    judged = JudgedRuns(model)
    return tuple(_score(conformance, judged, tests, file) for file in files)


def _require_equivalence(relation: Relation) -> None:
    if relation is not Relation.EQUIVALENCE:
        raise UserError(f"state machines are mutated and scored for equivalence, not for {relation.value}")


def _score(conformance: StateMachineConformance, judged: JudgedRuns, tests: Sequence[Test], file: Path) -> Score:
    from fullproof.analysis.run_to_completion import RunToCompletion
    from fullproof.formats import read_model

    mutant = read_model(file)
    if not isinstance(mutant, StateMachine):
        raise UserError(f"is of kind {mutant.kind}, the model of kind statemachine", at=Place(file=str(file)))
    require_same_interface(conformance.model, mutant, at=Place(file=str(file)))
    machine = RunToCompletion(mutant)
    killer = next((test for test in tests if judged.fails(machine, test)), None)
    if killer is not None:
        conformance.remember(killer)
        if conformance.is_told(mutant):
            return Score(file=str(file), killed_by=killer.id, conforms=False, inside=False)
    comparison = conformance.compare(mutant, at=Place(file=str(file)))
    return Score(
        file=str(file),
        killed_by=None if killer is None else killer.id,
        conforms=comparison.conforms,
        inside=False,
        undecided=comparison.undecided if killer is None else "",
    )


class JudgedRuns:
    """Machines that take tests of a model, judged as systems are: tolerances count."""

    def __init__(self, model: StateMachine) -> None:
        from fullproof.judge.statemachine import StateMachineSemantics

        self._model = model
        self._semantics = StateMachineSemantics(model)

    def fails(self, machine: RunToCompletion, test: Test) -> bool:
        """Whether some run of a machine gives an answer that the model does not allow, or goes wrong."""
        from fullproof.analysis.run_to_completion import TRIGGER, RunGoesWrong

        layer = {(machine.start, 0)}
        for symbol in test.inputs:
            assert not isinstance(symbol, str)
            trigger = symbol.get(TRIGGER)
            inputs = {name: value for name, value in symbol.items() if name != TRIGGER}
            following = set()
            for before, node in sorted(layer, key=repr):
                try:
                    runs = machine.runs(before, None if trigger is None else str(trigger), inputs)
                except RunGoesWrong:
                    return True
                for run in runs:
                    after = self._semantics.move(node, symbol, self._answer(machine, run)).node
                    if after < 0:
                        return True
                    following.add((run.end, after))
            layer = following
        return False

    def _answer(self, machine: RunToCompletion, run: Run) -> dict[str, object]:
        from fullproof.analysis.run_to_completion import SENDS

        values = machine.values(run.end)
        return {v.name: values[v.name] for v in self._model.outputs} | {SENDS: list(run.sent)}
