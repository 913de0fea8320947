"""Which of the single mutants of a state machine a suite kills; each survivor with what would tell it."""

from dataclasses import dataclass, field

from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.core.errors import NOWHERE
from fullproof.kinds.comparison import Asked
from fullproof.kinds.statemachine.comparison import StateMachineConformance
from fullproof.kinds.statemachine.score import JudgedRuns
from fullproof.mutate import mutants_of
from fullproof.mutate.statemachine import statemachine_faults
from fullproof.pipeline.suites import generate_suite


@dataclass
class Kills:
    """Counts, the cost of the suite in inputs plus resets, and the survivors with their reasons."""

    cost: int = 0
    killed: int = 0
    conforming: int = 0
    undecided: list = field(default_factory=list)
    survivors: dict = field(default_factory=dict)

    @property
    def rate(self):
        differing = self.killed + len(self.survivors)
        return self.killed / differing if differing else 1.0

    def report(self):
        lines = [f"{self.killed} of {self.killed + len(self.survivors)} killed, cost {self.cost}"]
        return "\n".join([*lines, *(f"survivor: {where}: {reason}" for where, reason in self.survivors.items())])


def kills(model, *, sample=None, seed=0, seconds=8.0, **options):
    """Generate a suite and play it on the mutants; only what survives is compared with the model."""
    suite = generate_suite(model, SuiteRequest(**options), sha256="", at=NOWHERE)
    tests = list(suite.tests())
    found = Kills(cost=len(tests) + sum(len(test.inputs) for test in tests))
    asked = Asked(relation=Relation.EQUIVALENCE, timeout=seconds)
    judged, conformance = JudgedRuns(model), StateMachineConformance(model, asked)
    for mutant in mutants_of(model, statemachine_faults(model), sample=sample, seed=seed).mutants:
        machine = RunToCompletion(mutant.model)
        if any(judged.fails(machine, test) for test in tests):
            found.killed += 1
            continue
        compared = conformance.compare(mutant.model)
        if compared.difference is not None:
            word = "; ".join(map(str, compared.difference.inputs))
            found.survivors[mutant.where] = f"differs first after {len(compared.difference.inputs)} events: {word}"
        elif compared.conforms is None:
            found.undecided.append(mutant.where)
        else:
            found.conforming += 1
    return found
