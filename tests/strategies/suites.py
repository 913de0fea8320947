"""Random minimal machines with suites at the edge of completeness: complete ones, with something cut or added."""

from dataclasses import dataclass
from random import Random

import numpy as np
from hypothesis import strategies as st
from tests.oracles.machines import quotient
from tests.oracles.suites import access_words, traversal

from fullproof.analysis.table import Table
from fullproof.certify.machine import FlatMachine, difference
from fullproof.model.fsm import Fsm, FsmTransition

Word = tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """A minimal machine in two forms, a suite and a bound."""

    table: Table
    model: FlatMachine
    words: list[Word]
    extra: int


def machine_of(table: Table) -> FlatMachine:
    """The checker's form of a complete table."""
    rows = range(0, table.states * table.inputs, table.inputs)
    return FlatMachine(
        target=tuple(tuple(map(int, table.target[k : k + table.inputs])) for k in rows),
        output=tuple(tuple(map(int, table.output[k : k + table.inputs])) for k in rows),
    )


def fsm_of(machine: FlatMachine) -> Fsm:
    """A model file's form: states s0.., inputs a.., outputs 0.. ."""
    symbols = tuple("abcdefgh"[: machine.inputs])
    outputs = tuple(map(str, range(1 + max(o for row in machine.output for o in row))))
    return Fsm(
        name="random",
        initial="s0",
        states=tuple(f"s{k}" for k in range(machine.states)),
        inputs=symbols,
        outputs=outputs,
        transitions=tuple(
            FsmTransition(f"s{s}", symbols[i], str(machine.output[s][i]), f"s{machine.target[s][i]}")
            for s in range(machine.states)
            for i in range(machine.inputs)
        ),
    )


def hsi_suite(table: Table, extra: int) -> list[Word]:
    """State cover, all words of extra + 1 inputs, then a separating word for each pair of states: complete."""
    model = machine_of(table)
    identify: dict[int, list[Word]] = {q: [()] for q in range(model.states)}
    for q in range(model.states):
        for r in range(q):
            way = difference(model, model, start=(q, r)) or ()
            identify[q].append(way)
            identify[r].append(way)
    words = set()
    for node in [*traversal(table, extra), *access_words(table).values()]:
        state = 0
        for symbol in node:
            state = model.target[state][symbol]
        words |= {node + way for way in identify[state]}
    return sorted(words)


@st.composite
def cases(draw: st.DrawFn, *, max_states: int = 3, max_inputs: int = 2, max_extra: int = 1, max_bound: int = 9) -> Case:
    """Draw a minimal machine, a bound, and a suite that is complete or nearly so.

    Everything follows from one drawn number: left to themselves, draws favour one state and no tests.
    """
    dice = Random(draw(st.integers(0, 2**32)))
    table = _minimal(dice, dice.randint(1, max_states), dice.randint(1, max_inputs))
    extra = dice.randint(0, min(max_extra, max_bound - table.states))
    words = hsi_suite(table, extra)
    for _ in range(dice.choice([0, 0, 1, 3, 8])):
        words.append(tuple(dice.randrange(table.inputs) for _ in range(dice.randint(1, 20))))
    dice.shuffle(words)
    thinning = dice.choice([0.0, 0.05, 0.1, 0.3, 0.9])
    for word in list(words):
        if dice.random() < thinning:
            rest = [other for other in words if other != word]
            if dice.random() < 0.5:
                rest.append(word[: dice.randint(0, len(word))])
            # Mostly every transition stays tested, or the answer would be easy.
            if dice.random() < 0.02 or _all_windows(table, rest, extra):
                words = rest
    return Case(table, machine_of(table), words, extra)


@st.composite
def minimal_models(draw: st.DrawFn, *, max_states: int = 4, max_inputs: int = 3) -> Table:
    """Draw a minimal machine with any number of states."""
    dice = Random(draw(st.integers(0, 2**32)))
    return _minimal(dice, dice.randint(1, max_states), dice.randint(1, max_inputs))


def _minimal(dice: Random, states: int, inputs: int) -> Table:
    """A minimal machine with as many states as wanted, or fewer where chance does not yield one."""
    best = None
    for _ in range(30):
        cells = states * inputs
        target = [dice.randrange(states) for _ in range(cells)]
        output = [int(dice.random() < 0.35) for _ in range(cells)]
        table = quotient(
            Table(
                states=states,
                inputs=inputs,
                outputs=2,
                target=np.array(target, dtype=np.int32),
                output=np.array(output, dtype=np.int32),
            )
        )
        if best is None or table.states > best.states:
            best = table
        if best.states == states:
            break
    assert best is not None
    return best


def _all_windows(table: Table, words: list[Word], extra: int) -> bool:
    """Whether every word of extra + 1 inputs is applied in every state."""
    model, seen = machine_of(table), set()
    for word in words:
        state = 0
        for k, symbol in enumerate(word):
            if k + extra < len(word):
                seen.add((state, word[k : k + extra + 1]))
            state = model.target[state][symbol]
    return len(seen) == table.states * table.inputs ** (extra + 1)
