"""The conditions of paper 000, Tables 5.1 and 2.4, by their text: sets of symbolic traces and nothing clever."""

from collections.abc import Iterator, Sequence
from itertools import product

from fullproof.generate.symbolic.letters import LetterMachine

Trace = tuple[int, ...]


def state_after(machine: LetterMachine, trace: Trace) -> int | None:
    state: int | None = 0
    for letter in trace:
        state = machine.after[state].get(letter) if state is not None else None
    return state


def shortened(machine: LetterMachine, trace: Trace) -> Trace:
    """The first part of a trace that the model lacks, else all of it: a system that lacks a part lacks the rest."""
    for length in range(1, len(trace)):
        if state_after(machine, trace[:length]) is None:
            return trace[:length]
    return trace


def decided(machine: LetterMachine, words: Sequence[Trace]) -> set[Trace]:
    """The traces of which passing tells whether a system has them."""
    found: set[Trace] = {()}
    for word in words:
        level: list[Trace] = [()]
        for symbol in word:
            level = [
                (*trace, letter)
                for trace in level
                if state_after(machine, trace) is not None
                for letter in machine.inputs[symbol]
            ]
            found.update(level)
    return found


def violations(
    machine: LetterMachine, cover: Sequence[Trace], words: Sequence[Trace], *, extra: int, kinds: Sequence[int]
) -> Iterator[str]:
    """What a suite lacks, given a state cover V."""
    letters = range(1 + max(max(offered, default=0) for offered in machine.inputs))
    if {state_after(machine, v) for v in cover} != set(range(machine.states)) or () not in cover:
        yield "V is not a state cover"
    known = decided(machine, words)
    middle = {v + w for v in cover for k in range(1, extra + 2) for w in product(letters, repeat=k)}
    yield from (f"{trace} is not decided" for trace in {*middle, *cover} if shortened(machine, trace) not in known)
    apart = {(one, other) for one in cover for other in cover if one < other}
    traces = [trace for trace in middle if state_after(machine, trace) is not None]
    apart |= {
        (one, other)
        for one in {*traces, *cover}
        for other in traces
        if (one in cover or (len(one) < len(other) and other[: len(one)] == one))
        and kinds[state_after(machine, one) or 0] != kinds[state_after(machine, other) or 0]
    }
    for one, other in apart:
        if not any(separates(machine, one, other, gamma, known) for gamma in suffixes(one, known)):
            yield f"{one} and {other} are not distinguished"


def suffixes(trace: Trace, known: set[Trace]) -> list[Trace]:
    return [longer[len(trace) :] for longer in known if longer[: len(trace)] == trace]


def separates(machine: LetterMachine, one: Trace, other: Trace, gamma: Trace, known: set[Trace]) -> bool:
    """Whether gamma is in Delta(one, other), and decided after both."""
    ends = state_after(machine, one + gamma), state_after(machine, other + gamma)
    return (ends[0] is None) != (ends[1] is None) and shortened(machine, other + gamma) in known
