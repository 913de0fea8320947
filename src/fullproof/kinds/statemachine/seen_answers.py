"""Single faults of a state machine in what a transition answers, with the answers that the system has given."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from fullproof.kinds.suspects import SuspectFaults
from fullproof.language.printer import to_text
from fullproof.language.substitute import literal
from fullproof.model import StateMachine
from fullproof.model.inputs import SENDS, SignalEvent
from fullproof.model.statemachine import SmTransition
from fullproof.model.sts import Assignment
from fullproof.mutate.statemachine import which_transition


class SeenAnswer(NamedTuple):
    """A fault in words, the machine with it, and what it has instead of what."""

    text: str
    machine: StateMachine
    replaced: tuple[str, str]


def seen_answers(model: StateMachine, asked: SuspectFaults) -> Iterator[SeenAnswer]:
    """Other signals, or another value of an output, of the transitions for the events of a shortest failing test.

    Typical slips have no value that is not in the model, and no signal where the model sends none.
    """
    shown = min(asked.failing, key=lambda trace: len(trace.steps))
    for k, t in enumerate(model.transitions):
        tried = set[tuple[str, str]]()
        for step in shown.steps:
            if isinstance(step.input, SignalEvent) and step.input.signal == t.trigger and isinstance(step.output, dict):
                for what, changed, replaced in _answering(model, t, step.output):
                    if replaced not in tried:
                        tried.add(replaced)
                        transitions = (*model.transitions[:k], changed, *model.transitions[k + 1 :])
                        machine = dataclasses.replace(model, transitions=transitions)
                        yield SeenAnswer(f"{what} on {which_transition(model, t)}", machine, replaced)


def _answering(
    model: StateMachine, t: SmTransition, output: Mapping[str, object]
) -> Iterator[tuple[str, SmTransition, tuple[str, str]]]:
    sent = output.get(SENDS)
    if isinstance(sent, list) and tuple(sent) != t.sends and set(sent) <= {*model.signals_out}:
        wrong, right = (", ".join(signals) or "nothing" for signals in (sent, t.sends))
        changed = dataclasses.replace(t, sends=tuple(map(str, sent)))
        yield f"sends {wrong} instead of {right}", changed, (f"send {wrong}", f"send {right}")
    for variable in model.outputs:
        value, own = output.get(variable.name), [a for a in t.actions if a.variable == variable.name]
        if not isinstance(value, bool | int | Fraction | str):
            continue
        new = Assignment(variable=variable.name, expression=literal(value))
        changed = dataclasses.replace(t, actions=(*(a for a in t.actions if a not in own), new))
        written = f"{new.variable} = {to_text(new.expression)}"
        right = "; ".join(f"{a.variable} = {to_text(a.expression)}" for a in own)
        if written != right:
            instead = f" instead of {right}" if right else " added"
            yield f"action {written}{instead}", changed, (written, right)
