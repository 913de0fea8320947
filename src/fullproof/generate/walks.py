"""Window walks: complete suites from long tests in which every input serves several purposes.

The method is this project's own; docs/proofs/window-walks.md has the conditions, the proof and the evidence.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from fullproof.analysis.separation import separation
from fullproof.analysis.table import IntArray, Table
from fullproof.artefacts.words import WordList, word_list
from fullproof.core.errors import UserError
from fullproof.generate.kernels.walks_arena import Arena, breadth_first_tree
from fullproof.generate.kernels.walks_choose import Chooser
from fullproof.generate.kernels.walks_drive import Driver
from fullproof.generate.kernels.walks_extras import Extras
from fullproof.generate.kernels.walks_merge import Merger
from fullproof.generate.kernels.walks_order import Order
from fullproof.generate.kernels.walks_scout import Scout
from fullproof.generate.kernels.walks_table import Survivors
from fullproof.generate.kernels.walks_tests import Tests
from fullproof.generate.kernels.walks_track import Walker
from fullproof.generate.kernels.walks_trie import Trie
from fullproof.generate.kernels.walks_words import harmonised_identifiers
from fullproof.generate.kernels.walks_zero import Verifier

_LONGEST_LOOK = 3
_LOOK_BUDGET = 200_000_000  # words looked at in one run
_RUN_BUDGET = 40_000_000  # words looked at in all runs
_STEP_BUDGET = 3_000_000  # states x states x inputs in all runs without extra states
_MOST_RUNS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """Choices that never touch completeness, only cost.

    ``order`` is a permutation of the inputs; ``patient``: windows and transitions into states that need many words to
    be identified come last. ``reference`` and ``touch`` weigh, without extra states, inputs spent on comparison and
    transitions passed for the first time.
    """

    order: tuple[int, ...]
    lookahead: int
    patient: bool
    reference: float
    touch: float


def walks(
    table: Table,
    *,
    extra_states: int,
    lookahead: int | None = None,
    max_length: int | None = None,
    reset_cost: float = 1.0,
) -> WordList:
    """Generate with several tunings, as far as the size of the machine allows, and keep the cheapest suite.

    Guarantee: a passing system with at most ``table.states + extra_states`` states is equivalent
    (docs/proofs/window-walks.md). Needs: complete, deterministic, minimal, initially connected.
    ``lookahead`` bounds the words tried at each step (default: by size), ``max_length`` the inputs of a test;
    ``reset_cost`` is the price of a test on top of its inputs.
    """
    _require(table)
    if table.states == 1:
        suites = [_all_words(table.inputs, extra_states + 1)]
    else:
        suites = [
            _maximal(_suite(table, extra_states, tuning, max_length, reset_cost))
            for tuning in _tunings(table, extra_states, lookahead)
        ]
    longest = [max(map(len, suite)) for suite in suites]
    if max_length is not None:
        suites = [suite for suite, length in zip(suites, longest, strict=True) if length <= max_length]
        if not suites:
            raise UserError(
                f"tests of at most {max_length} inputs are too short for walks: "
                f"this machine with {extra_states} extra states needs up to {min(longest)}"
            )
    costs = [sum(map(len, suite)) + reset_cost * len(suite) for suite in suites]
    return word_list(suites[costs.index(min(costs))])


def _all_words(inputs: int, length: int) -> list[tuple[int, ...]]:
    return list(product(range(inputs), repeat=length))


def _require(table: Table) -> None:
    """Refuse what the proof does not cover."""
    if (table.target < 0).any():
        raise UserError("walks needs a completely specified machine")
    if (breadth_first_tree(table.states, table.target)[1] < 0).any():
        raise UserError("walks needs a machine whose states are all reachable")
    if not separation(table).total:
        raise UserError("walks needs a minimal machine")


def _maximal(tests: list[list[int]]) -> list[tuple[int, ...]]:
    """Drop tests that are prefixes of others, and sort."""
    ordered = sorted(set(map(tuple, tests)))
    following = [*ordered[1:], ()]
    return [test for test, after in zip(ordered, following, strict=True) if after[: len(test)] != test]


def _tunings(table: Table, extra_states: int, lookahead: int | None) -> Iterator[Tuning]:
    """Choose tunings: the more, the smaller the machine."""
    n, p = table.states, table.inputs
    windows = n * p ** (extra_states + 1)
    look = lookahead or next((h for h in range(_LONGEST_LOOK, 1, -1) if windows * p**h <= _LOOK_BUDGET), 1)
    runs = _STEP_BUDGET // (n * n * p) if extra_states == 0 else _RUN_BUDGET // (windows * p**look)
    weights = ((0.9, 0.9), (0.4, 0.6), (0.6, 0.5), (0.6, 0.9))
    for run in range(min(max(runs, 1), _MOST_RUNS)):
        yield Tuning(
            order=_order(p, run // 4 if extra_states == 0 else run // 2),
            lookahead=look,
            patient=run % 2 == 1,
            reference=weights[run % 4][0],
            touch=weights[run % 4][1],
        )


def _order(inputs: int, seed: int) -> tuple[int, ...]:
    """Return the inputs in their own order for seed 0, shuffled for others."""
    shuffled = random.Random(seed)
    keys = [shuffled.random() for _ in range(inputs)]
    return tuple(sorted(range(inputs), key=lambda k: keys[k] if seed else k))


def _suite(
    table: Table, extra_states: int, tuning: Tuning, max_length: int | None, reset_cost: float
) -> list[list[int]]:
    """Generate once, with the inputs renumbered."""
    order = np.array(tuning.order)
    cells = (
        table.target.reshape(-1, table.inputs)[:, order].ravel(),
        table.output.reshape(-1, table.inputs)[:, order].ravel(),
    )
    renamed = Table(
        states=table.states,
        inputs=table.inputs,
        outputs=table.outputs,
        target=np.ascontiguousarray(cells[0], dtype=np.int32),
        output=np.ascontiguousarray(cells[1], dtype=np.int32),
    )
    run = _verify if extra_states == 0 else _walk
    return [[tuning.order[k] for k in test] for test in run(renamed, extra_states, tuning, max_length, reset_cost)]


def _letters(table: Table) -> IntArray:
    """Return for each ordered pair of states the first input of a shortest word that separates them."""
    square = np.zeros((table.states, table.states), dtype=np.int32)
    square[np.tril_indices(table.states, -1)] = separation(table).first
    return (square + square.T).ravel()


def _late(identifiers: list[list[list[int]]], tuning: Tuning) -> IntArray:
    """Return the order in which states come: all at once, or by the number of words that identify them."""
    return np.array([len(words) if tuning.patient else 0 for words in identifiers], dtype=np.int32)


def _verify(table: Table, _: int, tuning: Tuning, max_length: int | None, reset_cost: float) -> list[list[int]]:
    """Without extra states: verify transitions one by one."""
    letters = _letters(table)
    identifiers = harmonised_identifiers(table.target, table.output, letters)
    tree = breadth_first_tree(table.states, table.target)
    merger = Merger((table.target, table.output), tree, reset_cost, max_length or np.iinfo(np.int32).max // 2)
    chooser = Chooser(table.target, table.output, table.states, (tuning.reference, tuning.touch, 3000, 1.0, 0.3))
    machine = (table.target, table.output, tree[1])
    return Verifier(machine, (merger, chooser), identifiers, letters, _late(identifiers, tuning)).run()


def _walk(
    table: Table, extra_states: int, tuning: Tuning, max_length: int | None, reset_cost: float
) -> list[list[int]]:
    """With extra states: a literal base, then walks through all windows."""
    letters = _letters(table)
    identifiers = harmonised_identifiers(table.target, table.output, letters)
    arena = Arena((table.target, table.output), table.states, extra_states, max_length)
    trie = Trie(table.inputs)
    arena.cover = np.array([trie.insert(arena.access(s)) for s in range(table.states)], dtype=np.int32)
    for word in _base(table, arena, identifiers):
        trie.insert(word)
    walker = Walker(arena, Order(arena), Extras(arena))
    walker.adopt(trie.array(), arena.cover)
    scout = Scout(arena, Survivors(arena).fill(), tuning.lookahead)
    parts = (walker, scout, trie, Tests(arena, reset_cost))
    driver = Driver(arena, parts, identifiers, letters, tuning.lookahead)
    for word in trie.words():
        driver.add(word)
    return driver.run(_late(identifiers, tuning))


def _base(table: Table, arena: Arena, identifiers: list[list[list[int]]]) -> Iterator[list[int]]:
    """The cover's words, each followed by all words of at most as many inputs as there are extra states, identified."""
    for state in range(table.states):
        access = arena.access(state)
        level = [(access, state)]
        for depth in range(arena.a + 1):
            for word, end in level:
                yield from (word + identifier for identifier in identifiers[end])
            if depth < arena.a:
                level = [
                    ([*word, k], int(table.target[end * table.inputs + k]))
                    for word, end in level
                    for k in range(table.inputs)
                ]
