"""A shortest separating word for every pair of states: breadth-first search backwards from pairs that differ at once.

Pair (s, t) with s < t has number t * (t - 1) / 2 + s. Each pair and input is looked at once: O(n^2 p) time, and
10 bytes for a pair.
"""

from typing import Any

import cython
import numpy as np


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _number(one: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.Py_ssize_t:
    if one < other:
        return other * (other - 1) // 2 + one
    return one * (one - 1) // 2 + other


def separating_inputs(
    states: cython.int,
    inputs: cython.int,
    target: cython.int[::1],
    output: cython.int[::1],
    row_class: cython.int[::1],
) -> tuple[Any, Any]:
    """Return the first input and the length of a shortest separating word for each pair; length 0: there is none.

    A word separates two states where it is defined in both and the outputs differ. ``row_class`` numbers the rows of
    ``output``: equal rows, equal numbers. Needs fewer than 65,536 states and inputs.
    """
    pairs: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, states) * (states - 1) // 2
    first_array = np.zeros(pairs, dtype=np.uint16)
    length_array = np.zeros(pairs, dtype=np.uint16)
    queue_array = np.zeros(pairs, dtype=np.uint32)
    filled: cython.Py_ssize_t = 0
    t: cython.int
    for t in range(1, states):
        filled = _differing(t, inputs, output, row_class, (first_array, length_array, queue_array), filled)
    if filled < pairs:
        _backwards(states, inputs, target, (first_array, length_array, queue_array), filled)
    return first_array, length_array


@cython.cfunc
def _differing(
    t: cython.int,
    inputs: cython.int,
    output: cython.int[::1],
    row_class: cython.int[::1],
    arrays: tuple[Any, Any, Any],
    filled: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Note the pairs of a state with smaller ones that one input separates."""
    first: cython.ushort[::1] = arrays[0]
    length: cython.ushort[::1] = arrays[1]
    queue: cython.uint[::1] = arrays[2]
    s: cython.int
    i: cython.int
    mine: cython.int
    yours: cython.int
    for s in range(t):
        if row_class[s] == row_class[t]:
            continue
        for i in range(inputs):
            mine = output[s * inputs + i]
            yours = output[t * inputs + i]
            if mine != yours and mine >= 0 and yours >= 0:
                first[_number(s, t)] = i
                length[_number(s, t)] = 1
                queue[filled] = cython.cast(cython.uint, t) * 65536 + s
                filled += 1
                break
    return filled


@cython.cfunc
def _backwards(
    states: cython.int,
    inputs: cython.int,
    target: cython.int[::1],
    arrays: tuple[Any, Any, Any],
    filled: cython.Py_ssize_t,
) -> cython.void:
    """Go from separated pairs to the pairs before them, the shortest words first."""
    first: cython.ushort[::1] = arrays[0]
    length: cython.ushort[::1] = arrays[1]
    queue: cython.uint[::1] = arrays[2]
    before = _predecessors(states, inputs, target)
    start: cython.int[::1] = before[0]
    source: cython.int[::1] = before[1]
    taken: cython.Py_ssize_t = 0
    pair: cython.Py_ssize_t
    reached: cython.int
    s: cython.int
    t: cython.int
    i: cython.int
    j: cython.int
    k: cython.int
    while taken < filled < length.shape[0]:
        t = queue[taken] // 65536
        s = queue[taken] % 65536
        taken += 1
        reached = length[_number(s, t)] + 1
        for i in range(inputs):
            for j in range(start[i * states + s], start[i * states + s + 1]):
                for k in range(start[i * states + t], start[i * states + t + 1]):
                    pair = _number(source[j], source[k])
                    if length[pair] == 0:
                        length[pair] = reached
                        first[pair] = i
                        queue[filled] = cython.cast(cython.uint, max(source[j], source[k])) * 65536 + min(
                            source[j], source[k]
                        )
                        filled += 1


@cython.cfunc
def _predecessors(states: cython.int, inputs: cython.int, target: cython.int[::1]) -> tuple[Any, Any]:
    """States before each (input, state), as slices of one array."""
    start_array = np.zeros(inputs * states + 1, dtype=np.int32)
    source_array = np.zeros(inputs * states, dtype=np.int32)
    start: cython.int[::1] = start_array
    source: cython.int[::1] = source_array
    fill: cython.int[::1] = np.zeros(inputs * states, dtype=np.int32)
    s: cython.int
    i: cython.int
    cell: cython.int
    for s in range(states):
        for i in range(inputs):
            if target[s * inputs + i] >= 0:
                start[i * states + target[s * inputs + i] + 1] += 1
    for cell in range(inputs * states):
        start[cell + 1] += start[cell]
    for s in range(states):
        for i in range(inputs):
            if target[s * inputs + i] >= 0:
                cell = i * states + target[s * inputs + i]
                source[start[cell] + fill[cell]] = s
                fill[cell] += 1
    return start_array, source_array
