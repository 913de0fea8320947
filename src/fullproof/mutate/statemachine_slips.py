"""Typical mistakes in guards and actions of a state machine, and whether the faulty machine is still well defined."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping

from fullproof.analysis.symbolic_runs import RunsTooLong, SymbolicRuns
from fullproof.language.formulas import compared, negation
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import TRUE, Binary, Expression, Name
from fullproof.language.types import Variable
from fullproof.language.values import coerce
from fullproof.model.statemachine import SmTransition, StateMachine
from fullproof.model.sts import Assignment
from fullproof.mutate.assignments import wrong_assignments
from fullproof.mutate.expressions import chosen, epsilon_of, exchangeable
from fullproof.mutate.rewrites import Rewriter
from fullproof.smt import Solver, Unsat, open_solver

GUARDS = 8
ADDED = 2
"""How many faults of one guard are made, the most typical ones, and how many assignments are added for one variable to
one transition."""
_EACH = 1.0
"""Seconds for a question; a tenth of it for whether a run goes on, where no answer counts as yes."""


class Slips:
    """The mistakes for one model, cached by expression."""

    def __init__(self, model: StateMachine) -> None:
        variables = (*model.inputs, *model.outputs, *model.variables)
        self._scope = Scope(variables, {c.name: c.value for c in model.description.constants})
        self._memory = (*model.outputs, *model.variables)
        self._transitions = model.transitions
        known = [t.guard for t in model.transitions]
        said = [*known, *(a.expression for t in model.transitions for a in t.actions)]
        self._rewriter = Rewriter(
            scope=self._scope,
            constants=exchangeable(model, said, self._scope),
            epsilon=epsilon_of(known, self._scope),
        )
        self._solver: Solver = open_solver(self._scope, timeout=_EACH)
        self._quick: Solver = open_solver(self._scope, timeout=_EACH / 10)
        self._known_guards: dict[Expression, list[Expression]] = {}
        self._known_actions: dict[Assignment, list[Assignment]] = {}
        self._known_rest: dict[object, bool] = {}

    def guards(self, guard: Expression) -> list[Expression]:
        """Satisfiable guards with another meaning; the missing guard is the last."""
        if guard not in self._known_guards:
            found = [(slip, e, guard) for slip, e in self._rewriter.variants(guard)]
            derived = [fault.expression for fault in chosen(found, [guard, TRUE], self._scope, GUARDS)]
            forgotten = [] if self._says_nothing(guard) else [TRUE]
            self._known_guards[guard] = [*derived, *forgotten]
        return self._known_guards[guard]

    def actions(self, action: Assignment) -> list[Assignment]:
        """Assignments to the same variable of values in its range that may differ."""
        if action not in self._known_actions:
            self._known_actions[action] = list(wrong_assignments(action, self._rewriter, self._solver))
        return self._known_actions[action]

    def added(self, t: SmTransition) -> Iterator[Assignment]:
        """Assignments to variables that the transition does not change: of the initial value, or as another transition
        does.

        Those that change nothing where the guard holds are left out.
        """
        assigned = {action.variable for action in t.actions}
        for variable in self._memory:
            if variable.name in assigned:
                continue
            made = 0
            for new in self._others(variable):
                differs = self._solver.check_assuming(t.guard, compared(Name(variable.name), "!=", new.expression))
                if made < ADDED and not isinstance(differs, Unsat):
                    made += 1
                    yield new

    def _others(self, variable: Variable) -> Iterator[Assignment]:
        """The expressions that the model assigns to a variable, its initial value first; each once."""
        found = [] if variable.initial is None else [literal(coerce(variable.initial, variable.type))]
        found += [a.expression for t in self._transitions for a in t.actions if a.variable == variable.name]
        for expression in dict.fromkeys(found):
            yield Assignment(variable=variable.name, expression=expression)

    def give_way(self, row: list[SmTransition], k: int) -> None:
        """Restrict the transitions that a wrong guard overlaps to the values where it does not hold."""
        mine = row[k]
        for place, other in enumerate(row):
            if place != k and self._may_meet(mine, other):
                guard = (
                    Binary("and", other.guard, negation(mine.guard)) if other.guard != TRUE else negation(mine.guard)
                )
                row[place] = dataclasses.replace(other, guard=guard)

    def overlaps(self, row: list[SmTransition], k: int) -> bool:
        """Whether a transition may be enabled together with another one."""
        return any(place != k and self._may_meet(row[k], other) for place, other in enumerate(row))

    def rests(self, model: StateMachine) -> bool:
        """Whether every run to completion ends, for all values: no cycle can repeat for ever."""
        turning = _on_cycles(model)
        key = frozenset((t.source, t.guard, t.actions, t.target) for t in turning)
        if key not in self._known_rest:
            self._known_rest[key] = self._ends(model, dict.fromkeys(t.source for t in turning))
        return self._known_rest[key]

    def _ends(self, model: StateMachine, states: Iterable[str]) -> bool:
        """Whether all runs without trigger from some states end."""
        runs = SymbolicRuns(model)
        try:
            for state in states:
                for _ in runs.runs(state, None, self._quick):
                    pass
        except RunsTooLong:
            return False
        return True

    def _may_meet(self, one: SmTransition, other: SmTransition) -> bool:
        if one.source != other.source or not (one.trigger == other.trigger or None in (one.trigger, other.trigger)):
            return False
        return not isinstance(self._solver.check_assuming(one.guard, other.guard), Unsat)

    def _says_nothing(self, guard: Expression) -> bool:
        return guard == TRUE or isinstance(self._solver.check_assuming(negation(guard)), Unsat)


def _on_cycles(model: StateMachine) -> list[SmTransition]:
    """The transitions without trigger that lie on cycles of such transitions: every infinite run eventually stays among
    them.
    """
    following: dict[str, set[str]] = {state: set() for state in model.states}
    free = [t for t in model.transitions if t.trigger is None]
    for t in free:
        following[t.source].add(t.target)
    return [t for t in free if t.source in _reached(t.target, following)]


def _reached(start: str, following: Mapping[str, set[str]]) -> set[str]:
    """The states that can be reached, ``start`` among them."""
    reached, waiting = {start}, [start]
    while waiting:
        fresh = following[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    return reached
