"""The partition of paper 003, Definition 1, computed: symbolic runs, cut at the classes where they end, to a fixpoint.

A run's condition is taken apart into cases; the literals of a case that refer to inputs become conditions of triggers,
the others split the classes of the control state where the run begins. Splits are carried to all runs that end there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from fullproof.abstract.budget import SolverBudget
from fullproof.abstract.partition.cases import Literals, cases, shortest, tidied
from fullproof.analysis.symbolic_runs import RunsTooLong, SymbolicRun, SymbolicRuns
from fullproof.artefacts.partition import ENDLESS, ClassPartition, StateClass, TriggerCondition
from fullproof.language.formulas import conjunction, negation, opposite
from fullproof.language.scope import Scope
from fullproof.language.substitute import substitute
from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import IntType, RealType, Variable
from fullproof.model import StateMachine
from fullproof.smt import Answer, Solver, Unknown, Unsat, open_solver, pushed

ROUNDS = 12
STATE_CLASSES = 400
TRIGGER_CLASSES = 4_000
KEPT_ROUNDS = 2
FEW_CLASSES = 40
"""The rounds that are kept where classes split without end, as long as there are few classes: all states split
alike."""
ENDLESS_CALLS = 1_500
"""Questions to the solver after those rounds, where only variables without bounds still split classes."""
OLD = "@old"
"""The suffix for the names of inputs before they change."""


@dataclass(frozen=True, slots=True)
class _Item:
    """One case of a run: what must hold of states, what of inputs, and the class where it ends."""

    state_part: Literals
    input_part: Literals


class _Enough(Exception):
    """A bound was reached."""


def scope_with_old_inputs(model: StateMachine) -> Scope:
    """All attributes, and the input attributes as they were before they changed."""
    old = tuple(Variable(name=v.name + OLD, type=v.type) for v in model.inputs)
    variables = (*model.inputs, *model.outputs, *model.variables, *old)
    return Scope(variables, {c.name: c.value for c in model.description.constants})


def before_the_change(condition: Expression, model: StateMachine) -> Expression:
    """The same condition on the inputs before they change."""
    return substitute(condition, {v.name: Name(v.name + OLD) for v in model.inputs})


def partition_of(model: StateMachine, *, timeout: float | None = 60.0) -> ClassPartition:
    """Compute a partition. Needs: the model is deterministic and free of livelocks; ``justified`` finds out.

    Where a bound or ``timeout`` is reached, ``doubts`` says so, and the partition is a coarser one: it need not satisfy
    Definition 1, but separates all that the guards of runs separate, those behind choice points included.
    """
    return _Computing(model, SolverBudget(timeout)).partition()


class _Computing:
    def __init__(self, model: StateMachine, budget: SolverBudget) -> None:
        self._model = model
        self._budget = budget
        self._runs = SymbolicRuns(model)
        self._scope = scope_with_old_inputs(model)
        self._solver: Solver = open_solver(self._scope, timeout=budget.each)
        self._plain: Solver = open_solver(self._scope, timeout=budget.each)
        self._inputs = {v.name for v in model.inputs}
        self._doubts: dict[str, None] = {}
        self._raw: dict[tuple[str, str | None], list[SymbolicRun]] = {}
        self._classes: dict[str, list[StateClass]] = {}
        self._known = {v.name for v in (*model.outputs, *model.variables)}
        self._unbounded = {v.name for v in (*model.outputs, *model.variables) if _is_unbounded(v)}
        self._split_by: set[str] = set()
        self._last_call: int | None = None
        """How many questions may be asked, once classes have been kept."""

    def partition(self) -> ClassPartition:
        rounds, pieces = 0, dict[str, list[Literals]]()
        kept = self._classes
        try:
            self._start()
            # First all guards, those behind choice points included: they are part of the classes even if a bound is
            # reached later.
            self._split(arriving=False)
            kept = dict(self._classes)
            pieces = {state: self._cells(state, arriving=False) for state in self._classes}
            while self._split(arriving=True):
                rounds += 1
                if rounds == KEPT_ROUNDS:
                    self._split_by, self._last_call = set(), self._budget.calls + ENDLESS_CALLS
                if rounds <= KEPT_ROUNDS and sum(map(len, self._classes.values())) <= FEW_CLASSES:
                    kept = dict(self._classes)
                if rounds >= ROUNDS:
                    raise _Enough(f"the classes still split after {ROUNDS} rounds")
            kept = self._classes
            pieces = {state: self._cells(state, arriving=True) for state in self._classes}
        except (_Enough, RunsTooLong) as enough:
            self._doubts[str(enough)] = None
        triggers, nominal = self._triggers(list(pieces.values()))
        return ClassPartition(
            states=tuple(c for state in kept for c in kept[state]),
            triggers=triggers,
            signals=(None, *self._model.signals_in),
            nominal=nominal * (1 + len(self._model.signals_in)),
            rounds=rounds,
            doubts=tuple(self._doubts),
        )

    def _start(self) -> None:
        for state in self._model.states:
            quiescent = self._runs.quiescent(state)
            if self._possible(quiescent):
                self._classes[state] = [StateClass(state, quiescent)]
        for state in self._classes:
            for signal in (None, *self._runs.heard(state)):
                with pushed(self._solver):
                    self._solver.add(self._before(self._runs.quiescent(state)))
                    self._raw[state, signal] = list(self._runs.runs(state, signal, self._solver))

    def _split(self, *, arriving: bool) -> bool:
        """Split classes once by the cases of all runs; whether any was split."""
        changed = False
        for state in list(self._classes):
            for item in self._items(state, arriving=arriving):
                found = [piece for c in self._classes[state] for piece in self._pieces(c, item.state_part)]
                if len(found) > len(self._classes[state]):
                    changed = True
                    self._split_by |= {name for one in item.state_part for name in free_names(one)}
                    self._end_where_endless()
                self._classes[state] = found
            if sum(map(len, self._classes.values())) > STATE_CLASSES:
                raise _Enough(f"there are more than {STATE_CLASSES} state classes")
        return changed

    def _end_where_endless(self) -> None:
        """Values that grow without end would split classes in every round: other variables had their turn by then."""
        over = self._last_call is not None and self._budget.calls > self._last_call
        if over and self._split_by & self._known <= self._unbounded:
            names = ", ".join(sorted(self._split_by & self._unbounded))
            raise _Enough(f"{ENDLESS} of {names}")

    def _items(self, state: str, *, arriving: bool) -> list[_Item]:
        found: dict[_Item, None] = {}
        for signal in (None, *self._runs.heard(state)):
            found.update(dict.fromkeys(self._items_of(state, signal, arriving=arriving)))
        return list(found)

    def _items_of(self, state: str, signal: str | None, *, arriving: bool) -> list[_Item]:
        """The cases of the runs that an event starts; ``arriving``: cut at the classes where they end."""
        found: dict[_Item, None] = {}
        for run in self._raw.get((state, signal), ()):
            # Where nothing fires, all attributes other than inputs keep their values: the class remains.
            cut = arriving and run.transitions
            for target in self._classes.get(run.target, []) if cut else [StateClass(state, TRUE)]:
                there = [substitute(literal, run.replaced) for literal in target.literals]
                with pushed(self._solver):
                    self._solver.add(self._before(self._runs.quiescent(state)))
                    for case in cases([*run.conditions, *there], self._solver):
                        found[self._item(case)] = None
        return list(found)

    def _item(self, case: Literals) -> _Item:
        tidy = tidied(case, self._scope)
        inputs = [one for one in tidy if free_names(one) & self._inputs]
        others = [one for one in tidy if one not in inputs]
        return _Item(shortest(others, self._plain, self._scope), shortest(inputs, self._plain, self._scope))

    def _pieces(self, c: StateClass, part: Literals) -> list[StateClass]:
        """The class inside and outside a part, literal by literal."""
        pieces: list[StateClass] = []
        for literal in part:
            outside = StateClass(c.state, c.quiescent, (*c.literals, opposite(literal)))
            inside = StateClass(c.state, c.quiescent, (*c.literals, literal))
            if not self._possible(outside.condition):
                continue
            if not self._possible(inside.condition):
                return [*pieces, c]
            pieces.append(self._short(outside))
            c = self._short(inside)
        return [*pieces, c]

    def _short(self, c: StateClass) -> StateClass:
        return StateClass(c.state, c.quiescent, shortest(c.literals, self._plain, self._scope))

    def _cells(self, state: str, *, arriving: bool) -> list[Literals]:
        """The conditions on inputs that distinguish the runs from a control state, whatever its class and the
        signal.
        """
        cells: list[Literals] = [()]
        for signal in (None, *self._runs.heard(state)):
            items = self._items_of(state, signal, arriving=arriving)
            for c in self._classes[state]:
                here = self._before(c.condition)
                family = [i.input_part for i in items if self._possible(here, *i.state_part, *i.input_part)]
                cells = [cell for old in cells for cell in self._refined(old, list(dict.fromkeys(family)))]
        return cells

    def _refined(self, cell: Literals, family: Sequence[Literals]) -> list[Literals]:
        """A cell cut by the conditions of a family, made disjoint, and what is left of it."""
        mine = [part for part in family if self._possible(*cell, *part)]
        if len(mine) == 1 and not self._possible(*cell, negation(conjunction(mine[0]))):
            return [cell]
        found: list[Literals] = []
        for k, part in enumerate(mine):
            met = [negation(conjunction(one)) for one in mine[:k] if self._possible(*cell, *part, *one)]
            if not met or self._possible(*cell, *part, *met):
                found.append(shortest((*cell, *part, *met), self._plain, self._scope))
        left = tuple(negation(conjunction(part)) for part in mine)
        return [*found, (*cell, *left)] if self._possible(*cell, *left) else found

    def _triggers(self, pieces: Sequence[Sequence[Literals]]) -> tuple[tuple[TriggerCondition, ...], int]:
        """The satisfiable combinations of a piece for each control state, and how many combinations there are."""
        found: list[TriggerCondition] = []
        self._combine(pieces, (), (), found)
        return tuple(found), prod(map(len, pieces))

    def _combine(
        self,
        pieces: Sequence[Sequence[Literals]],
        chosen: tuple[int, ...],
        literals: Literals,
        found: list[TriggerCondition],
    ) -> None:
        if len(chosen) == len(pieces):
            found.append(TriggerCondition(shortest(literals, self._plain, self._scope), chosen))
            return
        if len(found) > TRIGGER_CLASSES:
            self._doubts[f"there are more than {TRIGGER_CLASSES} trigger classes"] = None
            return
        for number, piece in enumerate(pieces[len(chosen)]):
            with pushed(self._solver):
                self._solver.add(*piece)
                if not self._refuted(self._solver.check()):
                    joined = tuple(dict.fromkeys((*literals, *piece)))
                    self._combine(pieces, (*chosen, number), joined, found)

    def _before(self, condition: Expression) -> Expression:
        return before_the_change(condition, self._model)

    def _possible(self, *conditions: Expression) -> bool:
        """Whether conditions can hold together, or the solver could not decide."""
        if self._budget.is_over:
            raise _Enough(f"the {self._budget.seconds:g} s for the partition are over")
        self._budget.calls += 1
        with pushed(self._plain):
            self._plain.add(*conditions)
            return not self._refuted(self._plain.check())

    def _refuted(self, answer: Answer) -> bool:
        if isinstance(answer, Unknown):
            self._doubts[f"the solver left open whether a class is empty: {answer.reason}"] = None
        return isinstance(answer, Unsat)


def _is_unbounded(variable: Variable) -> bool:
    """Whether a variable is a number that may grow without end."""
    return isinstance(variable.type, IntType | RealType) and None in (variable.type.low, variable.type.high)
