"""Verdicts by their definition: a trace is right where some path through the machine explains it."""

from collections.abc import Iterator, Sequence
from itertools import product

from fullproof.artefacts.request import Relation
from fullproof.artefacts.trace import Step
from fullproof.model import Fsm


def defined(machine: Fsm, state: str) -> set[str]:
    return {t.input for t in machine.transitions if t.source == state}


def may_offer(machine: Fsm, state: str, enabled: frozenset[str] | None, relation: Relation) -> bool:
    """Whether a system that offers these inputs may be in this state."""
    if enabled is None:
        return True
    match relation:
        case Relation.STRONG_REDUCTION:
            return enabled == defined(machine, state)
        case Relation.REDUCTION:
            return enabled <= defined(machine, state)
        case _:
            return enabled >= defined(machine, state)


def explains(
    machine: Fsm, state: str, steps: Sequence[Step], at_end: frozenset[str] | None, relation: Relation
) -> bool:
    """Whether some path from the state gives these steps; after an undefined input anything may be right."""
    if not steps:
        return may_offer(machine, state, at_end, relation)
    first, rest = steps[0], steps[1:]
    if not may_offer(machine, state, first.enabled, relation):
        return False
    if relation in (Relation.EQUIVALENCE, Relation.QUASI_REDUCTION) and first.input not in defined(machine, state):
        return True
    return any(
        explains(machine, t.target, rest, at_end, relation)
        for t in machine.transitions
        if (t.source, t.input, t.output) == (state, first.input, first.output)
    )


def first_wrong_step(machine: Fsm, steps: Sequence[Step], relation: Relation) -> int | None:
    """The length of the shortest prefix that nothing explains."""
    for length in range(1, len(steps) + 1):
        if not explains(machine, machine.initial, steps[:length], None, relation):
            return length
    return None


def answers(machine: Fsm, word: Sequence[str]) -> set[tuple[str, ...]]:
    """Every sequence of outputs with which a machine may answer a word, by trying all of them."""
    return {
        outputs
        for outputs in product(machine.outputs, repeat=len(word))
        if _can(machine, {machine.initial}, word, outputs)
    }


def _can(machine: Fsm, states: set[str], word: Sequence[str], outputs: Sequence[str]) -> bool:
    for symbol, output in zip(word, outputs, strict=True):
        states = {t.target for t in machine.transitions if t.source in states and t[1:3] == (symbol, output)}
    return bool(states)


def paths(machine: Fsm, word: Sequence[str]) -> Iterator[list[int]]:
    """Every sequence of transitions along a word, by their positions."""

    def walk(state: str, rest: Sequence[str]) -> Iterator[list[int]]:
        if not rest:
            yield []
            return
        for number, t in enumerate(machine.transitions):
            if (t.source, t.input) == (state, rest[0]):
                for tail in walk(t.target, rest[1:]):
                    yield [number, *tail]

    return walk(machine.initial, word)
