"""Every machine of a fault domain, one by one: the obvious way to decide whether a suite is complete."""

from collections.abc import Iterator, Sequence
from itertools import product

Rows = tuple[tuple[int, ...], ...]
"""For each state, for each input: a number."""


def machines(states: int, inputs: int, outputs: int) -> Iterator[tuple[Rows, Rows]]:
    """Targets and outputs of all complete deterministic machines with so many states, initial state 0."""
    for targets in product(range(states), repeat=states * inputs):
        for answers in product(range(outputs), repeat=states * inputs):
            yield _rows(targets, inputs), _rows(answers, inputs)


def _rows(cells: tuple[int, ...], inputs: int) -> Rows:
    return tuple(cells[k : k + inputs] for k in range(0, len(cells), inputs))


def respond(machine: tuple[Rows, Rows], word: Sequence[int]) -> list[int]:
    """The outputs of a word from the initial state."""
    target, output = machine
    state, answers = 0, []
    for symbol in word:
        answers.append(output[state][symbol])
        state = target[state][symbol]
    return answers


def equivalent(one: tuple[Rows, Rows], other: tuple[Rows, Rows]) -> bool:
    """No pair of states reached by the same word answers differently."""
    pairs, todo = {(0, 0)}, [(0, 0)]
    while todo:
        s, r = todo.pop()
        for i in range(len(one[0][0])):
            if one[1][s][i] != other[1][r][i]:
                return False
            following = (one[0][s][i], other[0][r][i])
            if following not in pairs:
                pairs.add(following)
                todo.append(following)
    return True


def survivors(
    model: tuple[Rows, Rows], words: Sequence[Sequence[int]], *, bound: int, outputs: int
) -> Iterator[object]:
    """All machines with ``bound`` states that pass and differ; smaller ones are among them, with unreachable states."""
    expected = [respond(model, word) for word in words]
    for machine in machines(bound, len(model[0][0]), outputs):
        if all(
            respond(machine, word) == answer for word, answer in zip(words, expected, strict=True)
        ) and not equivalent(machine, model):
            yield machine
