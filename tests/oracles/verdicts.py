"""Verdicts by their definition: a trace is right where it belongs to the language of the machine."""

from collections.abc import Iterator, Sequence
from itertools import product

from fullproof.artefacts.execution import Execution, Step
from fullproof.artefacts.request import Relation
from fullproof.model import Fsm


def reached(machine: Fsm, steps: Sequence[Step]) -> set[str]:
    """Every state that some path with these inputs and outputs ends in."""
    states = {machine.initial}
    for step in steps:
        states = {t.target for t in machine.transitions if t.source in states and t[1:3] == (step.input, step.output)}
    return states


def defined(machine: Fsm, steps: Sequence[Step]) -> set[str]:
    """The inputs by which a trace of the machine may be followed: Delta_M of paper 002."""
    return {t.input for t in machine.transitions if t.source in reached(machine, steps)}


def may_offer(known: set[str], enabled: frozenset[str] | None, relation: Relation) -> bool:
    """Whether a system may offer these inputs where the machine has those."""
    if enabled is None:
        return True
    match relation:
        case Relation.STRONG_REDUCTION | Relation.LANGUAGE_EQUIVALENCE:
            return enabled == known
        case Relation.REDUCTION:
            return enabled <= known
        case _:
            return enabled >= known


def explains(machine: Fsm, steps: Sequence[Step], at_end: frozenset[str] | None, relation: Relation) -> bool:
    """Whether every step is one of the machine's language; after an undefined input anything may be right."""
    for number, step in enumerate(steps):
        known = defined(machine, steps[:number])
        if not may_offer(known, step.enabled, relation):
            return False
        if relation in (Relation.EQUIVALENCE, Relation.QUASI_REDUCTION) and step.input not in known:
            return True
        if not reached(machine, steps[: number + 1]):
            return False
    return may_offer(defined(machine, steps), at_end, relation)


def is_over(machine: Fsm, seen: Execution, relation: Relation) -> bool:
    """Whether a trace without a wrong step need not go on: at its end, where its next input is not offered, where
    anything goes, or where no system may answer, which for reduction has to be seen."""
    done = len(seen.steps)
    if done == len(seen.test.inputs):
        return True
    symbol = seen.test.inputs[done]
    if relation in (Relation.EQUIVALENCE, Relation.QUASI_REDUCTION):
        words = [(step.input, seen.steps[:number]) for number, step in enumerate(seen.steps)]
        if any(word not in defined(machine, steps) for word, steps in words):
            return True
    if seen.enabled_at_end is not None and symbol not in seen.enabled_at_end:
        return True
    return relation is not Relation.REDUCTION and symbol not in defined(machine, seen.steps)


def first_wrong_step(machine: Fsm, steps: Sequence[Step], relation: Relation) -> int | None:
    """The length of the shortest prefix that nothing explains."""
    for length in range(1, len(steps) + 1):
        if not explains(machine, steps[:length], None, relation):
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
