"""Whether a symbolic machine satisfies a formula, exactly: its product with an automaton of the formula."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.analysis.lasso import MachineStep, accepting_lasso
from fullproof.analysis.symbolic.common_scope import Paired, VocabularyMachine
from fullproof.analysis.symbolic.conditions import Cell, ConditionCells, OpenQuestion
from fullproof.analysis.symbolic.product import TraceLetter, restricted
from fullproof.language.buchi import Buchi
from fullproof.language.monitor import Monitor, monitor_of
from fullproof.language.propositions import atomic_propositions
from fullproof.language.safety import offending_operator
from fullproof.language.syntax import Expression, Unary


@dataclass(frozen=True, slots=True)
class PropertyHolds:
    """No trace of the machine is a bad prefix; for formulas that are not safety, every infinite trace satisfies it."""


@dataclass(frozen=True, slots=True)
class PropertyViolated:
    """A shortest trace that is a bad prefix; empty where the formula is unsatisfiable.

    For a formula that is not safety, a trace whose steps from position ``loop`` on repeat for ever.
    """

    trace: tuple[TraceLetter, ...]
    loop: int | None = None


Verdict: TypeAlias = PropertyHolds | PropertyViolated | OpenQuestion

_Node: TypeAlias = tuple[str, int]


def satisfies(paired: Paired, formula: Expression) -> Verdict:
    """Decide whether the other machine of a pair satisfies a formula.

    Safety by its form: the trace is a shortest bad prefix, over the valuations of the atomic propositions that some
    inputs and outputs have. Any other formula: a lasso of the machine that violates it, if there is one.
    Needs: a formula over the variables and constants of the model.
    """
    conditions = paired.conditions
    atoms = tuple(conditions.number(atom) for atom in atomic_propositions(formula))
    if offending_operator(formula) is not None:
        return _endless(paired, Buchi(Unary("not", formula)), atoms)
    letters = conditions.cells(frozenset(), watched=frozenset(atoms))
    possible = None if letters.open else [tuple(a in cell.holding for a in atoms) for cell in letters.cells]
    monitor = monitor_of(formula, possible=possible)
    if monitor.initial == monitor.violated:
        return PropertyViolated(())
    return _search(paired, monitor, atoms)


def _endless(paired: Paired, automaton: Buchi, atoms: Sequence[int]) -> Verdict:
    """Look for a lasso that the automaton of the negation accepts."""
    machine, doubts = paired.other, list[OpenQuestion]()
    states = list(machine.rows)
    number = {state: k for k, state in enumerate(states)}

    def offers(state: int) -> Iterator[MachineStep[TraceLetter]]:
        found = _cells(paired, machine, states[state], atoms)
        doubts.extend([found.open] if found.open else [])
        for cell in found.cells:
            valuation = tuple(atom in cell.holding for atom in atoms)
            for target in _targets(machine, states[state], cell):
                yield MachineStep(number[target], valuation, _letter(paired, cell))

    lasso = accepting_lasso(number[machine.initial], offers, automaton)
    if lasso is not None:
        return PropertyViolated((*lasso.stem, *lasso.loop), len(lasso.stem))
    return doubts[0] if doubts else PropertyHolds()


def _cells(paired: Paired, machine: VocabularyMachine, state: str, atoms: Sequence[int]) -> ConditionCells:
    predicates = frozenset(step.predicate for step in machine.rows[state])
    return paired.conditions.cells(frozenset(), predicates, watched=frozenset(atoms))


def _targets(machine: VocabularyMachine, state: str, cell: Cell) -> list[str]:
    return sorted({step.target for step in machine.rows[state] if step.predicate in cell.holding})


def _letter(paired: Paired, cell: Cell) -> TraceLetter:
    return TraceLetter(restricted(cell.witness, paired.inputs), restricted(cell.witness, paired.outputs))


def _search(paired: Paired, monitor: Monitor, atoms: Sequence[int]) -> Verdict:
    machine = paired.other
    start = (machine.initial, monitor.initial)
    before: dict[_Node, tuple[_Node, TraceLetter] | None] = {start: None}
    queue = deque([start])
    doubt: OpenQuestion | None = None
    while queue:
        state, watching = node = queue.popleft()
        found = _cells(paired, machine, state, atoms)
        doubt = doubt or found.open
        for cell in found.cells:
            then = monitor.step(watching, tuple(atom in cell.holding for atom in atoms))
            letter = _letter(paired, cell)
            if then == monitor.violated:
                return PropertyViolated((*_trace(before, node), letter))
            for target in _targets(machine, state, cell):
                if (target, then) not in before:
                    before[target, then] = (node, letter)
                    queue.append((target, then))
    return doubt or PropertyHolds()


def _trace(before: dict[_Node, tuple[_Node, TraceLetter] | None], node: _Node) -> tuple[TraceLetter, ...]:
    letters = []
    link = before[node]
    while link is not None:
        node, letter = link
        letters.append(letter)
        link = before[node]
    return tuple(reversed(letters))
