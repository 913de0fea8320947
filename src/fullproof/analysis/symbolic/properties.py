"""Whether a symbolic machine satisfies a safety formula, exactly: its product with the bad-prefix monitor."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.analysis.symbolic.conditions import Conditions, Open
from fullproof.analysis.symbolic.pairing import Machine, Paired
from fullproof.analysis.symbolic.product import Letter, restricted
from fullproof.language.monitor import Monitor, monitor_of
from fullproof.language.propositions import atomic_propositions
from fullproof.language.syntax import Expression


@dataclass(frozen=True, slots=True)
class Satisfied:
    """No trace of the machine is a bad prefix."""


@dataclass(frozen=True, slots=True)
class Violated:
    """A shortest trace that is a bad prefix; empty where nothing at all satisfies the formula."""

    trace: tuple[Letter, ...]


Verdict: TypeAlias = Satisfied | Violated | Open

_Node: TypeAlias = tuple[str, int]


def satisfies(paired: Paired, formula: Expression) -> Verdict:
    """Decide whether the other machine of a pair satisfies a safety formula; the trace is a shortest one.

    Bad prefixes are over the valuations of the atomic propositions that some inputs and outputs have.
    Needs: a formula over the variables and constants of the model, safety by its form.
    """
    conditions = paired.conditions
    atoms = tuple(conditions.number(atom) for atom in atomic_propositions(formula))
    letters = conditions.cells(frozenset(), watched=frozenset(atoms))
    possible = None if letters.open else [tuple(a in cell.holding for a in atoms) for cell in letters.cells]
    monitor = monitor_of(formula, possible=possible)
    if monitor.initial == monitor.violated:
        return Violated(())
    return _search(paired, paired.other, monitor, atoms, conditions)


def _search(
    paired: Paired, machine: Machine, monitor: Monitor, atoms: Sequence[int], conditions: Conditions
) -> Verdict:
    start = (machine.initial, monitor.initial)
    before: dict[_Node, tuple[_Node, Letter] | None] = {start: None}
    queue = deque([start])
    doubt: Open | None = None
    while queue:
        state, watching = node = queue.popleft()
        steps = machine.rows[state]
        predicates = frozenset(step.predicate for step in steps)
        found = conditions.cells(frozenset(), predicates, watched=frozenset(atoms))
        doubt = doubt or found.open
        for cell in found.cells:
            then = monitor.step(watching, tuple(atom in cell.holding for atom in atoms))
            letter = Letter(restricted(cell.witness, paired.inputs), restricted(cell.witness, paired.outputs))
            if then == monitor.violated:
                return Violated((*_trace(before, node), letter))
            for target in sorted({step.target for step in steps if step.predicate in cell.holding}):
                if (target, then) not in before:
                    before[target, then] = (node, letter)
                    queue.append((target, then))
    return doubt or Satisfied()


def _trace(before: dict[_Node, tuple[_Node, Letter] | None], node: _Node) -> tuple[Letter, ...]:
    letters = []
    link = before[node]
    while link is not None:
        node, letter = link
        letters.append(letter)
        link = before[node]
    return tuple(reversed(letters))
