"""Faults by name of a symbolic machine with one small integer input: the definition, with values and not with solvers.

A machine of the domain is a table: for each state and cell of inputs an output expression and a target.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from fullproof.language.compile import compile_expression
from fullproof.model import Sfsm
from fullproof.model.named_faults import FaultName, NamedFaults

INPUTS = range(6)
OUTPUTS = range(-20, 30)

Way = tuple[tuple[int, ...], str]
"""The answers to the inputs of a cell, and the target."""


@dataclass(frozen=True)
class ValueMachine:
    """``ways[state, cell]``; cells are tuples of inputs."""

    initial: str
    ways: dict[tuple[str, tuple[int, ...]], Way]

    def run(self, test):
        state, said = self.initial, []
        for x in test:
            (cell,) = [c for s, c in self.ways if s == state and x in c]
            answers, target = self.ways[state, cell]
            said.append(answers[cell.index(x)])
            state = target
        return said


def cells_of(model: Sfsm, further=()) -> list[tuple[int, ...]]:
    """The inputs that have the same signs of all guards."""
    guards = dict.fromkeys([*(t.guard for t in model.transitions), *further])
    tests = [compile_expression(guard, model.input_scope) for guard in guards]
    groups: dict[tuple[bool, ...], list[int]] = {}
    for x in INPUTS:
        groups.setdefault(tuple(test({"x": x}) is True for test in tests), []).append(x)
    return [tuple(group) for group in groups.values()]


def answers(model: Sfsm, output, cell) -> tuple[int, ...]:
    """What an output expression, an equation, answers to the inputs of a cell."""
    holds = compile_expression(output, model.scope)
    return tuple(next(y for y in OUTPUTS if holds({"x": x, "y": y}) is True) for x in cell)


def members(model: Sfsm, faults: NamedFaults, *, most: int) -> list[ValueMachine] | None:
    """All machines of the domain, the model first; None where they are more than ``most``."""
    cells = cells_of(model)
    outputs = list(dict.fromkeys(t.output for t in model.transitions))
    options, owns, parts, total = [], [], [], 1
    for state, cell in product(model.states, cells):
        own = _transition(model, state, cell)
        mine = (answers(model, own.output, cell), own.target)
        ways = [mine, *_alternatives(model, faults, state, cell, own, outputs, cells)]
        options.append(list(dict.fromkeys(ways)))
        owns.append(mine)
        parts.append(model.transitions.index(own))
        total *= len(options[-1])
    if total > most:
        return None
    found = []
    for chosen in product(*options):
        wrong = {part for part, way, mine in zip(parts, chosen, owns, strict=True) if way != mine}
        if faults.at_most is None or len(wrong) <= faults.at_most:
            keys = product(model.states, cells)
            found.append(ValueMachine(model.initial, dict(zip(keys, chosen, strict=True))))
    return found


def _transition(model, state, cell):
    found = [
        t
        for t in model.transitions
        if t.source == state and compile_expression(t.guard, model.input_scope)({"x": cell[0]}) is True
    ]
    (own,) = found
    return own


def _alternatives(model, faults, state, cell, own, outputs, cells) -> Iterator[Way]:
    if faults.states and state not in faults.states:
        return
    said = answers(model, own.output, cell)
    any_output = [answers(model, output, cell) for output in outputs]
    said_there = any_output if FaultName.OUTPUT in faults.names else [said]
    targets = {own.target}
    if FaultName.TRANSFER in faults.names:
        targets |= set(model.states)
    if FaultName.STUCK in faults.names:
        targets |= {state}
    yield from product(said_there, sorted(targets))
    if FaultName.SWAPPED in faults.names:
        for other in cells:
            t = _transition(model, state, other)
            yield answers(model, t.output, cell), t.target


def differ(one: ValueMachine, other: ValueMachine) -> bool:
    """Whether some sequence of inputs shows it."""
    todo, seen = [(one.initial, other.initial)], set()
    while todo:
        pair = todo.pop()
        if pair in seen:
            continue
        seen.add(pair)
        for x in INPUTS:
            ways = []
            for machine, state in zip((one, other), pair, strict=True):
                (cell,) = [c for s, c in machine.ways if s == state and x in c]
                said, target = machine.ways[state, cell]
                ways.append((said[cell.index(x)], target))
            if ways[0][0] != ways[1][0]:
                return True
            todo.append((ways[0][1], ways[1][1]))
    return False
