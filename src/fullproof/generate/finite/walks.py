"""Window walks: complete suites from long tests in which every input serves several purposes.

The method is this project's own; docs/proofs/window-walks.md has the conditions, the proof and the evidence.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from fullproof.analysis.defined_words import defined_words, is_complete, windows
from fullproof.analysis.partial_identifiers import PartingWords
from fullproof.analysis.separation import separation
from fullproof.analysis.table import IntArray, Table
from fullproof.artefacts.words import WordList, word_list
from fullproof.core.budget import require_room
from fullproof.core.counted import counted
from fullproof.core.errors import UserError
from fullproof.generate.finite.kernels.walks.arena import Arena, access_word, breadth_first_tree
from fullproof.generate.finite.kernels.walks.chooser import WindowChooser
from fullproof.generate.finite.kernels.walks.cover import WindowCover
from fullproof.generate.finite.kernels.walks.driver import Driver
from fullproof.generate.finite.kernels.walks.extras import Extras
from fullproof.generate.finite.kernels.walks.merger import Merger
from fullproof.generate.finite.kernels.walks.order import WindowOrder
from fullproof.generate.finite.kernels.walks.scout import Scout
from fullproof.generate.finite.kernels.walks.survivors import Survivors
from fullproof.generate.finite.kernels.walks.tests import Tests
from fullproof.generate.finite.kernels.walks.trie import Trie
from fullproof.generate.finite.kernels.walks.verifier import Verifier, WindowPlan
from fullproof.generate.finite.kernels.walks.walker import Walker
from fullproof.generate.finite.kernels.walks.words import harmonised_identifiers
from fullproof.generate.finite.lengths import TestsTooLong

_LONGEST_LOOK = 3
_LOOK_BUDGET = 200_000_000  # words looked at in one run
_RUN_BUDGET = 100_000_000  # words looked at in all runs
_INPUT_BUDGET = 3_000_000  # inputs of the suites of all runs
_LENGTH_BUDGET = 60_000_000  # squares of the lengths of all their tests: long ones are looked through again and again
_ITEM_BUDGET = 2_000_000_000  # items followed while looking ahead, in all runs: many where identifiers are long
_STEP_BUDGET = 6_000_000  # states x states x inputs in all runs without extra states
_TINY = 3_000_000  # words looked at in one run of a machine that is worth longer ones
_MOST_RUNS = 30
_NO_LIMIT = 1 << 30
_DEAREST_RESET = 6.0  # beyond that the choices made on the way get no better, only the choice among suites


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """Choices that never touch completeness, only cost.

    ``order`` is a permutation of the inputs; ``patient``: windows and transitions into states that need many words to
    be identified come last. ``opening`` is the share of a window's worth that is earned by passing it. Without
    extra states, ``reference`` and ``touch`` weigh inputs spent on comparison and transitions passed for the first
    time, ``near`` takes transitions by the way to them rather than by depth, and ``lazy`` identifies the states of the
    cover last, where the tests have not done so by the way, and ``extensions`` lengthens the words that are tried.
    """

    order: tuple[int, ...] = ()
    lookahead: int = 1
    patient: bool = False
    near: bool = False
    lazy: bool = False
    extensions: int = 2
    opening: float = 0.45
    reference: float = 0.9
    touch: float = 0.9


_WITHOUT_EXTRA = (
    Tuning(reference=1.5, touch=1.5, near=True, extensions=0),
    Tuning(reference=0.6, touch=0.5),
    Tuning(reference=0.4, touch=0.3, lazy=True),
    Tuning(reference=0.4, touch=0.6, near=True),
    Tuning(reference=0.4, touch=0.3, patient=True),
    Tuning(reference=0.4, touch=0.3, near=True),
    Tuning(reference=0.6, touch=0.5, lazy=True),
    Tuning(reference=0.6, touch=0.9),
    Tuning(reference=1.5, touch=1.5, patient=True, extensions=0),
    Tuning(reference=0.9, touch=0.9),
)
_WITH_EXTRA = (
    Tuning(opening=0.45),
    Tuning(opening=0.6, patient=True),
    Tuning(opening=0.45, patient=True),
    Tuning(opening=0.6),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    max_length: int | None
    reset_cost: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Known:
    """What every run begins with: the machine, its state cover, and the words that distinguish states."""

    machine: Table
    tree: tuple[IntArray, IntArray]
    letters: IntArray
    identifiers: list[list[list[int]]]


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
    (docs/proofs/window-walks.md), quasi-equivalent where the machine is partial (docs/proofs/partial.md). Needs:
    deterministic, initially connected, pairwise separable states.
    ``lookahead`` bounds the words tried at each step (default: by size), ``max_length`` the inputs of a test;
    ``reset_cost`` is the price of a test on top of its inputs.
    """
    _require(table)
    if extra_states:  # a byte for each window, undefined ones included, and item
        grid = float(table.states) * float(table.inputs) ** min(extra_states + 1, 400)
        require_room(grid * (table.states + extra_states), each=1 / 16)
    if table.states == 1:
        suites = [list(defined_words(table, 0, extra_states + 1))]
    else:
        options = _Options(max_length=max_length, reset_cost=min(reset_cost, _DEAREST_RESET))
        suites = list(_suites(table, extra_states, _tunings(table, extra_states, lookahead), options))
    longest = [max(map(len, suite)) for suite in suites]
    if max_length is not None:
        suites = [suite for suite, length in zip(suites, longest, strict=True) if length <= max_length]
        if not suites:
            raise TestsTooLong(
                f"tests of at most {counted(max_length, 'input')} are too short for walks: "
                f"this machine with {counted(extra_states, 'extra state')} needs up to {min(longest)}"
            )
    costs = [sum(map(len, suite)) + reset_cost * len(suite) for suite in suites]
    return word_list(suites[costs.index(min(costs))])


def _suites(
    table: Table, extra_states: int, tunings: Iterator[Tuning], options: _Options
) -> Iterator[list[tuple[int, ...]]]:
    """Generate with one tuning after the other until enough has been generated."""
    generated = squares = followed = 0
    for tuning in tunings:
        tests, work = _suite(table, extra_states, tuning, options)
        suite = _maximal(tests)
        followed += work
        generated += sum(map(len, suite))
        squares += sum(len(test) ** 2 for test in suite)
        yield suite
        if generated > _INPUT_BUDGET or squares > _LENGTH_BUDGET or followed > _ITEM_BUDGET:
            return


def _require(table: Table) -> None:
    """Refuse what the proof does not cover."""
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
    passed = extra_states + 1
    usual = lookahead or next((h for h in range(_LONGEST_LOOK, 1, -1) if _looked_at(table, passed + h) < math.inf), 1)
    runs = _STEP_BUDGET // (n * n * p) if extra_states == 0 else int(_RUN_BUDGET // _looked_at(table, passed + usual))
    looks = [usual]
    if lookahead is None and _looked_at(table, passed + usual + 1) <= _TINY:
        looks = [usual, usual - 1, usual + 1]
    choices = _WITHOUT_EXTRA if extra_states == 0 else _WITH_EXTRA
    for run in range(min(max(runs, 1), _MOST_RUNS)):
        again, kind = divmod(run, len(choices))
        yield replace(choices[kind], order=_order(p, again), lookahead=looks[again % len(looks)])


def _looked_at(table: Table, length: int) -> float:
    """How many defined words of a length there are, over all states; infinity where one run cannot look at them."""
    return windows(table, length, most=_LOOK_BUDGET)


def _order(inputs: int, seed: int) -> tuple[int, ...]:
    """Return the inputs in their own order for seed 0, shuffled for others."""
    shuffled = random.Random(seed)
    keys = [shuffled.random() for _ in range(inputs)]
    return tuple(sorted(range(inputs), key=lambda k: keys[k] if seed else k))


def _suite(table: Table, extra_states: int, tuning: Tuning, options: _Options) -> tuple[list[list[int]], int]:
    """Generate once, with the inputs renumbered; the state cover stays the one of the inputs' own order.

    Returns the tests, and how many items were followed while looking ahead.
    """
    n, p = table.states, table.inputs
    order = np.array(tuning.order)
    place = np.argsort(order)
    entry, depth = breadth_first_tree(n, table.target)
    renamed = Table(
        states=n,
        inputs=p,
        outputs=table.outputs,
        target=np.ascontiguousarray(table.target.reshape(n, p)[:, order].ravel(), dtype=np.int32),
        output=np.ascontiguousarray(table.output.reshape(n, p)[:, order].ravel(), dtype=np.int32),
    )
    tree = np.where(entry < 0, -1, entry // p * p + place[entry % p]).astype(np.int32), depth
    letters = _letters(renamed)
    identifiers = _identifiers(renamed, letters)
    known = _Known(machine=renamed, tree=tree, letters=letters, identifiers=identifiers)
    tests, work = (
        (_verify(known, tuning, options), 0) if extra_states == 0 else _walk(known, extra_states, tuning, options)
    )
    return [[tuning.order[k] for k in test] for test in tests], work


def _identifiers(table: Table, letters: IntArray) -> list[list[list[int]]]:
    """Return words for each state such that any two states share a defined word prefix that separates them."""
    if is_complete(table):
        return harmonised_identifiers(table.target, table.output, letters)
    parting = PartingWords(table, separation(table), keep=0.5, price=np.full(table.inputs, 0.02))
    return [[list(word) for word in sorted(own)] for own in parting.words()]


def _letters(table: Table) -> IntArray:
    """Return for each ordered pair of states the first input of a shortest word that separates them."""
    square = np.zeros((table.states, table.states), dtype=np.int32)
    square[np.tril_indices(table.states, -1)] = separation(table).first
    return (square + square.T).ravel()


def _late(known: _Known, tuning: Tuning) -> IntArray:
    """Return the order in which states come: all at once, or by the number of words that identify them."""
    return np.array([len(words) if tuning.patient else 0 for words in known.identifiers], dtype=np.int32)


def _verify(known: _Known, tuning: Tuning, options: _Options) -> list[list[int]]:
    """Without extra states: verify transitions one by one."""
    cells = (known.machine.target, known.machine.output)
    merger = Merger(cells, known.tree, options.reset_cost, options.max_length or _NO_LIMIT)
    chooser = WindowChooser(*cells, known.machine.states, tuning.reference, tuning.touch)
    plan = WindowPlan(_late(known, tuning), tuning.near, tuning.lazy, tuning.extensions)
    verifier = Verifier((*cells, known.tree[1]), (merger, chooser), known.identifiers, known.letters, plan)
    tests = verifier.run()
    if not tuning.lazy:
        return tests
    access = [access_word(known.tree[0], known.machine.inputs, state) for state in range(known.machine.states)]
    return tests + WindowCover(cells, access, tests, known.letters).tell_apart()


def _walk(known: _Known, extra_states: int, tuning: Tuning, options: _Options) -> tuple[list[list[int]], int]:
    """With extra states: a literal base, then walks through all windows; with what looking ahead took."""
    arena = Arena((known.machine.target, known.machine.output), known.tree, extra_states, options.max_length)
    arena.weigh(tuning.opening)
    trie = Trie(known.machine.inputs)
    arena.cover = np.array([trie.insert(arena.access(s)) for s in range(known.machine.states)], dtype=np.int32)
    for word in _base(known.machine, arena, known.identifiers):
        trie.insert(word)
    walker = Walker(arena, WindowOrder(arena), Extras(arena))
    walker.adopt(trie.array(), arena.cover)
    scout = Scout(arena, Survivors(arena).fill(), tuning.lookahead)
    parts = (walker, scout, trie, Tests(arena, options.reset_cost))
    driver = Driver(arena, parts, known.identifiers, known.letters, tuning.lookahead)
    for word in trie.words():
        driver.add(word)
    return driver.run(_late(known, tuning)), scout.worked()


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
                    if table.target[end * table.inputs + k] >= 0
                ]
