"""Faults of finite machines: wrong outputs, wrong targets, missing and surplus transitions, states merged and split."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial

from fullproof.model.fsm import Fsm, FsmTransition


class Operator(Enum):
    """The kinds of faults."""

    OUTPUT = "output"
    TRANSFER = "transfer"
    REMOVE = "remove"
    ADD = "add"
    MERGE = "merge"
    SPLIT = "split"


WITHIN_DETERMINISTIC = (Operator.OUTPUT, Operator.TRANSFER, Operator.MERGE, Operator.SPLIT)
"""Faults that keep a deterministic complete machine deterministic and complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A faulty machine; ``operator`` and ``where`` name its faults, several where the order is above one."""

    fsm: Fsm
    operator: str
    where: str


def mutants(
    fsm: Fsm, *, extra_states: int = 0, order: int = 1, sample: int | None = None, seed: int = 0
) -> list[Mutant]:
    """All mutants of an order, or a random sample of them.

    A machine that is deterministic and complete gets only faults that keep it so; with ``extra_states`` a state may be
    split, and one of its copies gets a fault. Splits that would exceed the extra states are left out.
    """
    rng = random.Random(seed)
    bound = len(fsm.states) + extra_states
    operators = _operators(fsm, split=extra_states > 0)
    if sample is None:
        return _distinct(_exhaustive(Mutant(fsm=fsm, operator="", where=""), operators, order, bound), original=fsm)
    found: dict[tuple[object, ...], Mutant] = {}
    for _ in range(40 * sample):
        if len(found) >= sample:
            break
        mutant: Mutant | None = Mutant(fsm=fsm, operator="", where="")
        for _ in range(order):
            mutant = None if mutant is None else _random_fault(mutant, operators, bound, rng)
        if mutant is not None and _behaviour(mutant.fsm) != _behaviour(fsm):
            found.setdefault(_behaviour(mutant.fsm), mutant)
    return list(found.values())


Faults = Callable[[Fsm], list[tuple[str, Callable[[], Fsm]]]]
"""The faults of one kind: where each one is, and how to make it. Made late, since a sample needs few of many."""


def _operators(fsm: Fsm, *, split: bool) -> dict[Operator, Faults]:
    table: dict[Operator, Faults] = {
        Operator.OUTPUT: _outputs,
        Operator.TRANSFER: _transfers,
        Operator.REMOVE: _removals,
        Operator.ADD: _additions,
        Operator.MERGE: _merges,
        Operator.SPLIT: _splits,
    }
    cells = {(t.source, t.input) for t in fsm.transitions}
    plain = len(cells) == len(fsm.transitions) == len(fsm.states) * len(fsm.inputs)
    kept = WITHIN_DETERMINISTIC if plain else tuple(Operator)
    return {operator: table[operator] for operator in kept if split or operator is not Operator.SPLIT}


def _exhaustive(base: Mutant, operators: dict[Operator, Faults], order: int, bound: int) -> Iterator[Mutant]:
    for operator, faults in operators.items():
        for where, make in faults(base.fsm):
            mutant = _named(base, operator, where, make())
            if len(mutant.fsm.states) > bound:
                continue
            if order > 1:
                yield from _exhaustive(mutant, operators, order - 1, bound)
            else:
                yield mutant


def _random_fault(base: Mutant, operators: dict[Operator, Faults], bound: int, rng: random.Random) -> Mutant | None:
    choices = [(operator, faults(base.fsm)) for operator, faults in operators.items()]
    choices = [(operator, faults) for operator, faults in choices if faults]
    if not choices:
        return None
    operator, faults = rng.choice(choices)
    where, make = rng.choice(faults)
    mutant = _named(base, operator, where, make())
    return mutant if len(mutant.fsm.states) <= bound else None


def _named(base: Mutant, operator: Operator, where: str, fsm: Fsm) -> Mutant:
    join = "{} + {}" if base.operator else "{}{}"
    return Mutant(fsm=fsm, operator=join.format(base.operator, operator.value), where=join.format(base.where, where))


def _behaviour(fsm: Fsm) -> tuple[object, ...]:
    return (fsm.initial, frozenset(t[:4] for t in fsm.transitions))


def _distinct(found: Iterator[Mutant], *, original: Fsm) -> list[Mutant]:
    """Each machine once: two faults may cancel out, or commute."""
    unique: dict[tuple[object, ...], Mutant] = {}
    for mutant in found:
        unique.setdefault(_behaviour(mutant.fsm), mutant)
    unique.pop(_behaviour(original), None)
    return list(unique.values())


def _arrow(t: FsmTransition) -> str:
    return f"{t.source} --{t.input}/{t.output}--> {t.target}"


def _replace(fsm: Fsm, position: int, *new: FsmTransition) -> Fsm:
    """Put other transitions in the place of one; a transition that is there already is not doubled."""
    others = (*fsm.transitions[:position], *fsm.transitions[position + 1 :])
    present = {t[:4] for t in others}
    added = tuple(t for t in new if t[:4] not in present)
    transitions = (*fsm.transitions[:position], *added, *fsm.transitions[position + 1 :])
    return dataclasses.replace(fsm, transitions=transitions, lines=())


def _outputs(fsm: Fsm) -> list[tuple[str, Callable[[], Fsm]]]:
    return [
        (f"{_arrow(t)}: output {output}", partial(_replace, fsm, k, t._replace(output=output)))
        for k, t in enumerate(fsm.transitions)
        for output in fsm.outputs
        if output != t.output
    ]


def _transfers(fsm: Fsm) -> list[tuple[str, Callable[[], Fsm]]]:
    return [
        (f"{_arrow(t)}: to {state}", partial(_replace, fsm, k, t._replace(target=state)))
        for k, t in enumerate(fsm.transitions)
        for state in fsm.states
        if state != t.target
    ]


def _removals(fsm: Fsm) -> list[tuple[str, Callable[[], Fsm]]]:
    return [(_arrow(t), partial(_replace, fsm, k)) for k, t in enumerate(fsm.transitions)]


def _additions(fsm: Fsm) -> list[tuple[str, Callable[[], Fsm]]]:
    present = {t[:3] for t in fsm.transitions}  # a second target for the same output would not be observable
    new = [
        FsmTransition(source, symbol, output, target)
        for source in fsm.states
        for symbol in fsm.inputs
        for output in fsm.outputs
        if (source, symbol, output) not in present
        for target in fsm.states
    ]
    return [(_arrow(t), partial(_with, fsm, t)) for t in new]


def _with(fsm: Fsm, t: FsmTransition) -> Fsm:
    return dataclasses.replace(fsm, transitions=(*fsm.transitions, t), lines=())


def _merges(fsm: Fsm) -> list[tuple[str, Callable[[], Fsm]]]:
    return [
        (f"{gone} is {kept}", partial(_merge, fsm, kept, gone))
        for kept in fsm.states
        for gone in fsm.states
        if gone not in (kept, fsm.initial)
    ]


def _merge(fsm: Fsm, kept: str, gone: str) -> Fsm:
    """Whatever leads to one state leads to the other instead."""
    moved = (t._replace(target=kept) if t.target == gone else t for t in fsm.transitions if t.source != gone)
    return dataclasses.replace(
        fsm,
        states=tuple(s for s in fsm.states if s != gone),
        transitions=tuple(dict.fromkeys(moved)),
        lines=(),
    )


def _splits(fsm: Fsm) -> list[tuple[str, Callable[[], Fsm]]]:
    """One transition leads to a faulty copy of its target."""
    return [
        (f"{_arrow(t)}: to a copy of {t.target} with {_arrow(u)}: {fault}", partial(_split, fsm, k, u, changed))
        for k, t in enumerate(fsm.transitions)
        for u in fsm.transitions
        if u.source == t.target
        for fault, changed in _changes(fsm, u)
    ]


def _changes(fsm: Fsm, u: FsmTransition) -> list[tuple[str, FsmTransition]]:
    outputs = [(f"output {o}", u._replace(output=o)) for o in fsm.outputs if o != u.output]
    targets = [(f"to {s}", u._replace(target=s)) for s in fsm.states if s != u.target]
    return outputs + targets


def _split(fsm: Fsm, position: int, original: FsmTransition, changed: FsmTransition) -> Fsm:
    copy = _fresh(original.source, fsm.states)
    row = [changed if t == original else t for t in fsm.transitions if t.source == original.source]
    redirected = fsm.transitions[position]._replace(target=copy)
    transitions = (*fsm.transitions[:position], redirected, *fsm.transitions[position + 1 :])
    copies = dict.fromkeys(t._replace(source=copy) for t in row)
    return dataclasses.replace(fsm, states=(*fsm.states, copy), transitions=(*transitions, *copies), lines=())


def _fresh(name: str, taken: tuple[str, ...]) -> str:
    candidate = name + "'"
    while candidate in taken:
        candidate += "'"
    return candidate
