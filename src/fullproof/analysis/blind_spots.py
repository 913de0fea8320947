"""Unobservable aspects of a model: models without observable outputs, and states that behave alike.

A suite counts states that no test distinguishes as one. Where few states remain, a guarantee of equivalence is weak,
and a reader must be informed of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from fullproof.analysis.equivalence import state_classes
from fullproof.analysis.reachability import reachable
from fullproof.analysis.table import numbering, relation_table
from fullproof.language.substitute import literal
from fullproof.language.traversal import free_names
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts
from fullproof.model.statemachine import SmTransition
from fullproof.model.unflattened import UnflattenedMachine


@dataclass(frozen=True, slots=True)
class BlindSpots:
    """``nothing`` says why nothing can be observed, and is empty where something can.

    ``shown_by_inputs``: the states still differ in the inputs that they define, which a grey box shows.
    ``groups`` are reachable states of which no test distinguishes one from another in its group. Every listed group is
    correct; an sfsm, an sts or a statemachine may have further groups, since equivalence of values is not checked.
    """

    nothing: str
    groups: tuple[tuple[str, ...], ...]
    shown_by_inputs: bool = False


def blind_spots(model: Model) -> BlindSpots:
    """Examine a model of any kind, at low cost and without a solver."""
    match model:
        case Fsm():
            return _of_fsm(model)
        case Sfsm():
            return _of_sfsm(model)
        case Sts():
            return _of_sts(model)
        case UnflattenedMachine():  # its states are never listed, and its outputs have owners
            return BlindSpots("", ())
        case StateMachine():
            return _of_statemachine(model)


def _of_fsm(model: Fsm) -> BlindSpots:
    table = relation_table(model)
    reached = reachable(table)
    names = numbering(model)
    owners = np.repeat(np.arange(len(table.start) - 1), np.diff(table.start)) // max(table.inputs, 1)
    given = np.unique(table.output[reached[owners]])
    classes = state_classes(table)
    groups: dict[int, list[str]] = {}
    for state in np.flatnonzero(reached).tolist():
        groups.setdefault(int(classes[state]), []).append(names.states[state])
    nothing = ""
    if len(given) == 1 and reached.sum() > 1:
        nothing = f"every input is answered by {names.outputs[given[0]]}"
    return BlindSpots(nothing, _several(groups.values()), shown_by_inputs=len(groups) > 1)


def _of_sfsm(model: Sfsm) -> BlindSpots:
    reached = _reached(model.initial, [(t.source, t.target) for t in model.transitions])
    outputs = {t.output for t in model.transitions if t.source in reached}
    nothing = ""
    if len(reached) > 1 and len(outputs) == 1:
        nothing = "every transition has the same output expression"
    blocks = _blocks(
        [state for state in model.states if state in reached],
        lambda state, block: frozenset(
            (t.guard, t.output, block[t.target]) for t in model.transitions if t.source == state
        ),
    )
    return BlindSpots(nothing, blocks)


def _of_sts(model: Sts) -> BlindSpots:
    reached = _reached(model.initial, [(t.source, t.target) for t in model.transitions])
    outputs = {gate.name for gate in model.outputs}
    speaks = any(t.gate in outputs for t in model.transitions if t.source in reached)
    blocks = _blocks(
        [state for state in model.states if state in reached],
        lambda state, block: frozenset(
            (t.gate, t.guard, t.assignments, block[t.target]) for t in model.transitions if t.source == state
        ),
    )
    return BlindSpots("" if speaks or len(reached) < 2 else "no output is ever given", blocks)


def _of_statemachine(model: StateMachine) -> BlindSpots:
    """Events that change nothing are lost, so an unobservable step between equivalent states does not count as a step.

    Two states are alike where they have the same visible transitions: those that send, write what can be seen or
    decides later what is seen, or lead to states that are not alike. Holds for deterministic machines without
    livelocks.
    """
    reached = _reached(model.initial, [(t.source, t.target) for t in model.transitions])
    initial = {v.name: v.initial for v in model.outputs}
    here = [t for t in model.transitions if t.source in reached]

    def changes(t: SmTransition) -> bool:
        return any(
            a.variable in initial and a.expression != literal(value)
            for a in t.actions
            for value in [initial.get(a.variable)]
            if value is not None
        )

    nothing = ""
    if here and not any(t.sends or changes(t) for t in here):
        has = "an output attribute is never changed and no signal is sent" if model.outputs else ""
        nothing = has or "there are no outputs: no attribute is written and no signal is sent"
    states = [state for state in model.states if state in reached]
    relevant = {v.name for v in model.outputs} if not nothing else set[str]()
    groups: tuple[tuple[str, ...], ...] = ()
    while True:
        block: dict[str, int] = {}
        known = frozenset(relevant)

        def signature(state: str, block: dict[str, int], known: frozenset[str] = known) -> object:
            return frozenset(
                (t.trigger, t.guard, _seen(t, known), t.sends, t.starts, t.stops, block[t.target])
                for t in here
                if t.source == state and _visible(t, block, known)
            )

        block = _partition(states, signature, first={s: int(s in model.choices) for s in states})
        groups = _several(_members(block, [s for s in states if s not in model.choices]))
        for t in here:
            if _visible(t, block, known):
                relevant |= free_names(t.guard)
            for action in t.actions:
                if action.variable in relevant:
                    relevant |= free_names(action.expression)
        if relevant == known:
            return BlindSpots(nothing, groups)


def _seen(t: SmTransition, relevant: frozenset[str]) -> tuple[object, ...]:
    return tuple(action for action in t.actions if action.variable in relevant)


def _visible(t: SmTransition, block: dict[str, int], relevant: frozenset[str]) -> bool:
    return bool(t.sends or t.starts or t.stops or _seen(t, relevant)) or block[t.source] != block[t.target]


def _blocks(states: Sequence[str], signature: Callable[[str, dict[str, int]], object]) -> tuple[tuple[str, ...], ...]:
    return _several(_members(_partition(states, signature, first=dict.fromkeys(states, 0)), states))


def _partition(
    states: Sequence[str], signature: Callable[[str, dict[str, int]], object], *, first: dict[str, int]
) -> dict[str, int]:
    """The coarsest partition in which states of a block have the same signature."""
    block, count = first, len(set(first.values()))
    while True:
        numbers: dict[object, int] = {}
        block = {state: numbers.setdefault((block[state], signature(state, block)), len(numbers)) for state in states}
        if len(numbers) == count:
            return block
        count = len(numbers)


def _members(block: dict[str, int], states: Sequence[str]) -> list[list[str]]:
    groups: dict[int, list[str]] = {}
    for state in states:
        groups.setdefault(block[state], []).append(state)
    return list(groups.values())


def _several(groups: Iterable[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group) for group in groups if len(group) > 1)


def _reached(initial: str, edges: Sequence[tuple[str, str]]) -> set[str]:
    following: dict[str, list[str]] = {}
    for source, target in edges:
        following.setdefault(source, []).append(target)
    reached, todo = {initial}, [initial]
    while todo:
        for target in following.get(todo.pop(), ()):
            if target not in reached:
                reached.add(target)
                todo.append(target)
    return reached
