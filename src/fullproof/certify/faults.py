"""Simple faulty machines: typical survivors, found without a solver."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from fullproof.certify.machine import UNDEFINED, FlatMachine, Word


def simple_faults(model: FlatMachine, *, extra: int, dice: Random, most: int) -> Iterator[FlatMachine]:
    """The model with one transition redirected, after a path of ``extra`` copied states; a sample where there are too
    many.

    Some of them may be equivalent to the model. Inputs that it leaves undefined change nothing.
    """
    model = completed(model)
    words = model.inputs ** (extra + 1)
    count = model.states * words * model.states
    chosen = range(count) if count <= most else sorted(dice.sample(range(count), most))
    symbols = list(product(range(model.inputs), repeat=extra + 1)) if words <= most else None
    for number in chosen:
        rest, target = divmod(number, model.states)
        state, place = divmod(rest, words)
        yield led_astray(model, state, symbols[place] if symbols else _digits(place, model.inputs, extra + 1), target)


def completed(model: FlatMachine) -> FlatMachine:
    """The machine with a loop wherever an input is undefined."""
    target = tuple(tuple(state if t == UNDEFINED else t for t in row) for state, row in enumerate(model.target))
    return FlatMachine(target, tuple(tuple(max(o, 0) for o in row) for row in model.output))


def led_astray(model: FlatMachine, state: int, word: Word, target: int) -> FlatMachine:
    """The model with a copy of each state that ``word`` visits on its way from ``state``; its last input goes wrong."""
    targets, outputs = [list(row) for row in model.target], [list(row) for row in model.output]
    here = state
    for symbol in word[:-1]:
        copied = targets[here][symbol]
        targets.append(list(model.target[copied]))
        outputs.append(list(model.output[copied]))
        targets[here][symbol] = len(targets) - 1
        here = len(targets) - 1
    targets[here][word[-1]] = target
    return FlatMachine(tuple(map(tuple, targets)), tuple(map(tuple, outputs)))


def _digits(number: int, base: int, length: int) -> Word:
    digits = []
    for _ in range(length):
        number, digit = divmod(number, base)
        digits.append(digit)
    return tuple(reversed(digits))
