"""Runs to completion with symbols for values: their guards, over the values before the run (paper 003, section 2).

Along a run each variable is an expression over the values with which the run begins, the term replacement function of
the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from fullproof.language.formulas import conjunction, in_bounds, negation
from fullproof.language.substitute import substitute
from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.language.traversal import nodes
from fullproof.model import StateMachine
from fullproof.model.statemachine import SmTransition
from fullproof.smt import Solver, Unsat, pushed

LONGEST = 40
LARGEST = 250
"""How many nodes the expression of a variable may have after a run."""


@dataclass(frozen=True, slots=True)
class SymbolicRun:
    """Transitions by number, the condition for taking them and then resting, and what the values are afterwards."""

    transitions: tuple[int, ...]
    target: str
    conditions: tuple[Expression, ...]
    replaced: Mapping[str, Expression]
    sends: tuple[str, ...]


class RunsTooLong(Exception):
    """A run of more than ``LONGEST`` transitions may be possible, or one whose expressions have no bound."""


class SymbolicRuns:
    """The runs of a state machine, from any control state."""

    def __init__(self, model: StateMachine) -> None:
        self.model = model
        self.leaving: dict[str, list[tuple[int, SmTransition]]] = {state: [] for state in model.states}
        for number, t in enumerate(model.transitions):
            self.leaving[t.source].append((number, t))
        self._types = {v.name: v.type for v in (*model.outputs, *model.variables)}
        self.names = tuple(v.name for v in (*model.inputs, *model.outputs, *model.variables))

    def quiescent(self, state: str) -> Expression:
        """The condition that the machine rests: no guard of a transition without trigger holds; false in a choice
        point.
        """
        if state in self.model.choices:
            return negation(TRUE)
        return conjunction(negation(t.guard) for _, t in self.leaving[state] if t.trigger is None)

    def heard(self, state: str) -> tuple[str, ...]:
        """The signals that some transition of a state waits for; all others act like no signal."""
        return tuple(dict.fromkeys(t.trigger for _, t in self.leaving[state] if t.trigger is not None))

    def enabled(self, state: str, signal: str | None) -> list[tuple[int, SmTransition]]:
        """The transitions that an event may fire, or, after the first one, those without trigger."""
        return [(number, t) for number, t in self.leaving[state] if t.trigger in (signal, None)]

    def runs(self, state: str, signal: str | None, solver: Solver) -> Iterator[SymbolicRun]:
        """All runs that the solver's assertions do not exclude; the empty one where nothing fires."""
        start = {name: Name(name) for name in self.names}
        yield from self._onwards(SymbolicRun((), state, (), start, ()), signal, solver)

    def _onwards(self, run: SymbolicRun, signal: str | None, solver: Solver) -> Iterator[SymbolicRun]:
        if len(run.transitions) > LONGEST:
            names = " -> ".join(self.model.transitions[number].source for number in run.transitions[-6:])
            raise RunsTooLong(f"a run of more than {LONGEST} transitions may be possible (... {names})")
        options = self.enabled(run.target, signal if not run.transitions else None)
        for number, t in options:
            guard = substitute(t.guard, run.replaced)
            with pushed(solver):
                solver.add(guard)
                if not isinstance(solver.check(), Unsat):
                    yield from self._onwards(_extended(run, number, t, guard), signal, solver)
        if run.target in self.model.choices:
            return
        resting = tuple(negation(substitute(t.guard, run.replaced)) for _, t in options)
        with pushed(solver):
            solver.add(*resting)
            if not isinstance(solver.check(), Unsat):
                yield SymbolicRun(run.transitions, run.target, (*run.conditions, *resting), run.replaced, run.sends)

    def condition(self, state: str, signal: str | None, transitions: Iterable[int]) -> tuple[Expression, SymbolicRun]:
        """That an event makes exactly these transitions and no others possible, and then the machine rests.

        Every value assigned on the way lies in the range of its variable.
        """
        run = SymbolicRun((), state, (), {name: Name(name) for name in self.names}, ())
        alone: list[Expression] = []
        for number in transitions:
            options = self.enabled(run.target, signal if not run.transitions else None)
            alone += [negation(substitute(t.guard, run.replaced)) for other, t in options if other != number]
            taken = self.model.transitions[number]
            run, before = _extended(run, number, taken, substitute(taken.guard, run.replaced)), run
            alone += self._in_range(taken, dict(before.replaced))
        options = self.enabled(run.target, signal if not run.transitions else None)
        alone += [negation(substitute(t.guard, run.replaced)) for _, t in options]
        return conjunction([*run.conditions, *alone]), run

    def _in_range(self, t: SmTransition, replaced: dict[str, Expression]) -> Iterator[Expression]:
        for action in t.actions:
            replaced[action.variable] = substitute(action.expression, replaced)
            yield from in_bounds(replaced[action.variable], self._types[action.variable])


def _extended(run: SymbolicRun, number: int, t: SmTransition, guard: Expression) -> SymbolicRun:
    replaced = dict(run.replaced)
    for action in t.actions:
        new = replaced[action.variable] = substitute(action.expression, replaced)
        if next(islice(nodes(new), LARGEST, None), None) is not None:
            count = len(run.transitions) + 1
            raise RunsTooLong(
                f"{action.variable} grows beyond what can be written down in a run of {count} transitions"
            )
    return SymbolicRun((*run.transitions, number), t.target, (*run.conditions, guard), replaced, (*run.sends, *t.sends))
