"""Suites by walks that verify one transition after the other, for machines of a domain whose faults soon show.

While nothing is wrong, the state of the machine is *certain*: the initial one after a reset, and what verified
transitions lead to. From a certain state, a word is followed in all machines of the domain at once: where a transition
is not verified, there is a branch for each of its choices, which remembers the choice. Branches with another
output than the model's are gone. A transition that all remaining branches took as the model does is verified, for all
tests. Verified transitions of all reachable states leave the model alone, so such walks are a complete suite.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fullproof.certify.machine import Word, reachable
from fullproof.certify.mutation_machine import Cell, MutationMachine
from fullproof.core.budget import Budget

_BRANCHES = 40
"""Branches of a word at most, besides two for each state; words with more of them are not followed."""
_UNCERTAIN = 1.0
"""What it costs besides that the state is not certain after a word."""
_CHANCE = 0.05
"""How much chance has to do with the choice among words."""
_ENOUGH = 3_000
"""Words that are extended while none verifies anything, before the walk is given up."""

Way = tuple[int, int]
Branch = tuple[int, frozenset[tuple[Cell, Way]]]
"""Where a machine is, and what it is assumed to do."""


@dataclass(frozen=True, slots=True)
class _Place:
    """After a word from a certain state: the model's state, what is verified by it, and the branches that remain."""

    word: Word
    label: int
    gained: frozenset[Cell]
    branches: frozenset[Branch]

    @property
    def is_certain(self) -> bool:
        return all(state == self.label for state, _ in self.branches)


def verified_walks(
    domain: MutationMachine, *, reset_cost: float, seed: int, care: int, effort: Budget
) -> list[Word] | None:
    """A suite that is complete for the domain; None where walks do not verify all transitions within the budget.

    ``care``: how many words are extended before the best one is taken.
    """
    if domain.extra:
        return None
    walker = _Walker(domain, random.Random(seed), care, effort)
    tests: list[Word] = []
    test: Word = ()
    here: int | None = 0
    while not walker.is_done:
        if effort.is_over:
            return None
        going = None if here is None else walker.best(here, 0.0)
        fresh = walker.best(0, reset_cost) if test else None
        options = [(option, again) for option, again in ((going, False), (fresh, True)) if option is not None]
        if not options:
            return None
        (_, place), again = max(options, key=lambda option: option[0][0])
        if again:
            tests.append(test)
            test = ()
        test += place.word
        walker.verify(place.gained)
        here = place.label if place.is_certain else None
    return [*tests, test]


class _Walker:
    """Which transitions are not verified, and the search for words that verify some."""

    def __init__(self, domain: MutationMachine, dice: random.Random, care: int, effort: Budget) -> None:
        self._domain, self._model, self._dice, self._effort = domain, domain.model, dice, effort
        self._care, self._most = care, _BRANCHES + 2 * domain.states
        self._reachable = set(reachable(domain.model))
        self._ways: dict[Cell, list[Way]] = {
            cell: [(target, o) for target, outputs in choices.items() for o in sorted(outputs)]
            for cell, choices in domain.choices.items()
        }

    @property
    def is_done(self) -> bool:
        """Whether all transitions of reachable states are verified."""
        return not any(state in self._reachable for state, _ in self._ways)

    def verify(self, cells: Iterable[Cell]) -> None:
        """From now on, these transitions are as in the model."""
        for cell in cells:
            del self._ways[cell]

    def best(self, state: int, price: float) -> tuple[float, _Place] | None:
        """The word from a certain state that verifies most for its cost, among short ones; None where there is none."""
        start = _Place((), state, frozenset(), frozenset({(state, frozenset())}))
        seen = {(start.label, start.gained, start.branches)}
        queue = [start]
        found: tuple[float, _Place] | None = None
        for number, place in enumerate(queue):
            if number >= (_ENOUGH if found is None else self._care) or self._effort.is_over:
                break
            for after in self._steps(place):
                key = after.label, after.gained, after.branches
                if key in seen:
                    continue
                seen.add(key)
                queue.append(after)
                if after.gained:
                    paid = len(after.word) + price + (0.0 if after.is_certain else _UNCERTAIN)
                    worth = len(after.gained) / paid * (1 + _CHANCE * self._dice.random())
                    if found is None or worth > found[0]:
                        found = worth, after
        return found

    def _steps(self, place: _Place) -> Iterator[_Place]:
        """One input further, in some order."""
        symbols = list(range(self._model.inputs))
        self._dice.shuffle(symbols)
        for symbol in symbols:
            wanted = self._model.output[place.label][symbol]
            branches: set[Branch] = set()
            for one in place.branches:
                branches.update(self._follow(one, symbol, wanted, place.gained))
                if len(branches) > self._most:
                    break
            self._effort.spend(len(place.branches) + len(branches))
            if len(branches) > self._most:
                continue
            sure = frozenset.intersection(*(assumed for _, assumed in branches))
            gained = frozenset(cell for cell, way in sure if way == self._domain.own(*cell))
            yield _Place(
                (*place.word, symbol),
                self._model.target[place.label][symbol],
                place.gained | gained,
                frozenset((state, assumed - sure) for state, assumed in branches) if gained else frozenset(branches),
            )

    def _follow(self, branch: Branch, symbol: int, wanted: int, gained: frozenset[Cell]) -> Iterator[Branch]:
        """The branches after an input with the output of the model."""
        state, assumed = branch
        cell = state, symbol
        ways = self._ways.get(cell)
        if ways is None or cell in gained:
            target, output = self._domain.own(*cell)
            if output == wanted:
                yield target, assumed
            return
        for other, way in assumed:
            if other == cell:
                if way[1] == wanted:
                    yield way[0], assumed
                return
        most = self._domain.at_most
        wrong = {self._domain.part(other) for other, way in assumed if way != self._domain.own(*other)}
        full = most is not None and len(wrong | {self._domain.part(cell)}) > most
        for way in ways:
            if way[1] == wanted and not (full and way != self._domain.own(*cell)):
                yield way[0], assumed | {(cell, way)}
