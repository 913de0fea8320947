"""Deterministic machines as tables of numbers, and the operations that the checker needs.

Everything here is the textbook definition, written for reading: an assessor who trusts this file knows what a suite,
a passing machine and an equivalent machine are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from fullproof.model.fsm import Fsm, FsmTransition

UNDEFINED = -1
"""The target and the output of an input that a partial machine leaves undefined in a state."""

Word = tuple[int, ...]
Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class FlatMachine:
    """State 0 is the initial one; input ``i`` in state ``s`` leads to ``target[s][i]`` and answers ``output[s][i]``.

    Of partial machines both are ``UNDEFINED`` where an input is.
    """

    target: Rows
    output: Rows

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.target)

    @property
    def inputs(self) -> int:
        """How many inputs there are."""
        return len(self.target[0])

    @property
    def is_complete(self) -> bool:
        """Whether every input is defined in every state."""
        return all(UNDEFINED not in row for row in self.target)

    def defines(self, word: Word) -> bool:
        """Whether every input of a word is defined where it is applied."""
        state = 0
        for symbol in word:
            state = self.target[state][symbol]
            if state == UNDEFINED:
                return False
        return True


def obstacle(fsm: Fsm) -> str | None:
    """Why a machine is not complete and deterministic, or None where it is."""
    choice = nondeterminism(fsm)
    if choice is not None:
        return choice
    seen = {(t.source, t.input) for t in fsm.transitions}
    for state in fsm.states:
        for symbol in fsm.inputs:
            if (state, symbol) not in seen:
                return f"the model is partial: state {state!r} has no transition for input {symbol!r}"
    return None


def nondeterminism(fsm: Fsm) -> str | None:
    """Why a machine is not deterministic, or None where it is."""
    seen = set()
    for t in fsm.transitions:
        if (t.source, t.input) in seen:
            return f"the model is nondeterministic: state {t.source!r} has several transitions for input {t.input!r}"
        seen.add((t.source, t.input))
    return None


def tabulate(fsm: Fsm) -> FlatMachine:
    """Number states (the initial one first), inputs and outputs in the order in which the model lists them.

    Needs: deterministic (``nondeterminism``).
    """
    names = (fsm.initial, *(s for s in fsm.states if s != fsm.initial))
    state = {name: k for k, name in enumerate(names)}
    answer = {name: k for k, name in enumerate(fsm.outputs)}
    cell = {(t.source, t.input): (state[t.target], answer[t.output]) for t in fsm.transitions}
    nothing = UNDEFINED, UNDEFINED
    return FlatMachine(
        target=tuple(tuple(cell.get((s, i), nothing)[0] for i in fsm.inputs) for s in names),
        output=tuple(tuple(cell.get((s, i), nothing)[1] for i in fsm.inputs) for s in names),
    )


def minimal(machine: FlatMachine) -> FlatMachine:
    """The smallest equivalent machine: one state for each class of equivalent reachable states.

    States that differ in what they define are not equivalent.
    """
    block = classes(machine) | {UNDEFINED: UNDEFINED}
    member = {c: s for s, c in reversed(block.items()) if s != UNDEFINED}
    return FlatMachine(
        target=tuple(tuple(block[t] for t in machine.target[member[c]]) for c in range(len(member))),
        output=tuple(machine.output[member[c]] for c in range(len(member))),
    )


def classes(machine: FlatMachine) -> dict[int, int]:
    """The class of each reachable state, breadth first; equivalent states have the same one, the first has 0.

    Moore 1956: split by outputs, then by the classes of the successors until nothing changes.
    """
    states = reachable(machine)
    block = dict.fromkeys(states, 0)
    count = 0
    while True:
        after = block | {UNDEFINED: UNDEFINED}
        signature = {s: (block[s], machine.output[s], tuple(after[t] for t in machine.target[s])) for s in states}
        number: dict[object, int] = {}
        block = {s: number.setdefault(signature[s], len(number)) for s in states}
        if len(number) == count:
            return block
        count = len(number)


def reachable(machine: FlatMachine) -> list[int]:
    """The states that some word leads to, breadth first."""
    found = [0]
    seen = {0}
    for state in found:
        for target in machine.target[state]:
            if target != UNDEFINED and target not in seen:
                seen.add(target)
                found.append(target)
    return found


def respond(machine: FlatMachine, word: Sequence[int]) -> Word:
    """The outputs of a word from the initial state."""
    state, outputs = 0, []
    for symbol in word:
        outputs.append(machine.output[state][symbol])
        state = machine.target[state][symbol]
    return tuple(outputs)


def difference(one: FlatMachine, other: FlatMachine, *, start: tuple[int, int] = (0, 0)) -> Word | None:
    """A shortest word that the machines answer differently from their start states, or None where there is none.

    Only words that both define count.
    """
    words: dict[tuple[int, int], Word] = {start: ()}
    queue = deque(words)
    while queue:
        s, r = queue.popleft()
        for i in range(one.inputs):
            if UNDEFINED in (one.target[s][i], other.target[r][i]):
                continue
            word = (*words[s, r], i)
            if one.output[s][i] != other.output[r][i]:
                return word
            pair = (one.target[s][i], other.target[r][i])
            if pair not in words:
                words[pair] = word
                queue.append(pair)
    return None


def spare_output(model: Fsm) -> str:
    """A name for an output that the model lacks."""
    spare = "other"
    while spare in model.outputs:
        spare += "_"
    return spare


def name(machine: FlatMachine, model: Fsm) -> Fsm:
    """The machine as a model over the same inputs and outputs. An output that the model lacks is named 'other'."""
    states = tuple(f"q{k}" for k in range(machine.states))
    outputs = model.outputs
    if any(o >= len(outputs) for row in machine.output for o in row):
        outputs = (*outputs, spare_output(model))
    return Fsm(
        name=f"{model.name}-survivor",
        initial=states[0],
        states=states,
        inputs=model.inputs,
        outputs=outputs,
        transitions=tuple(
            FsmTransition(states[s], symbol, outputs[machine.output[s][i]], states[machine.target[s][i]])
            for s in range(machine.states)
            for i, symbol in enumerate(model.inputs)
        ),
    )
