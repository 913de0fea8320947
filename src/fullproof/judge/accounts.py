"""Which transitions a failing execution concerns."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.artefacts.execution import Execution
from fullproof.judge.semantics import Semantics


@dataclass(frozen=True, slots=True)
class Account:
    """Where a failing execution went: transitions on its way, and those that the failing step should have taken."""

    path: tuple[int, ...]
    concerned: tuple[int, ...]


def account_of(semantics: Semantics, execution: Execution) -> Account:
    """Follow an execution up to the step that was wrong, or to its end."""
    node, path = 0, list[int]()
    for step in execution.steps:
        move = semantics.move(node, step.input, step.output)
        if move.node < 0:
            return Account(tuple(path), semantics.concerned(node, step.input))
        node = move.node
        path += move.transitions
    rest = execution.test.inputs[len(execution.steps) :]
    return Account(tuple(path), semantics.concerned(node, rest[0]) if rest and execution.error is not None else ())
