"""The faults of a finite machine by operator: their number, all of them, and a random one.

Large machines have billions of faults: they are never listed, and a faulty machine is made on demand.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import partial
from random import Random
from typing import NamedTuple, TypeAlias

from fullproof.model.fsm import Fsm, FsmTransition
from fullproof.mutate.engine import Fault as EngineFault
from fullproof.mutate.engine import name_of_copy

_TRIES = 100


class Operator(Enum):
    """The kinds of faults."""

    OUTPUT = "output"
    TRANSFER = "transfer"
    REMOVE = "remove"
    ADD = "add"
    MERGE = "merge"
    SPLIT = "split"


Fault: TypeAlias = EngineFault[Fsm]


class FaultFamily(NamedTuple):
    """All faults of one operator. ``count`` is an upper bound; ``pick`` may return None although there are faults."""

    count: Callable[[Fsm], int]
    each: Callable[[Fsm], Iterator[Fault]]
    pick: Callable[[Fsm, Random], Fault | None]


def _arrow(t: FsmTransition) -> str:
    return f"{t.source} --{t.input}/{t.output}--> {t.target}"


def _other(names: Sequence[str], than: str, random: Random) -> str | None:
    """Another name at random, or None where there is no other."""
    if len(names) < 2:
        return None
    chosen = random.choice(names[:-1])
    return names[-1] if chosen == than else chosen


def _unique(transitions: Iterable[FsmTransition]) -> tuple[FsmTransition, ...]:
    """Each transition once, regardless of its requirements."""
    first: dict[tuple[str, ...], FsmTransition] = {}
    for t in transitions:
        first.setdefault(t[:4], t)
    return tuple(first.values())


def _replaced(fsm: Fsm, position: int, *new: FsmTransition) -> Fsm:
    """Replace one transition by others; existing transitions are not duplicated."""
    transitions = (*fsm.transitions[:position], *new, *fsm.transitions[position + 1 :])
    return dataclasses.replace(fsm, transitions=_unique(transitions), lines=())


def _output(fsm: Fsm, position: int, output: str) -> Fault:
    t = fsm.transitions[position]
    return Fault(
        Operator.OUTPUT.value,
        f"{_arrow(t)}: output {output}",
        partial(_replaced, fsm, position, t._replace(output=output)),
    )


def _outputs(fsm: Fsm) -> Iterator[Fault]:
    for k, t in enumerate(fsm.transitions):
        yield from (_output(fsm, k, output) for output in fsm.outputs if output != t.output)


def _some_output(fsm: Fsm, random: Random) -> Fault | None:
    position = random.randrange(len(fsm.transitions))
    output = _other(fsm.outputs, fsm.transitions[position].output, random)
    return None if output is None else _output(fsm, position, output)


def _transfer(fsm: Fsm, position: int, state: str) -> Fault:
    t = fsm.transitions[position]
    return Fault(
        Operator.TRANSFER.value, f"{_arrow(t)}: to {state}", partial(_replaced, fsm, position, t._replace(target=state))
    )


def _transfers(fsm: Fsm) -> Iterator[Fault]:
    for k, t in enumerate(fsm.transitions):
        yield from (_transfer(fsm, k, state) for state in fsm.states if state != t.target)


def _some_transfer(fsm: Fsm, random: Random) -> Fault | None:
    position = random.randrange(len(fsm.transitions))
    state = _other(fsm.states, fsm.transitions[position].target, random)
    return None if state is None else _transfer(fsm, position, state)


def _removal(fsm: Fsm, position: int) -> Fault:
    return Fault(Operator.REMOVE.value, _arrow(fsm.transitions[position]), partial(_replaced, fsm, position))


def _removals(fsm: Fsm) -> Iterator[Fault]:
    return (_removal(fsm, k) for k in range(len(fsm.transitions)))


def _some_removal(fsm: Fsm, random: Random) -> Fault:
    return _removal(fsm, random.randrange(len(fsm.transitions)))


def _addition(fsm: Fsm, t: FsmTransition) -> Fault:
    return Fault(
        Operator.ADD.value, _arrow(t), lambda: dataclasses.replace(fsm, transitions=(*fsm.transitions, t), lines=())
    )


def _additions(fsm: Fsm) -> Iterator[Fault]:
    present = {t[:3] for t in fsm.transitions}  # a second target for the same output would not be observable
    for source in fsm.states:
        for symbol in fsm.inputs:
            for output in fsm.outputs:
                if (source, symbol, output) not in present:
                    for target in fsm.states:
                        yield _addition(fsm, FsmTransition(source, symbol, output, target))


def _some_addition(fsm: Fsm, random: Random) -> Fault | None:
    present = {t[:3] for t in fsm.transitions}
    for _ in range(_TRIES):
        label = (random.choice(fsm.states), random.choice(fsm.inputs), random.choice(fsm.outputs))
        if label not in present:
            return _addition(fsm, FsmTransition(*label, random.choice(fsm.states)))
    return None


def _merge(fsm: Fsm, kept: str, gone: str) -> Fault:
    def make() -> Fsm:
        moved = (t._replace(target=kept) if t.target == gone else t for t in fsm.transitions if t.source != gone)
        states = tuple(state for state in fsm.states if state != gone)
        return dataclasses.replace(fsm, states=states, transitions=_unique(moved), lines=())

    return Fault(Operator.MERGE.value, f"{gone} is {kept}", make)


def _merges(fsm: Fsm) -> Iterator[Fault]:
    """All transitions to one state lead to another state instead."""
    for kept in fsm.states:
        yield from (_merge(fsm, kept, gone) for gone in fsm.states if gone not in (kept, fsm.initial))


def _some_merge(fsm: Fsm, random: Random) -> Fault | None:
    gone = _other(fsm.states, fsm.initial, random)
    kept = None if gone is None else _other(fsm.states, gone, random)
    return None if gone is None or kept is None else _merge(fsm, kept, gone)


def _split(fsm: Fsm, position: int, original: FsmTransition, changed: FsmTransition) -> Fault:
    t = fsm.transitions[position]
    change = f"output {changed.output}" if changed.output != original.output else f"to {changed.target}"

    def make() -> Fsm:
        copy = name_of_copy(original.source, fsm.states)
        row = (changed if u == original else u for u in fsm.transitions if u.source == original.source)
        redirected = fsm.transitions[position]._replace(target=copy)
        transitions = (*fsm.transitions[:position], redirected, *fsm.transitions[position + 1 :])
        copies = (u._replace(source=copy) for u in row)
        states = (*fsm.states, copy)
        return dataclasses.replace(fsm, states=states, transitions=_unique((*transitions, *copies)), lines=())

    return Fault(Operator.SPLIT.value, f"{_arrow(t)}: to a copy of {t.target} with {_arrow(original)}: {change}", make)


def _rows(fsm: Fsm) -> dict[str, list[FsmTransition]]:
    rows: dict[str, list[FsmTransition]] = defaultdict(list)
    for t in fsm.transitions:
        rows[t.source].append(t)
    return rows


def _splits(fsm: Fsm) -> Iterator[Fault]:
    """One transition leads to a faulty copy of its target."""
    rows = _rows(fsm)
    for k, t in enumerate(fsm.transitions):
        for u in rows[t.target]:
            yield from (_split(fsm, k, u, u._replace(output=o)) for o in fsm.outputs if o != u.output)
            yield from (_split(fsm, k, u, u._replace(target=s)) for s in fsm.states if s != u.target)


def _some_split(fsm: Fsm, random: Random) -> Fault | None:
    position = random.randrange(len(fsm.transitions))
    row = [u for u in fsm.transitions if u.source == fsm.transitions[position].target]
    if not row:
        return None
    original = random.choice(row)
    outputs, targets = len(fsm.outputs) - 1, len(fsm.states) - 1
    if outputs + targets == 0:
        return None
    if random.randrange(outputs + targets) < outputs:
        output = _other(fsm.outputs, original.output, random)
        return None if output is None else _split(fsm, position, original, original._replace(output=output))
    state = _other(fsm.states, original.target, random)
    return None if state is None else _split(fsm, position, original, original._replace(target=state))


def _count_splits(fsm: Fsm) -> int:
    rows = _rows(fsm)
    return sum(len(rows[t.target]) for t in fsm.transitions) * (len(fsm.outputs) + len(fsm.states) - 2)


FAMILIES: dict[Operator, FaultFamily] = {
    Operator.OUTPUT: FaultFamily(lambda fsm: len(fsm.transitions) * (len(fsm.outputs) - 1), _outputs, _some_output),
    Operator.TRANSFER: FaultFamily(
        lambda fsm: len(fsm.transitions) * (len(fsm.states) - 1), _transfers, _some_transfer
    ),
    Operator.REMOVE: FaultFamily(lambda fsm: len(fsm.transitions), _removals, _some_removal),
    Operator.ADD: FaultFamily(
        lambda fsm: len(fsm.states) ** 2 * len(fsm.inputs) * len(fsm.outputs), _additions, _some_addition
    ),
    Operator.MERGE: FaultFamily(lambda fsm: (len(fsm.states) - 1) ** 2, _merges, _some_merge),
    Operator.SPLIT: FaultFamily(_count_splits, _splits, _some_split),
}
