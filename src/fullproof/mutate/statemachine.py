"""Mutants of SysML state machines: the faults that people make in guards, actions, signals, targets and triggers.

A machine under test is deterministic (paper 003, hypothesis FH1), and so is a mutant: where a wrong guard overlaps
another one, the transition with the wrong guard goes first. Mutants that still allow two transitions at once, or that
may never come to rest, are left out and counted.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator
from enum import Enum
from functools import partial
from typing import NamedTuple

from fullproof.language.printer import to_text
from fullproof.language.syntax import TRUE
from fullproof.model.statemachine import SmTransition, StateMachine
from fullproof.mutate.assignments import with_wrong_assignment, with_wrong_signal
from fullproof.mutate.engine import Fault, ListedFaults, name_of_copy
from fullproof.mutate.statemachine_slips import Slips


class SmOperator(Enum):
    """The kinds of faults."""

    GUARD = "guard"
    ACTION = "action"
    SEND = "send"
    TRIGGER = "trigger"
    TRANSFER = "transfer"
    REMOVE = "remove"
    SPLIT = "split"


class Change(NamedTuple):
    """A transition with a fault."""

    operator: SmOperator
    what: str
    changed: tuple[SmTransition, ...]
    """None where the transition is missing."""
    replaced: tuple[str, str] | None = None


def statemachine_faults(model: StateMachine, *, extra_states: int = 0) -> ListedFaults[StateMachine]:
    """The faults of a state machine; with ``extra_states`` also those of a copied state that a transition leads to."""
    bound = len(model.states) + extra_states
    return ListedFaults(lambda machine: faults(machine, splits=len(machine.states) < bound), _identity)


def _identity(model: StateMachine) -> Hashable:
    return model.initial, frozenset(
        (t.source, t.trigger, t.guard, t.actions, t.sends, t.target) for t in model.transitions
    )


def faults(model: StateMachine, *, splits: bool) -> Iterator[Fault[StateMachine]]:
    """Yield every single fault with a readable description, operator by operator."""
    slips = Slips(model)
    for operator, changes in _CHANGES.items():
        for k, t in enumerate(model.transitions):
            for change in changes(model, t, slips):
                make = partial(_changed, model, k, change, slips)
                yield Fault(operator.value, _said(model, k, change), make, change.replaced)
    if splits:
        yield from _splits(model, slips)


def _guards(_model: StateMachine, t: SmTransition, slips: Slips) -> Iterator[Change]:
    for guard in slips.guards(t.guard):
        old = to_text(t.guard)
        what = f"no guard instead of {old}" if guard == TRUE else f"guard {to_text(guard)} instead of {old}"
        replaced = None if guard == TRUE else (to_text(guard), old)
        yield Change(SmOperator.GUARD, what, (dataclasses.replace(t, guard=guard),), replaced)


def _actions(_model: StateMachine, t: SmTransition, slips: Slips) -> Iterator[Change]:
    for what, row, replaced in with_wrong_assignment(t.actions, slips.actions):
        yield Change(SmOperator.ACTION, f"action {what}", (dataclasses.replace(t, actions=row),), replaced)
    for new in slips.added(t):
        more = dataclasses.replace(t, actions=(*t.actions, new))
        yield Change(SmOperator.ACTION, f"action {new.variable} = {to_text(new.expression)} added", (more,))


def _sends(model: StateMachine, t: SmTransition, _slips: Slips) -> Iterator[Change]:
    for what, row, replaced in with_wrong_signal(t.sends, model.signals_out):
        yield Change(SmOperator.SEND, what, (dataclasses.replace(t, sends=row),), replaced)


def _triggers(model: StateMachine, t: SmTransition, _slips: Slips) -> Iterator[Change]:
    for other in model.signals_in if t.trigger is not None else ():
        if other != t.trigger:
            heard = dataclasses.replace(t, trigger=other)
            what = f"trigger {other} instead of {t.trigger}"
            yield Change(SmOperator.TRIGGER, what, (heard,), (other, str(t.trigger)))


def _targets(model: StateMachine, t: SmTransition, _slips: Slips) -> Iterator[Change]:
    for state in model.states:
        if state != t.target:
            moved = dataclasses.replace(t, target=state)
            yield Change(SmOperator.TRANSFER, f"target {state} instead of {t.target}", (moved,), (state, t.target))


def _missing(_model: StateMachine, _t: SmTransition, _slips: Slips) -> Iterator[Change]:
    yield Change(SmOperator.REMOVE, "no transition", ())


_CHANGES: dict[SmOperator, Callable[[StateMachine, SmTransition, Slips], Iterator[Change]]] = {
    SmOperator.GUARD: _guards,
    SmOperator.ACTION: _actions,
    SmOperator.SEND: _sends,
    SmOperator.TRIGGER: _triggers,
    SmOperator.TRANSFER: _targets,
    SmOperator.REMOVE: _missing,
}


def _said(model: StateMachine, k: int, change: Change) -> str:
    """The fault and its transition."""
    t = model.transitions[k]
    which = arrow(t) if change.operator is SmOperator.GUARD else which_transition(model, t)
    return f"{change.what} {'on ' if change.changed else ''}{which}"


def which_transition(model: StateMachine, t: SmTransition) -> str:
    """The transition, with its guard where there are several of the same shape."""
    same = [u for u in model.transitions if (u.source, u.trigger, u.target) == (t.source, t.trigger, t.target)]
    return f"{arrow(t)} where {to_text(t.guard)}" if len(same) > 1 else arrow(t)


def arrow(t: SmTransition) -> str:
    """``l0 --a--> l1``, or ``l1 -> l2`` without a trigger."""
    return f"{t.source} -> {t.target}" if t.trigger is None else f"{t.source} --{t.trigger}--> {t.target}"


def _changed(model: StateMachine, k: int, change: Change, slips: Slips) -> StateMachine | None:
    row = list(model.transitions)
    row[k : k + 1] = change.changed
    if change.operator is SmOperator.GUARD:
        slips.give_way(row, k)
    elif change.operator is SmOperator.TRIGGER and slips.overlaps(row, k):
        return None
    made = dataclasses.replace(model, transitions=tuple(row))
    return made if not change.changed or slips.rests(made) else None


def _splits(model: StateMachine, slips: Slips) -> Iterator[Fault[StateMachine]]:
    """One transition leads to a faulty copy of its target."""
    for k, t in enumerate(model.transitions):
        for n, u in enumerate(model.transitions):
            if u.source != t.target:
                continue
            for change in (c for changes in _CHANGES.values() for c in changes(model, u, slips)):
                where = f"a copy of {t.target}, entered by {which_transition(model, t)}, with {_said(model, n, change)}"
                yield Fault(SmOperator.SPLIT.value, where, partial(_split, model, k, n, change, slips), change.replaced)


def _split(model: StateMachine, entry: int, n: int, change: Change, slips: Slips) -> StateMachine | None:
    faulty = _changed(model, n, change, slips)
    if faulty is None:
        return None
    original = model.transitions[entry].target
    copy = name_of_copy(original, model.states)
    row = [dataclasses.replace(u, source=copy) for u in faulty.transitions if u.source == original]
    transitions = list(model.transitions)
    transitions[entry] = dataclasses.replace(transitions[entry], target=copy)
    choices = (*model.choices, copy) if original in model.choices else model.choices
    made = dataclasses.replace(model, states=(*model.states, copy), choices=choices, transitions=(*transitions, *row))
    return made if slips.rests(made) else None
