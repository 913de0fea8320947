"""A suite for an observable machine: what it applies after each trace, with equal continuations shared.

Two places of a suite with the same continuation of tests and the same state of the model demand the same of a system
that is in one state at both: they are one *place*. Traces are far more than places.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fullproof.artefacts.request import ALL_ANSWERS, GREY_BOX, Relation
from fullproof.certify.machine import Word
from fullproof.certify.observable import TraceMachine

TestPlace = tuple[int, int]
"""A continuation of tests, and the state of the model."""


@dataclass(slots=True, eq=False)
class AppliedTests:
    """``below[c]`` are the continuations after continuation ``c`` and an input. ``start`` is that of the suite."""

    model: TraceMachine
    relation: Relation
    below: list[dict[int, int]]
    start: int
    executed: bool
    """Whether there is a test at all: then systems are looked at before the first input."""
    _apart: dict[tuple[TestPlace, TestPlace], bool] = field(default_factory=dict)
    _inputs: dict[TestPlace, list[int]] = field(default_factory=dict)

    def inputs_at(self, place: TestPlace) -> list[int]:
        """The inputs that tests apply at a place; a test is over where the model leaves its input undefined."""
        if place not in self._inputs:
            self._inputs[place] = [i for i in self.below[place[0]] if self.answers(place, i)]
        return self._inputs[place]

    def answers(self, place: TestPlace, i: int) -> list[int]:
        """The letters that the model allows after an input."""
        return self.model.enabled(place[1], self.model.offers[i])

    def step(self, place: TestPlace, i: int, letter: int) -> TestPlace:
        """The place after an input and an answer that the model allows."""
        return self.below[place[0]][i], self.model.after[place[1]][letter]

    def places(self) -> list[TestPlace]:
        """The places that demand something, in the order in which tests reach them."""
        found = [(self.start, 0)] if self.executed else []
        seen = set(found)
        for place in found:  # grows while it is walked
            for i in self.inputs_at(place):
                for letter in self.answers(place, i):
                    after = self.step(place, i, letter)
                    if after not in seen and (self.relation in GREY_BOX or self.inputs_at(after)):
                        seen.add(after)
                        found.append(after)
        return found

    def apart(self, one: TestPlace, other: TestPlace) -> bool:
        """Whether no system that passes is in the same state at both places.

        Where a trace may be absent, this is r-distinguishability (Petrenko and Yevtushenko 2005) by the words of the
        suite.
        """
        asked = _pair(one, other)
        stack = [asked]
        while stack:
            if stack[-1] in self._apart:
                stack.pop()
                continue
            found = self._evaluate(*stack[-1])
            if isinstance(found, bool):
                self._apart[stack.pop()] = found
            else:
                stack.append(found)
        return self._apart[asked]

    def _evaluate(self, one: TestPlace, other: TestPlace) -> bool | tuple[TestPlace, TestPlace]:
        """Whether two places are apart, or two places after them for which that has to be known before."""
        if one == other:
            return False
        if self.relation in GREY_BOX and self.model.defined(one[1]) != self.model.defined(other[1]):
            return True
        common = set(self.inputs_at(other))
        for i in self.inputs_at(one):
            found = i in common and self._apart_by(i, one, other)
            if found is not False:
                return found
        return False

    def _apart_by(self, i: int, one: TestPlace, other: TestPlace) -> bool | tuple[TestPlace, TestPlace]:
        here, there = self.answers(one, i), self.answers(other, i)
        every = self.relation in ALL_ANSWERS
        if every and here != there:
            return True
        for letter in here:
            if letter not in there:
                continue
            after = _pair(self.step(one, i, letter), self.step(other, i, letter))
            if after not in self._apart:
                return after
            if self._apart[after] is every:
                return every
        return not every


def _pair(one: TestPlace, other: TestPlace) -> tuple[TestPlace, TestPlace]:
    return (one, other) if one <= other else (other, one)


def applied_tests(model: TraceMachine, words: Iterable[Word], relation: Relation) -> AppliedTests:
    """Share the equal continuations of a suite."""
    trie: list[dict[int, int]] = [{}]
    executed = False
    for word in words:
        executed, node = True, 0
        for i in word:
            if i not in trie[node]:
                trie[node][i] = len(trie)
                trie.append({})
            node = trie[node][i]
    number: dict[tuple[tuple[int, int], ...], int] = {}
    continuation = [0] * len(trie)
    for node in reversed(range(len(trie))):
        key = tuple(sorted((i, continuation[child]) for i, child in trie[node].items()))
        continuation[node] = number.setdefault(key, len(number))
    return AppliedTests(model, relation, [dict(key) for key in number], continuation[0], executed)
