"""A check of Definition 1 of paper 003, condition by condition and pair by pair, independent of how the partition was
made.

Nothing from the computation is used: for each pair a witness is executed on the model, and the solver is asked whether
all other members of the two classes behave as the witness does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from fullproof.abstract.budget import SolverBudget
from fullproof.abstract.partition.fixpoint import OLD, before_the_change, scope_with_old_inputs
from fullproof.analysis.run_to_completion import CompiledClasses, Configuration, RunGoesWrong, RunToCompletion
from fullproof.analysis.symbolic_runs import RunsTooLong, SymbolicRuns
from fullproof.artefacts.partition import Case, ClassPair, ClassPartition, Justification
from fullproof.language.formulas import conjunction, negation
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Expression
from fullproof.language.types import Value
from fullproof.model import StateMachine
from fullproof.smt import Answer, Sat, Solver, Unknown, Unsat, open_solver, pushed


def justified(model: StateMachine, partition: ClassPartition, *, timeout: float | None = 120.0) -> Justification:
    """Check Definition 1: classes disjoint (1, 2), complete (3, 5), and every pair uniform (4).

    A pair is uniform only where the run is the only one that the model allows, which the definition leaves to a
    deterministic model.
    """
    return _Justifying(model, partition, SolverBudget(timeout)).justification()


class _Justifying:
    def __init__(self, model: StateMachine, partition: ClassPartition, budget: SolverBudget) -> None:
        self._model = model
        self._partition = partition
        self._budget = budget
        self._scope = scope_with_old_inputs(model)
        self._solver: Solver = open_solver(self._scope, timeout=budget.each)
        self._symbolic = SymbolicRuns(model)
        self._machine = RunToCompletion(model)
        self._classes = CompiledClasses(partition.states, self._scope)
        self._failures: list[str] = []
        self._unknown: list[str] = []

    def justification(self) -> Justification:
        self._disjoint()
        self._complete()
        pairs = tuple(self._pairs())
        return Justification(
            pairs=pairs,
            failures=tuple(self._failures),
            unknown=tuple(self._unknown),
            calls=self._budget.calls,
        )

    def _ask(self, *conditions: Expression) -> Answer:
        if self._budget.is_over:
            return Unknown(f"the {self._budget.seconds:g} s for this are over")
        self._budget.calls += 1
        return self._solver.check_assuming(*conditions) if conditions else self._solver.check()

    def _require_unsat(self, what: str, *conditions: Expression) -> None:
        match self._ask(*conditions):
            case Sat(model):
                self._failures.append(f"{what}: {_shown(model)}")
            case Unknown(reason):
                self._unknown.append(f"{what}? {reason}")

    def _disjoint(self) -> None:
        for one, other in combinations(self._partition.states, 2):
            if one.state == other.state:
                self._require_unsat(f"condition 1: two classes of {one.state} overlap", one.condition, other.condition)
        for first, second in combinations([t.condition for t in self._partition.triggers], 2):
            what = f"condition 2: trigger conditions overlap ({to_text(first)}; {to_text(second)})"
            self._require_unsat(what, first, second)

    def _complete(self) -> None:
        if not self._partition.states:
            self._failures.append("no state of the model rests, whatever the values are: its runs never end")
        for state in self._model.states:
            here = [c for c in self._partition.states if c.state == state]
            quiescent = self._symbolic.quiescent(state)
            missing = [negation(c.condition) for c in here]
            self._require_unsat(f"condition 3: a quiescent state of {state} is in no class", quiescent, *missing)
            for c in here:
                self._require_unsat(
                    f"condition 3: a class of {state} is not quiescent", c.condition, negation(quiescent)
                )
        outside = [negation(t.condition) for t in self._partition.triggers]
        self._require_unsat("condition 5: values that no trigger condition admits", *outside)

    def _pairs(self) -> Iterator[ClassPair]:
        for i, c in enumerate(self._partition.states):
            heard = self._symbolic.heard(c.state)
            with pushed(self._solver):
                self._solver.add(before_the_change(c.condition, self._model))
                for k, t in enumerate(self._partition.triggers):
                    with pushed(self._solver):
                        self._solver.add(t.condition)
                        answer = self._ask()
                        known: dict[str | None, ClassPair] = {}
                        for signal in self._partition.signals:
                            heard_as = signal if signal in heard else None
                            if heard_as not in known:
                                known[heard_as] = self._pair(i, k, heard_as, answer)
                            yield _for_signal(known[heard_as], signal)

    def _pair(self, i: int, k: int, signal: str | None, answer: Answer) -> ClassPair:
        match answer:
            case Unsat():
                return ClassPair(state=i, trigger=k, signal=signal, case=Case.NEVER)
            case Unknown(reason):
                return ClassPair(state=i, trigger=k, signal=signal, case=Case.UNKNOWN, reason=reason)
            case Sat(witness):
                return self._uniform(i, k, signal, dict(witness))

    def _uniform(self, i: int, k: int, signal: str | None, witness: dict[str, Value]) -> ClassPair:
        c = self._partition.states[i]

        def pair(
            case: Case, reason: str = "", transitions: tuple[int, ...] = (), target: int | None = None
        ) -> ClassPair:
            return ClassPair(
                state=i, trigger=k, signal=signal, case=case, transitions=transitions, target=target,
                witness=witness, reason=reason,
            )  # fmt: skip

        before = Configuration(c.state, tuple(witness[name] for name in self._machine.names))
        try:
            runs = self._machine.runs(before, signal, {})
        except RunGoesWrong as wrong:
            return pair(Case.BROKEN, f"the model goes wrong: {wrong}")
        if len(runs) > 1:
            return pair(Case.BROKEN, "the model allows several runs")
        (run,) = runs
        target = self._class_of(run.end)
        if target is None:
            return pair(Case.BROKEN, f"the run ends in {run.end.state}, in no class")
        try:
            only, symbolic = self._symbolic.condition(c.state, signal, run.transitions)
        except RunsTooLong as long:
            return pair(Case.UNKNOWN, str(long))
        ends = substitute(self._partition.states[target].condition, symbolic.replaced)
        match self._ask(negation(conjunction([only, ends]))):
            case Sat(other):
                return pair(Case.BROKEN, f"{_shown(witness)} and {_shown(other)} lead to different runs or classes")
            case Unknown(reason):
                return pair(Case.UNKNOWN, reason)
            case _:
                return pair(Case.RUNS if run.transitions else Case.STAYS, "", run.transitions, target)

    def _class_of(self, configuration: Configuration) -> int | None:
        return self._classes.of(configuration.state, self._machine.values(configuration))


def _for_signal(pair: ClassPair, signal: str | None) -> ClassPair:
    return replace(pair, signal=signal)


def _shown(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name.replace(OLD, ' before')} = {value_to_text(value)}" for name, value in values.items())
