"""Mutants of symbolic transition systems: wrong guards, values, outputs and targets, and switches that are missing.

A system takes one switch for an input. So where a wrong guard of an input overlaps another switch of the same location
and gate, the wrong one goes first. Outputs are chosen by the system, and nothing gives way. The variables of a
mutant have no range: what a wrong value does there shows in the outputs. Mutants with internal steps that may go on for
ever, where the model has none, are left out, and so are mistakes that may divide by zero.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator
from enum import Enum
from functools import partial
from typing import NamedTuple

from fullproof.language.formulas import negation
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.substitute import substitute
from fullproof.language.syntax import TRUE, Binary, Expression, Name
from fullproof.language.traversal import nodes
from fullproof.language.types import IntType, RealType, Variable
from fullproof.model.sts import TAU, Assignment, Gate, Sts, Switch
from fullproof.mutate.assignments import with_wrong_assignment, wrong_assignments
from fullproof.mutate.engine import Fault, ListedFaults
from fullproof.mutate.expressions import chosen, epsilon_of, exchangeable
from fullproof.mutate.rewrites import Rewriter
from fullproof.smt import Solver, Unsat, open_solver

_GUARDS = 8
"""How many faults of one guard are made, the most typical ones."""
_EACH = 1.0
"""Seconds for a question to the solver."""


class StsOperator(Enum):
    """The kinds of faults."""

    GUARD = "guard"
    ASSIGNMENT = "assignment"
    OUTPUT = "output"
    TRANSFER = "transfer"
    REMOVE = "remove"


class _Change(NamedTuple):
    """A switch with a fault, or none in its place."""

    operator: StsOperator
    what: str
    changed: tuple[Switch, ...]
    replaced: tuple[str, str] | None = None


def sts_faults() -> ListedFaults[Sts]:
    """The faults of symbolic transition systems."""
    return ListedFaults(_faults, _identity)


def _identity(model: Sts) -> Hashable:
    return model.initial, frozenset((t.source, t.gate, t.guard, t.assignments, t.target) for t in model.transitions)


def _faults(model: Sts) -> Iterator[Fault[Sts]]:
    mistakes = {gate.name: _Mistakes(model, gate) for gate in model.gates}
    for changes in _CHANGES:
        for k, t in enumerate(model.transitions):
            for change in changes(model, t, mistakes[t.gate]):
                where = f"{change.what} {'on ' if change.changed else ''}{_which(model, t)}"
                make = partial(_changed, model, k, change, mistakes[t.gate])
                yield Fault(change.operator.value, where, make, change.replaced)


class _Mistakes:
    """Typical mistakes in the guards and assignments of the switches of one gate."""

    def __init__(self, model: Sts, gate: Gate) -> None:
        self.scope = Scope((*model.variables, *gate.parameters), {c.name: c.value for c in model.description.constants})
        guards = [t.guard for t in model.transitions if t.gate == gate.name]
        said = [*guards, *(a.expression for t in model.transitions for a in t.assignments)]
        sent = frozenset(p.name for p in gate.parameters) if gate in model.outputs else frozenset[str]()
        self._rewriter = Rewriter(
            scope=self.scope,
            constants=exchangeable(model, said, self.scope),
            epsilon=epsilon_of(guards, self.scope),
            equations=sent,
        )
        self._solver: Solver = open_solver(self.scope, timeout=_EACH)
        self._is_input = gate in model.inputs
        self._known: dict[Expression, list[Expression]] = {}

    def guards(self, guard: Expression) -> list[Expression]:
        """Satisfiable guards with another meaning; of an input, the missing guard is the last."""
        if guard not in self._known:
            found = [(slip, e, guard) for slip, e in self._rewriter.variants(guard) if _divides(e) <= _divides(guard)]
            derived = [fault.expression for fault in chosen(found, [guard, TRUE], self.scope, _GUARDS)]
            is_said = self._is_input and not isinstance(self._solver.check_assuming(negation(guard)), Unsat)
            self._known[guard] = [*derived, *([TRUE] if is_said else [])]
        return self._known[guard]

    def assignments(self, assignment: Assignment) -> Iterator[Assignment]:
        """Other values for the same variable."""
        most = _divides(assignment.expression)
        found = wrong_assignments(assignment, self._rewriter, self._solver)
        return (wrong for wrong in found if _divides(wrong.expression) <= most)

    def give_way(self, row: list[Switch], k: int) -> None:
        """Restrict the switches that a wrong guard of an input overlaps to the values where it does not hold."""
        mine = row[k]
        for place, other in enumerate(row):
            is_beside = place != k and (other.source, other.gate) == (mine.source, mine.gate)
            if (
                self._is_input
                and is_beside
                and not isinstance(self._solver.check_assuming(mine.guard, other.guard), Unsat)
            ):
                rest = negation(mine.guard)
                guard = rest if other.guard == TRUE else Binary("and", other.guard, rest)
                row[place] = dataclasses.replace(other, guard=guard)


def _guards(_model: Sts, t: Switch, mistakes: _Mistakes) -> Iterator[_Change]:
    old = to_text(t.guard)
    for guard in mistakes.guards(t.guard):
        wrong = to_text(guard)
        what = f"no guard instead of {old}" if guard == TRUE else f"guard {wrong} instead of {old}"
        replaced = None if guard == TRUE else (wrong, old)
        yield _Change(StsOperator.GUARD, what, (dataclasses.replace(t, guard=guard),), replaced)


def _assignments(_model: Sts, t: Switch, mistakes: _Mistakes) -> Iterator[_Change]:
    for what, row, replaced in with_wrong_assignment(t.assignments, mistakes.assignments):
        yield _Change(StsOperator.ASSIGNMENT, what, (dataclasses.replace(t, assignments=row),), replaced)


def _outputs(model: Sts, t: Switch, _mistakes: _Mistakes) -> Iterator[_Change]:
    gates = {gate.name: gate for gate in model.outputs}
    for gate in gates.values() if t.gate in gates else ():
        own = gates[t.gate].parameters
        if gate.name == t.gate or [p.type for p in gate.parameters] != [p.type for p in own]:
            continue
        renamed = {old.name: Name(new.name) for old, new in zip(own, gate.parameters, strict=True)}
        values = tuple(dataclasses.replace(a, expression=substitute(a.expression, renamed)) for a in t.assignments)
        wrong = dataclasses.replace(t, gate=gate.name, guard=substitute(t.guard, renamed), assignments=values)
        what = f"output {gate.name} instead of {t.gate}"
        yield _Change(StsOperator.OUTPUT, what, (wrong,), (gate.name, t.gate))


def _targets(model: Sts, t: Switch, _mistakes: _Mistakes) -> Iterator[_Change]:
    for state in model.states:
        if state != t.target:
            moved = dataclasses.replace(t, target=state)
            yield _Change(StsOperator.TRANSFER, f"target {state} instead of {t.target}", (moved,), (state, t.target))


def _missing(_model: Sts, _t: Switch, _mistakes: _Mistakes) -> Iterator[_Change]:
    yield _Change(StsOperator.REMOVE, "no switch", ())


_CHANGES: tuple[Callable[[Sts, Switch, _Mistakes], Iterator[_Change]], ...] = (
    _guards,
    _assignments,
    _outputs,
    _targets,
    _missing,
)


def _which(model: Sts, t: Switch) -> str:
    """The switch, with its guard where there are several of the same shape."""
    same = [u for u in model.transitions if (u.source, u.gate, u.target) == (t.source, t.gate, t.target)]
    arrow = f"{t.source} --{t.gate}--> {t.target}"
    return f"{arrow} where {to_text(t.guard)}" if len(same) > 1 else arrow


def _changed(model: Sts, k: int, change: _Change, mistakes: _Mistakes) -> Sts | None:
    row = list(model.transitions)
    row[k : k + 1] = change.changed
    if change.operator is StsOperator.GUARD:
        mistakes.give_way(row, k)
    made = dataclasses.replace(model, transitions=tuple(row), variables=tuple(map(_without_range, model.variables)))
    return None if _turns(made) and not _turns(model) else made


def _without_range(variable: Variable) -> Variable:
    match variable.type:
        case IntType() | RealType() as ranged:
            return dataclasses.replace(variable, type=type(ranged)())
        case _:
            return variable


def _divides(expression: Expression) -> int:
    return sum(isinstance(node, Binary) and node.operator in ("/", "%", "**") for node in nodes(expression))


def _turns(model: Sts) -> bool:
    """Whether internal steps lead in a circle."""
    after: dict[str, set[str]] = {state: set() for state in model.states}
    for t in model.transitions:
        if t.gate == TAU:
            after[t.source].add(t.target)
    ended: set[str] = set()
    while True:
        more = {state for state, targets in after.items() if state not in ended and targets <= ended}
        if not more:
            return len(ended) < len(after)
        ended |= more
