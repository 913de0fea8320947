"""The exact engine for many suites of the same model: one solver, in which each test is switched on by an assumption.

Clauses learnt for one suite are reused for the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from fullproof.certify.answers import Open, Proved
from fullproof.certify.exact import Survivor, differing, first_difference, search, verified
from fullproof.certify.faults import simple_faults
from fullproof.certify.machine import FlatMachine, Word
from fullproof.certify.switched_tests import STALE, STALE_AFTER, SwitchedTests
from fullproof.certify.tree import WordTree, plant, separations
from fullproof.core.budget import Budget
from fullproof.smt.sat import open_sat_solver
from fullproof.smt.sat_answers import Contradiction, OutOfTime, SatAssignment


@dataclass(frozen=True, slots=True)
class Needed:
    """No machine survives, and these tests alone suffice for that."""

    words: frozenset[Word]


@dataclass(frozen=True, slots=True)
class Confused:
    """The suite does not show that these two pins lead to different states."""

    one: Word
    other: Word


class SurvivorOracle:
    """Asks whether machines survive. ``pins``: words to different states of the model, the empty word first."""

    def __init__(self, model: FlatMachine, pins: list[Word], *, extra: int) -> None:
        self.model, self.pins, self.extra = model, pins, extra
        self.bound = model.states + extra
        self._renew()

    def typical_faults(self, dice: Random, most: int) -> Iterator[FlatMachine]:
        """The model with one transition redirected, after a path of extra states."""
        return simple_faults(self.model, extra=self.extra, dice=dice, most=most)

    def decide(self, words: Collection[Word], *, effort: Budget) -> Needed | Survivor | Open:
        """Decide any suite: those that confuse pins one at a time, from scratch."""
        answer = self.ask(words, effort=effort)
        if not isinstance(answer, Confused):
            return answer
        tree = plant(self.model, words)
        found = search(self.model, tree, extra=self.extra, deadline=effort.clock, effort=effort)
        return Needed(frozenset(words)) if isinstance(found, Proved) else found

    def ask(self, words: Collection[Word], *, effort: Budget) -> Needed | Survivor | Open | Confused:
        """Decide a suite that distinguishes the pins; the effort pays for the solver's steps."""
        tree = plant(self.model, words)
        confused = self._confused(tree)
        if confused is not None:
            return confused
        if len(self._tests) > STALE_AFTER + STALE * len(tree):
            self._renew()
        switches = {self._tests.switch(word): word for word in words}
        match first_difference(self._encoding, self._solver, list(switches), seconds=effort.clock, effort=effort):
            case Contradiction(core):
                return Needed(frozenset(switches[literal] for literal in core) | self._separating_tests(tree))
            case SatAssignment() as found:
                return Survivor(verified(self._encoding.decode(found), self.model, tree, self.bound))
            case OutOfTime():
                return Open("no answer within the budget")

    def _confused(self, tree: WordTree) -> Confused | None:
        seen = tree.observations()
        nodes: list[int] = []
        for word in self.pins:
            node = self._find(tree, word)
            other = 0 if node < 0 else seen.first_not_apart(node, np.array(nodes, dtype=np.int32))
            if other >= 0:
                return Confused(word, self.pins[other])
            nodes.append(node)
        return None

    def _separating_tests(self, tree: WordTree) -> frozenset[Word]:
        """Tests that distinguish the pins: the encoding presupposes them, so an unsatisfiable core does not name
        them.
        """
        nodes = [self._find(tree, word) for word in self.pins]
        ends: set[int] = set()
        for k, one in enumerate(nodes):
            for other in nodes[:k]:
                ways = list(separations(tree, one, other))
                if not any(pair <= ends for pair in ways):
                    ends |= min(ways, key=lambda pair: len(pair - ends))
        tests = set()
        for node in ends:
            while tree.first[node] >= 0:
                node = int(tree.first[node])
            tests.add(tree.word(node))
        return frozenset(tests)

    @staticmethod
    def _find(tree: WordTree, word: Word) -> int:
        node = 0
        for symbol in word:
            node = next((child for child in tree.children(node) if tree.symbol[child] == symbol), -1)
            if node < 0:
                break
        return node

    def _renew(self) -> None:
        """Start with an empty solver."""
        self._solver = open_sat_solver()
        labels = [self._label(word) for word in self.pins]
        self._encoding = differing(self.model, labels, self.bound, self._solver)
        self._solver.prefer(self._encoding.correct())
        self._tests = SwitchedTests(self._encoding, self.model, {word: k for k, word in enumerate(self.pins)})

    def _label(self, word: Word) -> int:
        state = 0
        for symbol in word:
            state = self.model.target[state][symbol]
        return state
