"""The symbolic execution graph of paper 001, definition 14, computed on demand.

Nodes are symbolic states in normal form, so a loop that returns to the same set of values returns to the same node (the
paper's open point). The set of a node is exactly what can be reached along any path to it; a path is therefore feasible
iff each of its edges is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fullproof.artefacts.purposes import SwitchLetter
from fullproof.generate.sts.compaction import compacted
from fullproof.generate.sts.liveness import live_variables
from fullproof.generate.sts.states import (
    ParameterPool,
    SymbolicState,
    Term,
    as_expression,
    numbered,
    relevant,
    simplified,
)
from fullproof.language.evaluate import evaluate
from fullproof.language.formulas import FALSE, compared, conjunction, conjuncts, in_bounds, negation
from fullproof.language.lists import EMPTY
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Binary, Comparison, Expression, Name, SyntaxNode
from fullproof.language.traversal import free_names
from fullproof.language.types import BoolType, Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model.sts import Sts, Switch
from fullproof.smt import Answer, Sat, Solver, Unknown, Unsat, open_solver

_EFFORT = 0.25
_SUBSUMPTION_EFFORT = 0.005
_PATIENCE = 200.0
_PATIENCE = 200.0
"""Steps of the solver for one question, as seconds. They decide what is found, on a slow machine as on a fast one."""


class SymbolicGraph:
    """Successors of symbolic states, each computed once, by one incremental solver."""

    def __init__(self, model: Sts) -> None:
        self.model = model
        constants = {c.name: c.value for c in model.description.constants}
        self._pool = ParameterPool(constants)
        gates = model.gates
        self._gates = {gate.name: gate for gate in gates}
        self._scopes = {gate.name: Scope((*model.variables, *gate.parameters), constants) for gate in gates}
        self._variables = {v.name: v for v in model.variables}
        self._live = live_variables(model)
        self._solver: Solver | None = None
        self._known: dict[tuple[int, SwitchLetter], int | None] = {}
        self._numbers: dict[SymbolicState, int] = {}
        self.states: list[SymbolicState] = []
        """The nodes found so far; 0 is the initial one."""
        self._leaving: dict[str, list[int]] = {location: [] for location in model.states}
        for number, switch in enumerate(model.transitions):
            self._leaving[switch.source].append(number)
        self.unknowns: list[str] = []
        self._number(self._start())

    def switches(self, node: int) -> list[int]:
        """The switches that leave the node's location."""
        return self._leaving[self.states[node].location]

    def successor(self, node: int, letter: SwitchLetter) -> int | None:
        """The successor by the switch, or None where no values allow it. An undecided successor is kept as doubtful."""
        key = (node, letter)
        if key not in self._known:
            state, switch = self.states[node], self.model.transitions[letter.switch]
            target = self._step(state, switch, letter) if switch.source == state.location else None
            self._known[key] = None if target is None else self._number(target)
        return self._known[key]

    def knows(self, node: int, letter: SwitchLetter) -> bool:
        """Whether ``successor`` is cached."""
        return (node, letter) in self._known

    def node_at(self, location: str, values: Mapping[str, Value]) -> int:
        """The node of one semantic state."""
        live = self._live[location]
        return self._number(
            SymbolicState(location, tuple((name, values[name]) for name in self._variables if name in live))
        )

    def is_doubtful(self, node: int) -> bool:
        """Whether a solver could not decide if the node can be reached."""
        return self.states[node].doubtful

    def subsumed(self, node: int, by: int) -> bool:
        """Whether all values of a node are values of the other, so that all its behaviour is behaviour of the other."""
        state, other = self.states[node], self.states[by]
        if other.doubtful or state.location != other.location:
            return False
        mine, theirs = dict(state.terms), dict(other.terms)
        open_theirs = other.open_terms()
        if any(mine[name] != term for name, term in theirs.items() if name not in open_theirs):
            return False
        if not open_theirs:
            return True
        renaming: dict[str, Expression] = {name: Name(f"{name}'") for name in other.parameters()}
        bound = [replace(v, name=f"{v.name}'") for v in self._pool.variables(other.parameters())]
        equal = [
            _same(substitute(term, renaming), as_expression(mine[name]), self._variables[name])
            for name, term in open_theirs.items()
        ]
        inside = conjunction([*equal, *(substitute(part, renaming) for part in other.condition)])
        own = Scope(tuple(self._pool.variables(state.parameters())), self._pool.scope.constants)
        solver = open_solver(own, timeout=_SUBSUMPTION_EFFORT, patience=_PATIENCE)
        solver.add(*state.condition)
        return isinstance(solver.check_exists_forall((), bound, negation(inside)), Unsat)

    def _number(self, state: SymbolicState) -> int:
        if state not in self._numbers:
            self._numbers[state] = len(self.states)
            self.states.append(state)
        return self._numbers[state]

    def _start(self) -> SymbolicState:
        live = self._live[self.model.initial]
        terms: dict[str, Term] = {
            v.name: coerce(v.initial, v.type) for v in self.model.variables if v.initial is not None and v.name in live
        }
        return SymbolicState(self.model.initial, tuple(terms.items()))

    def _step(self, state: SymbolicState, switch: Switch, letter: SwitchLetter) -> SymbolicState | None:
        scope, constants = self._scopes[switch.gate], state.constants()
        names: dict[str, Expression] = dict(state.open_terms())
        taken, condition = set(state.parameters()), list(state.condition)
        for parameter in self._gates[switch.gate].parameters:
            fresh = self._pool.fresh(parameter.type, taken)
            taken.add(fresh.name)
            names[parameter.name] = Name(fresh.name)
            condition += in_bounds(Name(fresh.name), parameter.type)
        guard = switch.guard if letter.condition is None else Binary("and", switch.guard, letter.condition)
        condition += conjuncts(substitute(residual(guard, scope, constants), names))
        if FALSE in condition:
            return None
        terms = dict(state.terms)
        for assignment in switch.assignments:
            variable = self._variables[assignment.variable]
            live = variable.name in self._live[switch.target]
            term = _assigned(assignment.expression, variable, scope, constants, names)
            if isinstance(term, SyntaxNode):
                condition += in_bounds(term, variable.type)
            elif not in_range(term, variable.type):
                return None  # the model is wrong here, and ``check`` reports it
            if live:
                terms[variable.name] = term
        live_terms = {v.name: terms[v.name] for v in self.model.variables if v.name in self._live[switch.target]}
        return self._settled(switch, live_terms, condition, doubtful=state.doubtful)

    def _settled(
        self, switch: Switch, terms: dict[str, Term], condition: list[Expression], *, doubtful: bool
    ) -> SymbolicState | None:
        parts = [part for part in simplified(terms, condition, self._pool) if not _holds(part, self._pool.scope)]
        match self._decide(parts):
            case Unsat():
                return None
            case Unknown(reason):
                self.unknowns.append(f"{switch.source}:{switch.gate}: {reason}")
                return numbered(switch.target, terms, parts, self._pool, doubtful=True)
            case Sat():
                kept = relevant(terms, parts)
                terms, kept = compacted(terms, kept, self._variables, self._pool, self._decide)
                return numbered(switch.target, terms, kept, self._pool, doubtful=doubtful)

    def _decide(self, condition: list[Expression]) -> Answer:
        if not condition:
            return Sat({})
        if FALSE in condition:
            return Unsat()
        if self._solver is None or self._solver.scope != self._pool.scope:
            self._solver = open_solver(self._pool.scope, timeout=_EFFORT, patience=_PATIENCE)
        return self._solver.check_assuming(*condition)


def _holds(part: Expression, scope: Scope) -> bool:
    """Whether a condition is trivially true: ``a == a``, or one without parameters; a false one is kept."""
    if isinstance(part, Comparison) and len(set(part.operands)) == 1 and set(part.operators) <= {"==", "<=", ">="}:
        return True
    return not any("@" in name for name in free_names(part)) and evaluate(part, scope, {}) is True


def _same(left: Expression, right: Expression, variable: Variable) -> Expression:
    if isinstance(variable.type, BoolType):
        both = Binary("and", left, right)
        neither = Binary("and", negation(left), negation(right))
        return Binary("or", both, neither)
    return compared(left, "==", right)


def _assigned(
    expression: Expression, variable: Variable, scope: Scope, constants: dict[str, Value], names: dict[str, Expression]
) -> Term:
    """The new value where it depends on no parameter, else the new term."""
    if free_names(expression) & names.keys():
        rest = residual(expression, scope, constants)
        if free_names(rest) & names.keys():
            return substitute(rest, names)
    known = {**{v.name: _any_value(v) for v in scope.variables}, **constants}
    return coerce(evaluate(expression, scope, known), variable.type)


def _any_value(variable: Variable) -> Value:
    """A value for a variable on which the result does not depend."""
    from fullproof.language.types import EnumType, ListType, RealType

    match variable.type:
        case BoolType():
            return False
        case EnumType(values=values):
            return values[0]
        case RealType():
            from fractions import Fraction

            return Fraction(0)
        case ListType():
            return EMPTY
        case _:
            return 0
