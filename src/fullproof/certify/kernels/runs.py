"""Many machines at once: applying words to them, and shortest words that distinguish them from the model."""

from typing import Any

import cython
import numpy as np


def go_on(
    word: cython.int[::1],
    machines: cython.longlong[::1],
    states: cython.int[::1],
    label: cython.int,
    tables: tuple[Any, Any, Any, Any],
    never: cython.int,
) -> tuple[Any, Any]:
    """Apply a word to some machines of a pool in the given states, the model being in state ``label``.

    ``tables``: targets and outputs of the pool, and of the model. Returns for each machine the first input, counted
    from 1, that it answers otherwise than the model, and its last state.
    """
    target: cython.int[:, :, ::1] = tables[0]
    output: cython.int[:, :, ::1] = tables[1]
    right: cython.int[:, ::1] = tables[2]
    answer: cython.int[:, ::1] = tables[3]
    count: cython.Py_ssize_t = machines.shape[0]
    both = np.empty((2, count), dtype=np.int32)
    fails: cython.int[::1] = both[0]
    ends: cython.int[::1] = both[1]
    k: cython.Py_ssize_t
    j: cython.Py_ssize_t
    here: cython.int
    there: cython.int
    machine: cython.longlong
    for k in range(count):
        machine = machines[k]
        here = states[k]
        there = label
        fails[k] = never
        for j in range(word.shape[0]):
            if fails[k] == never and output[machine, here, word[j]] != answer[there, word[j]]:
                fails[k] = j + 1
            here = target[machine, here, word[j]]
            there = right[there, word[j]]
        ends[k] = here
    return both[0], both[1]


def distances(
    pool: tuple[Any, Any], machine: cython.longlong, model: tuple[Any, Any], distance: cython.int[:, ::1]
) -> None:
    """For each state of a machine and of the model the length of a shortest word that they answer differently.

    Inputs that the model leaves undefined, with a target below 0, are in no word.
    ``distance`` comes with "never" in all places, a number larger than any length.
    """
    target: cython.int[:, :, ::1] = pool[0]
    output: cython.int[:, :, ::1] = pool[1]
    right: cython.int[:, ::1] = model[0]
    answer: cython.int[:, ::1] = model[1]
    never: cython.int = distance[0, 0]
    length: cython.int = 0
    changed: cython.bint = True
    s: cython.Py_ssize_t
    q: cython.Py_ssize_t
    i: cython.Py_ssize_t
    while changed:
        changed = False
        length += 1
        for s in range(distance.shape[0]):
            for q in range(distance.shape[1]):
                if distance[s, q] == never:
                    for i in range(right.shape[1]):
                        if right[q, i] >= 0 and (
                            output[machine, s, i] != answer[q, i]
                            if length == 1
                            else distance[target[machine, s, i], right[q, i]] == length - 1
                        ):
                            distance[s, q] = length
                            changed = True
                            break


def shortest(
    pool: tuple[Any, Any, Any],
    machine: cython.longlong,
    start: tuple[int, int],
    model: tuple[Any, Any],
    bias: cython.longlong,
) -> list[int]:
    """A shortest word that tells a machine in a state from the model in a state; ``bias`` chooses among them."""
    target: cython.int[:, :, ::1] = pool[0]
    output: cython.int[:, :, ::1] = pool[1]
    distance: cython.int[:, :, ::1] = pool[2]
    right: cython.int[:, ::1] = model[0]
    answer: cython.int[:, ::1] = model[1]
    here: cython.int = start[0]
    there: cython.int = start[1]
    inputs: cython.int = right.shape[1]
    left: cython.int = distance[machine, here, there]
    word: list[int] = []
    k: cython.int
    i: cython.int = 0
    while left > 0:
        # From a place that the bias names on, the first input that brings the end one step nearer.
        for k in range(inputs):
            i = cython.cast(cython.int, (k + bias) % inputs)
            if right[there, i] >= 0 and (
                output[machine, here, i] != answer[there, i]
                if left == 1
                else distance[machine, target[machine, here, i], right[there, i]] == left - 1
            ):
                break
        word.append(i)
        here = target[machine, here, i]
        there = right[there, i]
        bias = bias // inputs + left
        left -= 1
    return word
