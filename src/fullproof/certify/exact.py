"""The exact engine: a suite is complete iff no machine within the bound passes it and differs.

Nodes of the suite's tree that are pairwise apart lead to different states of every machine that passes, so those
states get fixed numbers (without that the search is orders of magnitude slower). For every other node the states from
which it is apart are excluded in advance.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fullproof.certify.access import pins
from fullproof.certify.answers import Evidence, Open, Proved
from fullproof.certify.encoding import Encoding
from fullproof.certify.machine import FlatMachine, difference
from fullproof.certify.partial_encoding import PartialEncoding
from fullproof.certify.tree import WordTree
from fullproof.certify.unknown_machine import Position, UnknownMachine
from fullproof.certify.watched_solver import TimeUp, WatchedSolver
from fullproof.core.budget import Budget
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Bug
from fullproof.smt.sat import SatSolver, open_sat_solver
from fullproof.smt.sat_answers import Contradiction, OutOfTime, SatAnswer, SatAssignment

_ROOM = 30_000_000
"""The greatest number of clauses for which the solver is called: more would take several gigabytes."""


@dataclass(frozen=True, slots=True)
class Survivor:
    """A machine that passes the suite and differs from the model, verified as such."""

    machine: FlatMachine


def search(
    model: FlatMachine, tree: WordTree, *, extra: int, deadline: Deadline, effort: Budget | None = None
) -> Proved | Survivor | Open:
    """Look for a machine with at most ``extra`` states more than the model that passes the suite and differs.

    ``effort`` bounds the steps of the solver, and pays for them. Needs: a minimal model; of a partial one, a suite of
    defined words, and machines differ that are not quasi-equivalent.
    """
    try:
        return _search(model, tree, extra, deadline, effort)
    except TimeUp:
        return Open(f"the exact engine could not encode its query within {deadline.seconds:g} s")


def _search(
    model: FlatMachine, tree: WordTree, extra: int, deadline: Deadline, effort: Budget | None
) -> Proved | Survivor | Open:
    bound = model.states + extra
    nodes = _Nodes(tree, bound, extra)
    size = nodes.clauses(model)
    if size > _ROOM:
        return Open(f"the exact engine would need about {size:,} clauses, more than {_ROOM:,}")
    solver: SatSolver = WatchedSolver(open_sat_solver(), deadline)
    encoding = differing(model, nodes.labels, bound, solver, cells=nodes.cells())
    nodes.encode(encoding)
    solver.prefer(encoding.correct())
    match first_difference(encoding, solver, seconds=deadline, effort=effort):
        case Contradiction():
            return Proved(
                f"no machine with at most {counted(bound, 'state')} passes the suite and differs: decided exactly",
                Evidence(tuple(map(tree.word, nodes.pinned))),
            )
        case SatAssignment() as found:
            return Survivor(verified(encoding.decode(found), model, tree, bound))
        case OutOfTime(steps=allowed):
            limit = f"{deadline.seconds:g} s" if allowed is None else f"{allowed:,} steps"
            return Open(f"the exact engine did not end within {limit}")


def differing(
    model: FlatMachine,
    labels: Sequence[int],
    bound: int,
    solver: SatSolver,
    *,
    cells: Mapping[tuple[int, int], Collection[int]] | None = None,
) -> Encoding | PartialEncoding:
    """Any machine with at most ``bound`` states that differs from the model, in the words of the model's kind."""
    return (Encoding if model.is_complete else PartialEncoding)(model, labels, bound, solver, cells=cells)


def first_difference(
    encoding: Encoding | PartialEncoding,
    solver: SatSolver,
    assumptions: Sequence[int] = (),
    *,
    seconds: Deadline,
    effort: Budget | None,
) -> SatAnswer:
    """Solve until the machine of an assignment differs: for partial models, pairs in a circle may pretend that."""
    while True:
        before = solver.steps_taken()
        steps = None if effort is None else int(effort.left())
        answer = solver.solve(assumptions, seconds=seconds.left(), steps=steps)
        if effort is not None:
            effort.spend(solver.steps_taken() - before)
        if not isinstance(answer, SatAssignment) or isinstance(encoding, Encoding):
            return answer
        if difference(encoding.model, encoding.decode(answer)) is not None:
            return answer
        encoding.forbid_circle(encoding.circle(answer))


def verified(machine: FlatMachine, model: FlatMachine, tree: WordTree, bound: int) -> FlatMachine:
    """The machine, after a check that it survives: neither the solver nor the encoding is trusted here."""
    if machine.states > bound:
        raise Bug(f"a survivor has {machine.states} states, more than {bound}")
    if difference(model, machine) is None:
        raise Bug("a survivor is equivalent to the model")
    if not passes(machine, tree):
        raise Bug("a survivor fails the suite")
    return machine


def passes(machine: FlatMachine, tree: WordTree) -> bool:
    """Whether a machine gives the expected output at every node."""
    state = [0] * len(tree)
    for node, (parent, symbol, output) in enumerate(
        zip(tree.parent.tolist(), tree.symbol.tolist(), tree.output.tolist(), strict=True)
    ):
        if parent >= 0:
            if machine.output[state[parent]][symbol] != output:
                return False
            state[node] = machine.target[state[parent]][symbol]
    return True


class _Nodes:
    """The states each node may lead to: pinned nodes to their own, others to those from which they are not apart."""

    def __init__(self, tree: WordTree, bound: int, extra: int) -> None:
        seen = tree.observations()
        self.tree, self.bound = tree, bound
        self.pinned = pins(tree, seen, extra=extra)
        self.state = {node: k for k, node in enumerate(self.pinned)}
        self.labels = [int(tree.label[node]) for node in self.pinned]
        self.inner = tree.inner()
        self.apart = seen.table(self.inner, np.array(self.pinned, dtype=np.int32)).astype(bool)
        self.row = {int(node): k for k, node in enumerate(self.inner)}

    def domain(self, node: int) -> Collection[int]:
        """Which states a node with children may be."""
        if node in self.state:
            return (self.state[node],)
        possible = np.flatnonzero(~self.apart[self.row[node]]).tolist()
        return (*possible, *range(len(self.pinned), self.bound))

    def cells(self) -> dict[tuple[int, int], Collection[int]]:
        """Where the transitions of pinned states may lead: where the nodes below the pinned ones may be."""
        return {
            (self.state[parent], int(self.tree.symbol[node])): self.domain(node)
            for parent in self.pinned
            for node in self.tree.children(parent)
            if node in self.row
        }

    def clauses(self, model: FlatMachine) -> int:
        """An estimate of the number of clauses of the whole query."""
        extra = self.bound - len(self.pinned)
        machine = extra * self.bound * model.inputs * 4 * (1 + model.states)
        width = self.apart.shape[1] - self.apart.sum(axis=1) + extra
        parents = self.tree.parent[self.inner[1:]] if len(self.inner) else self.inner
        before = np.array([width[self.row[int(parent)]] for parent in parents], dtype=np.int64)
        return int(machine + (before * (2 * width[1:] + 1)).sum() + len(self.tree) * 2)

    def encode(self, encoding: UnknownMachine) -> None:
        """Follow every word of the suite and demand the model's outputs. Leaves are observed, not followed."""
        position: dict[int, Position] = {node: encoding.pin(state) for node, state in self.state.items()}
        parents, symbols, outputs = (a.tolist() for a in (self.tree.parent, self.tree.symbol, self.tree.output))
        for node in range(1, len(self.tree)):
            here = position[parents[node]]
            encoding.observe(here, symbols[node], outputs[node])
            if node in self.state:
                there = encoding.follow(here, symbols[node], self.domain(node))
                encoding.solver.add_clause(there.values())
            elif node in self.row:
                position[node] = encoding.follow(here, symbols[node], self.domain(node))
