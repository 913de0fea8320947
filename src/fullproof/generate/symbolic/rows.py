"""A symbolic machine with one answer to each input of each state, row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from fullproof.language.compile import compile_expression
from fullproof.language.equations import only_answer, solved_for
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.shallow_trees import conjunction, disjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import TRUE, Binary, Call, Comparison, Expression, Name, Unary
from fullproof.language.types import Value, Variable
from fullproof.model import Sfsm
from fullproof.smt import Sat, Solver, Unknown, Unsat, open_solver

Inputs: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SymbolicRow:
    """A transition: what its outputs equal, and where it leads."""

    guard: Expression
    output: Expression
    terms: Mapping[str, Expression]
    target: int
    holds: Callable[[Inputs], object]


@dataclass(frozen=True, slots=True)
class NotSingle:
    """Why a machine has not exactly one answer to each input."""

    reason: str


class Rows:
    """The rows of a machine, and the one solver over its inputs.

    ``undecided`` are formulas that must be unsatisfiable for the machine to have one answer to each input, and that the
    solver could not decide. Needs: every input has an answer in every state.
    """

    def __init__(self, model: Sfsm, rows: Sequence[Sequence[SymbolicRow]], solver: Solver) -> None:
        self.model = model
        self.rows = tuple(tuple(row) for row in rows)
        self.solver = solver
        self.whole = model.scope
        self.undecided: list[tuple[Expression, str]] = []

    @property
    def states(self) -> int:
        """How many states there are; the initial one is first."""
        return len(self.rows)

    def respond(self, state: int, inputs: Inputs) -> tuple[dict[str, Value], int]:
        """The answer to inputs, and the state after it."""
        for edge in self.rows[state]:
            if edge.holds(inputs):
                answer = only_answer(edge.terms, self.model.outputs, self.whole, inputs)
                if answer is not None:
                    return answer, edge.target
        raise AssertionError(f"no answer to {dict(inputs)} in state {state}")

    def find(self, formula: Expression, *, instead: Expression | None = None) -> Inputs | None:
        """Inputs that satisfy a condition, or None; undecided queries are recorded in ``undecided``."""
        match self.solver.check_assuming(formula):
            case Sat(values):
                return {v.name: values[v.name] for v in self.model.inputs}
            case Unknown(reason):
                self.undecided.append((formula if instead is None else instead, reason))
                return None
            case Unsat():
                return None

    def wrong(self, state: int, output: Expression) -> Expression:
        """The condition that inputs and the answer of a state to them do not satisfy an output expression.

        Outputs with a tolerance must differ by more than that, where the expression is an equation for them.
        """
        differs = self._differs(output)
        return disjunction(conjunction((edge.guard, edge.output, differs)) for edge in self.rows[state])

    def elsewhere(self, state: int, block: Sequence[int], target: int) -> Expression:
        """The condition on inputs that a state goes to a block of states other than ``target``'s."""
        return disjunction(edge.guard for edge in self.rows[state] if block[edge.target] != block[target])

    def _differs(self, output: Expression) -> Expression:
        names = [v.name for v in self.model.outputs]
        terms = solved_for(output, names) if any(v.tolerance for v in self.model.outputs) else None
        if terms is None:
            return Unary("not", output)
        return disjunction(_apart(v, terms[v.name]) for v in self.model.outputs)


def _apart(variable: Variable, term: Expression) -> Expression:
    name = Name(variable.name)
    if not variable.tolerance:
        return Comparison((name, term), ("!=",))
    return Comparison((Call("abs", (Binary("-", name, term),)), literal(variable.tolerance)), (">",))


def rows_of(model: Sfsm, *, timeout: float | None = 10.0) -> Rows | NotSingle:
    """The rows of a model, or why it has none: an output leaves a choice, or overlapping guards have different
    answers.
    """
    scope = model.scope
    order = [model.initial, *(s for s in model.states if s != model.initial)]
    place = {state: k for k, state in enumerate(order)}
    names = [v.name for v in model.outputs]
    table: list[list[SymbolicRow]] = [[] for _ in order]
    for t in model.transitions:
        terms = solved_for(t.output, names)
        if terms is None:
            return NotSingle(f"in state {t.source!r}, {to_text(t.output)} is not an equation for each output")
        holds = compile_expression(t.guard, scope)
        edge = SymbolicRow(guard=t.guard, output=t.output, terms=terms, target=place[t.target], holds=holds)
        table[place[t.source]].append(edge)
    rows = Rows(model, table, open_solver(scope, timeout=timeout))
    for state, row in zip(order, table, strict=True):
        for one, other in combinations(row, 2):
            apart = Unary("not", other.output) if one.target == other.target else TRUE
            found = rows.find(conjunction((one.guard, other.guard, one.output, apart)))
            if found is not None:
                shown = ", ".join(f"{name} = {value_to_text(value)}" for name, value in found.items())
                return NotSingle(f"state {state!r} has two answers to {shown}, and it is for systems with one")
    return rows
