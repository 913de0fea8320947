"""Two state machines over the same inputs, with separate names for everything else, and their runs as formulas.

A run to completion is determined where its guards hold, no other transition is enabled on the way, and it comes to
rest; it is fine where in addition every assigned value lies in its range (paper 003, section 2, for deterministic
models).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fullproof.analysis.symbolic_runs import RunsTooLong, SymbolicRuns
from fullproof.language.formulas import conjunction, in_bounds, negation
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import Variable
from fullproof.language.values import coerce
from fullproof.model import StateMachine
from fullproof.model.statemachine import SmTransition
from fullproof.model.sts import Assignment
from fullproof.smt import open_solver, pushed

OLD = "@old"
"""The suffix for the names of inputs before they change."""
_EACH = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedRun:
    """A run by its transitions, in terms of the inputs of its event and the values before it."""

    transitions: tuple[int, ...]
    target: str
    sends: tuple[str, ...]
    taken: Expression
    """The guards on the way hold, and then the machine rests."""
    alone: Expression
    """Nothing else is enabled on the way."""
    bounds: Expression
    values: Mapping[str, Expression]

    @property
    def fine(self) -> Expression:
        """The machine takes exactly this run."""
        return conjunction([self.taken, self.alone, self.bounds])


class Side:
    """One machine; ``mark`` ends the names of its outputs and variables, its constants are written out."""

    def __init__(self, model: StateMachine, mark: str) -> None:
        self.original = model
        self.model = _renamed(model, mark)
        self.mark = mark
        self._runs = SymbolicRuns(self.model)
        self.variables = (*self.model.outputs, *self.model.variables)
        old = tuple(Variable(name=v.name + OLD, type=v.type) for v in model.inputs)
        self.scope = Scope((*self.model.inputs, *self.variables, *old))
        self._solver = open_solver(self.scope, timeout=_EACH)
        self._known: dict[tuple[str, str | None, bool], list[PairedRun]] = {}
        self.read = _read_later(self.model)
        """For each state the names whose values may matter, beside what is seen of them."""

    @property
    def start(self) -> dict[str, Expression]:
        """The initial values."""
        return {v.name: literal(coerce(v.initial, v.type)) for v in self.variables if v.initial is not None}

    def heard(self, state: str) -> tuple[str, ...]:
        """The signals that some transition of a state waits for; all others act like no signal."""
        return self._runs.heard(state)

    def quiescent(self, state: str) -> Expression:
        """That the machine rests in a state with the inputs before they change."""
        return substitute(self._runs.quiescent(state), {v.name: Name(v.name + OLD) for v in self.model.inputs})

    def runs(self, state: str, signal: str | None, *, first: bool) -> list[PairedRun]:
        """All runs that an event may start, wrong ones as well; raises RunsTooLong. ``first``: no event was yet."""
        if signal not in self.heard(state):
            signal = None
        key = state, signal, first
        if key not in self._known:
            with pushed(self._solver):
                if not first:
                    self._solver.add(self.quiescent(state))
                found = list(self._runs.runs(state, signal, self._solver))
            self._known[key] = [self._paired(state, signal, run.transitions) for run in found]
        return self._known[key]

    def _paired(self, state: str, signal: str | None, transitions: tuple[int, ...]) -> PairedRun:
        values: dict[str, Expression] = {name: Name(name) for name in self._runs.names}
        taken, alone, bounds, sends = list[Expression](), list[Expression](), list[Expression](), list[str]()
        for place, number in enumerate(transitions):
            options = self._runs.enabled(state, signal if place == 0 else None)
            alone += [negation(substitute(t.guard, values)) for other, t in options if other != number]
            t = self.model.transitions[number]
            taken.append(substitute(t.guard, values))
            for action in t.actions:
                values[action.variable] = substitute(action.expression, values)
                bounds += in_bounds(values[action.variable], self.scope.variable(action.variable).type)
            sends += t.sends
            state = t.target
        rest = self._runs.enabled(state, None if transitions else signal)
        taken += [negation(substitute(t.guard, values)) for _, t in rest]
        return PairedRun(
            transitions=transitions,
            target=state,
            sends=tuple(sends),
            taken=self._folded(conjunction(taken)),
            alone=self._folded(conjunction(alone)),
            bounds=self._folded(conjunction(bounds)),
            values={v.name: self._folded(values[v.name]) for v in self.variables},
        )

    def _folded(self, expression: Expression) -> Expression:
        return residual(expression, self.scope, {})


class MachinePairing:
    """A model and another machine with the same interface, which the caller has checked."""

    def __init__(self, model: StateMachine, other: StateMachine) -> None:
        self.inputs = model.inputs
        self.model = Side(model, "@m")
        self.other = Side(dataclasses.replace(other, inputs=model.inputs), "@o")
        self.outputs = tuple((f"{v.name}@m", f"{v.name}@o") for v in model.outputs)

    def signals(self, states: tuple[str, str]) -> tuple[str | None, ...]:
        """The signals that make a difference, and no signal, which stands for all others."""
        heard = (*self.model.heard(states[0]), *self.other.heard(states[1]))
        return (None, *dict.fromkeys(heard))


def _renamed(model: StateMachine, mark: str) -> StateMachine:
    own = (*model.outputs, *model.variables)
    names: dict[str, Expression] = {v.name: Name(v.name + mark) for v in own}
    names |= {c.name: literal(c.value) for c in model.description.constants}
    return dataclasses.replace(
        model,
        outputs=tuple(dataclasses.replace(v, name=v.name + mark) for v in model.outputs),
        variables=tuple(dataclasses.replace(v, name=v.name + mark) for v in model.variables),
        transitions=tuple(_with_names(t, names, mark) for t in model.transitions),
    )


def _with_names(t: SmTransition, names: Mapping[str, Expression], mark: str) -> SmTransition:
    actions = (Assignment(variable=a.variable + mark, expression=substitute(a.expression, names)) for a in t.actions)
    return dataclasses.replace(t, guard=substitute(t.guard, names), actions=tuple(actions))


def _read_later(model: StateMachine) -> dict[str, frozenset[str]]:
    """Names that may be read after a state before they are written: the least solution of the usual equations."""
    live: dict[str, frozenset[str]] = dict.fromkeys(model.states, frozenset())
    changed = True
    while changed:
        changed = False
        for t in model.transitions:
            needed = live[t.source] | frozenset(_reads(t, live[t.target]))
            changed = changed or needed != live[t.source]
            live[t.source] = needed
    return live


def _reads(t: SmTransition, after: frozenset[str]) -> Iterator[str]:
    needed = set(after)
    for action in reversed(t.actions):
        needed.discard(action.variable)
        needed |= free_names(action.expression)
    yield from needed | free_names(t.guard)


__all__ = ["OLD", "MachinePairing", "PairedRun", "RunsTooLong", "Side"]
