"""Which transitions a failing execution concerns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fullproof.artefacts.execution import Execution
from fullproof.judge.semantics import Semantics
from fullproof.language.compile import compile_expression
from fullproof.model import Fsm, Model, Sfsm


@dataclass(frozen=True, slots=True)
class Account:
    """Where a failing execution went: transitions on its way, and those that the failing step should have taken."""

    path: tuple[int, ...]
    concerned: tuple[int, ...]


def account_of(model: Model, semantics: Semantics, execution: Execution) -> Account:
    """Follow an execution up to the step that was wrong, or to its end."""
    node, path = 0, list[int]()
    states = {model.initial}
    for step in execution.steps:
        move = semantics.move(node, step.input, step.output)
        if move.node < 0:
            return Account(tuple(path), _open(model, states, step.input))
        node = move.node
        path += move.transitions
        states = {model.transitions[k].target for k in move.transitions} or states
    rest = execution.test.inputs[len(execution.steps) :]
    return Account(tuple(path), _open(model, states, rest[0]) if rest and execution.error is not None else ())


def _open(model: Model, states: set[str], symbol: object) -> tuple[int, ...]:
    """The transitions that the model has for an input in some states."""
    if isinstance(model, Fsm):
        return tuple(k for k, t in enumerate(model.transitions) if t.source in states and t.input == symbol)
    if not isinstance(model, Sfsm) or not isinstance(symbol, Mapping):
        return ()
    scope = model.input_scope
    return tuple(
        k for k, t in enumerate(model.transitions) if t.source in states and compile_expression(t.guard, scope)(symbol)
    )
