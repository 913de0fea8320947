"""Observable machines, which may be partial and nondeterministic, and what conforms to them.

Everything here is the textbook definition, written for reading: an assessor who trusts this file knows what passes a
suite and what conforms, for each relation (Sachtleben and Peleska 2022, sections 3 and 5.4).

A *letter* is an input with an output. Letters are grouped in *cells*: whether an input is defined in a state is the
same for all letters of a cell. Of a finite machine, a cell is an input with all its outputs; of a symbolic one, a
letter is a class of inputs and outputs, a cell those with the same guards.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from fullproof.artefacts.request import ALL_ANSWERS, GREY_BOX, Relation
from fullproof.certify.machine import Word, spare_output
from fullproof.model.fsm import Fsm, FsmTransition

Letters = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TraceMachine:
    """``after[state][letter]`` is the state that is reached; an absent letter is impossible. State 0 is initial.

    ``cells`` are all letters there are, ``offers[i]`` those that input ``i`` of a test may be answered with. A trace
    leads to one state at most: the machine is observable.
    """

    cells: tuple[Letters, ...]
    offers: tuple[Letters, ...]
    after: tuple[dict[int, int], ...]

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.after)

    @property
    def is_complete(self) -> bool:
        """Whether every cell is defined in every state."""
        return all(self.enabled(s, cell) for s in range(self.states) for cell in self.cells)

    @property
    def is_deterministic(self) -> bool:
        """Whether every cell has one answer at most in each state."""
        return all(len(self.enabled(s, cell)) <= 1 for s in range(self.states) for cell in self.cells)

    def enabled(self, state: int, letters: Collection[int]) -> list[int]:
        """Those of some letters that are possible in a state."""
        row = self.after[state]
        return [letter for letter in letters if letter in row]

    def defined(self, state: int) -> frozenset[int]:
        """The cells that are defined in a state."""
        return frozenset(k for k, cell in enumerate(self.cells) if self.enabled(state, cell))


def trace_machine(fsm: Fsm) -> TraceMachine:
    """The smallest observable machine with the traces of a model.

    Letter ``i * (outputs + 1) + o`` is input ``i`` with output ``o``, numbered as in the model; the last output is one
    that the model lacks. The subset construction: an input is defined after a trace iff it is in one of the states that
    the trace reaches.
    """
    width = len(fsm.outputs) + 1
    symbol = {name: k for k, name in enumerate(fsm.inputs)}
    answer = {name: k for k, name in enumerate(fsm.outputs)}
    steps: dict[str, dict[int, set[str]]] = {name: {} for name in fsm.states}
    for t in fsm.transitions:
        steps[t.source].setdefault(symbol[t.input] * width + answer[t.output], set()).add(t.target)
    used = {letter for row in steps.values() for letter in row}
    cells = tuple(
        (*(letter for letter in range(i * width, i * width + width - 1) if letter in used), i * width + width - 1)
        for i in range(len(fsm.inputs))
    )
    return observable_form(cells, cells, steps, fsm.initial)


def observable_form(
    cells: tuple[Letters, ...],
    offers: tuple[Letters, ...],
    steps: Mapping[str, dict[int, set[str]]],
    initial: str,
    *,
    undefined: Mapping[str, frozenset[int]] | None = None,
) -> TraceMachine:
    """The smallest observable machine of some steps: the states that each letter may lead to from each state.

    ``undefined``: the letters that a state takes away from every set of states that it belongs to.
    """
    sets = [frozenset({initial})]
    number = {sets[0]: 0}
    after: list[dict[int, int]] = []
    for members in sets:  # grows while it is walked
        found: dict[int, set[str]] = {}
        for member in members:
            for letter, targets in steps[member].items():
                found.setdefault(letter, set()).update(targets)
        lost = frozenset[int]() if undefined is None else frozenset[int]().union(*(undefined[m] for m in members))
        row: dict[int, int] = {}
        for letter, targets in sorted(item for item in found.items() if item[0] not in lost):
            place = frozenset(targets)
            if place not in number:
                number[place] = len(sets)
                sets.append(place)
            row[letter] = number[place]
        after.append(row)
    return TraceMachine(cells, offers, _minimal(after))


def _minimal(after: Sequence[dict[int, int]]) -> tuple[dict[int, int], ...]:
    """States with the same traces are merged (Moore 1956). Needs: every state is reachable."""
    block, count = [0] * len(after), 0
    while True:
        number: dict[object, int] = {}
        signature = [(block[s], tuple((k, block[t]) for k, t in row.items())) for s, row in enumerate(after)]
        block = [number.setdefault(one, len(number)) for one in signature]
        if len(number) == count:
            break
        count = len(number)
    members = [block.index(k) for k in range(count)]
    return tuple({letter: block[t] for letter, t in after[s].items()} for s in members)


def fits(demanded: Collection[int], given: Collection[int], relation: Relation) -> bool:
    """Whether answers are as a relation demands, at one input or cell after one trace."""
    if not demanded:
        return relation not in GREY_BOX or not given
    if not given or not set(given) <= set(demanded):
        return False
    return relation not in ALL_ANSWERS or set(given) == set(demanded)


def trace_difference(
    model: TraceMachine, other: TraceMachine, relation: Relation, inputs: Sequence[Collection[int]] = ()
) -> Letters | None:
    """A shortest trace of the model or the machine that shows that this does not conform; None where it does.

    Its last letter is one that either of them lacks, all others are common to both.

    Of reductions, both machines are complete: a system refuses nothing. ``inputs``: what some inputs offer, beside
    whole cells, as a machine may answer some inputs of a cell and refuse others.
    """
    traces: dict[tuple[int, int], Letters] = {(0, 0): ()}
    queue = [(0, 0)]
    for s, t in queue:  # grows while it is walked
        for cell in (*model.cells, *inputs):
            demanded, given = model.enabled(s, cell), other.enabled(t, cell)
            if not fits(demanded, given, relation):
                return (*traces[s, t], min(set(demanded) ^ set(given)))
        for letter, target in other.after[t].items():
            pair = (model.after[s].get(letter, -1), target)
            if pair[0] >= 0 and pair not in traces:
                traces[pair] = (*traces[s, t], letter)
                queue.append(pair)
    return None


def passes_suite(model: TraceMachine, other: TraceMachine, words: Sequence[Word], relation: Relation) -> bool:
    """Whether each trace of a machine along each word of inputs is accepted; all of them are seen.

    A test is over where the model leaves its next input undefined. Grey-box relations compare what is enabled before
    each input and at the end.
    """
    return all(_passes(model, other, word, relation) for word in words)


def _passes(model: TraceMachine, other: TraceMachine, word: Word, relation: Relation) -> bool:
    pairs = {(0, 0)}
    for i in (*word, None):
        if relation in GREY_BOX and any(model.defined(s) != other.defined(t) for s, t in pairs):
            return False
        if i is None:
            break
        offered = model.offers[i]
        pairs = {(s, t) for s, t in pairs if model.enabled(s, offered)}
        if not all(fits(model.enabled(s, offered), other.enabled(t, offered), relation) for s, t in pairs):
            return False
        pairs = {
            (model.after[s][letter], other.after[t][letter]) for s, t in pairs for letter in other.enabled(t, offered)
        }
    return True


def named_machine(machine: TraceMachine, model: Fsm) -> Fsm:
    """A machine over the letters of a model as a model. An output that the model lacks is named 'other'."""
    states = tuple(f"q{k}" for k in range(machine.states))
    width = len(model.outputs) + 1
    outputs = model.outputs
    if any(letter % width == width - 1 for row in machine.after for letter in row):
        outputs = (*outputs, spare_output(model))
    return Fsm(
        name=f"{model.name}-survivor",
        initial=states[0],
        states=states,
        inputs=model.inputs,
        outputs=outputs,
        transitions=tuple(
            FsmTransition(states[s], model.inputs[letter // width], outputs[letter % width], states[t])
            for s, row in enumerate(machine.after)
            for letter, t in sorted(row.items())
        ),
    )
