"""Single faults of a state machine in which a transition assigns what another one does, or what holds at first.

Such as ``credit = 0`` instead of ``credit = credit - price``: no slip of the expression, and no answer alone, as the
value is kept. They are suspects only: mutants are small slips, of which there are many enough.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

from fullproof.language.printer import to_text
from fullproof.language.substitute import literal
from fullproof.language.values import coerce
from fullproof.model import StateMachine
from fullproof.model.sts import Assignment
from fullproof.mutate.statemachine import which_transition


class BorrowedAction(NamedTuple):
    """A fault in words, the machine with it, and what it has instead of what."""

    text: str
    machine: StateMachine
    replaced: tuple[str, str]


def borrowed_actions(model: StateMachine) -> Iterator[BorrowedAction]:
    """For each assignment of each transition, the other values that the model assigns to that variable."""
    said = {variable.name: list[Assignment]() for variable in (*model.outputs, *model.variables)}
    for variable in (*model.outputs, *model.variables):
        if variable.initial is not None:
            first = literal(coerce(variable.initial, variable.type))
            said[variable.name].append(Assignment(variable=variable.name, expression=first))
    for t in model.transitions:
        for action in t.actions:
            said[action.variable].append(action)
    for k, t in enumerate(model.transitions):
        for place, old in enumerate(t.actions):
            for new in dict.fromkeys(said[old.variable]):
                if new == old:
                    continue
                changed = dataclasses.replace(t, actions=(*t.actions[:place], new, *t.actions[place + 1 :]))
                transitions = (*model.transitions[:k], changed, *model.transitions[k + 1 :])
                written, right = (f"{a.variable} = {to_text(a.expression)}" for a in (new, old))
                text = f"action {written} instead of {right} on {which_transition(model, t)}"
                yield BorrowedAction(text, dataclasses.replace(model, transitions=transitions), (written, right))
