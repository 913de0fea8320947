"""The tree of paper 000, Tables 5.1 and 2.4, and of paper 004's HP, projected to inputs.

Let V be a prefix-closed set of traces, one to each of the n states, and k the number of extra states. The suite decides
for a passing system whether it has

1. each trace of V.A^(<=k) that the model has, followed by any letter: all inputs are applied there;
2. for any two traces of V, one of the traces that distinguish their states after both of them;
3. the same for a trace of V, and a trace v.w of the model with 1 <= |w| <= k + 1, if the two must be distinguished;
4. the same for such traces v.w and v.w', w a prefix of w', if they must be distinguished.

Which states must be distinguished is given by their kinds: states of one kind need not be. A trace is decided by any
word of inputs that offer its letters one by one, and only up to its first letter that the model lacks. So wherever the
tree goes on, the fewest inputs that offer the letters possible there are enough; all inputs are needed only once at
each place. Traces w that touch V on their way are left out: they are longer than what starts at that trace of V.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from fullproof.artefacts.prefix_tree import ROOT, PrefixTree
from fullproof.core.counted import counted
from fullproof.core.errors import UserError
from fullproof.generate.symbolic.letters import LetterMachine
from fullproof.generate.symbolic.separator import Separator, Word

MOST_NODES = 3_000_000
"""Places v.w that are laid out; each costs some hundred bytes."""

_MOST_COVERS = 20_000
_EFFORT = 60_000  # places that may be laid out while identifiers are compared


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TreePlan:
    """The part of the tree that does not depend on the choice of identifiers.

    ``ways[s]``: input and letters that the tree follows from state ``s``. ``cover[s]``: the edge of V that leads to
    ``s``: its source, its input and its letter; None for the initial state.
    """

    machine: LetterMachine
    extra_states: int
    kinds: tuple[int, ...]
    ways: tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]
    cover: tuple[tuple[int, int, int] | None, ...]

    def rivals(self, state: int) -> list[int]:
        """The states from which a state must be distinguished after v.w."""
        return [s for s in range(self.machine.states) if self.kinds[s] != self.kinds[state]]


def suite_tree(machine: LetterMachine, *, extra_states: int, kinds: Sequence[int]) -> PrefixTree:
    """Build the tree with the identifiers that make it small.

    Guarantee: its words satisfy the four conditions, whatever was chosen.
    """
    plan = _plan(machine, extra_states=extra_states, kinds=kinds)
    size = _places(plan)
    if size > MOST_NODES:
        raise UserError(
            f"the suite would have about {size:,.0f} places ({counted(machine.states, 'state')}, {len(machine.inputs)} "
            f"representative inputs, {counted(extra_states, 'extra state')}), more than the {MOST_NODES:,} that fit; "
            "ask for fewer extra states"
        )
    separator = Separator(machine)
    offers = [separator.identifiers(s, plan.rivals(s)) for s in range(machine.states)]
    chosen = [0] * machine.states
    best = _grow(plan, separator, [own[0] for own in offers])
    trials = int(_EFFORT // max(1.0, size))
    for state, own in enumerate(offers):
        for number in range(1, len(own)):
            if trials <= 0:
                return best
            trials -= 1
            trial = [*chosen[:state], number, *chosen[state + 1 :]]
            tree = _grow(plan, separator, [offers[s][k] for s, k in enumerate(trial)])
            if _cost(tree) < _cost(best):
                best, chosen = tree, trial
    return best


def _cost(tree: PrefixTree) -> int:
    """Inputs plus resets."""
    return sum(tree.size())


def _plan(machine: LetterMachine, *, extra_states: int, kinds: Sequence[int]) -> TreePlan:
    ways = tuple(_ways(machine, state) for state in range(machine.states))
    return TreePlan(
        machine=machine, extra_states=extra_states, kinds=tuple(kinds), ways=ways, cover=_cover(machine, ways)
    )


def _ways(machine: LetterMachine, state: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The fewest inputs that offer all letters possible in a state, each with those that it is to follow."""
    left = set(machine.after[state])
    found = []
    for symbol in _fewest(machine, frozenset(left)):
        followed = machine.inputs[symbol] & left
        if followed:
            found.append((symbol, tuple(sorted(followed))))
            left -= followed
    return tuple(found)


def _fewest(machine: LetterMachine, letters: frozenset[int]) -> tuple[int, ...]:
    useful = [symbol for symbol, offered in enumerate(machine.inputs) if offered & letters]
    for size in range(1, len(useful) + 1):
        if comb(len(useful), size) > _MOST_COVERS:
            break
        for symbols in combinations(useful, size):
            if letters <= frozenset().union(*(machine.inputs[s] for s in symbols)):
                return symbols
    chosen: list[int] = []
    left = set(letters)
    while left:
        best = max(useful, key=lambda symbol: len(machine.inputs[symbol] & left))
        chosen.append(best)
        left -= machine.inputs[best]
    return tuple(sorted(chosen))


def _cover(
    machine: LetterMachine, ways: Sequence[tuple[tuple[int, tuple[int, ...]], ...]]
) -> tuple[tuple[int, int, int] | None, ...]:
    """Shortest traces; among these, inputs with a single target, so that no other branch starts beside them."""
    edges: dict[int, tuple[int, int, int] | None] = {0: None}
    level = [0]
    while level:
        steps = [
            (len({machine.after[s][a] for a in letters}), s, symbol, letter)
            for s in level
            for symbol, letters in ways[s]
            for letter in letters
        ]
        fresh = []
        for _, s, symbol, letter in sorted(steps):
            target = machine.after[s][letter]
            if target not in edges:
                edges[target] = (s, symbol, letter)
                fresh.append(target)
        level = fresh
    return tuple(edges[state] for state in range(machine.states))


def _places(plan: TreePlan) -> float:
    """About how many places v.w and inputs there the tree has."""
    followed = [float(sum(len(letters) for _, letters in ways)) for ways in plan.ways]
    count = [1.0] * plan.machine.states
    total = 0.0
    for _ in range(plan.extra_states + 1):
        total += sum(count) * len(plan.machine.inputs)
        after = [0.0] * plan.machine.states
        for state, ways in enumerate(plan.ways):
            for _, letters in ways:
                targets = {plan.machine.after[state][letter] for letter in letters}
                for target in targets:
                    after[target] += count[state]
        count = after
    return total + sum(count) + sum(followed)


def _grow(plan: TreePlan, separator: Separator, identifiers: Sequence[tuple[Word, ...]]) -> PrefixTree:
    return _Growth(plan, separator, identifiers).tree


class _Growth:
    """One tree under construction."""

    def __init__(self, plan: TreePlan, separator: Separator, identifiers: Sequence[tuple[Word, ...]]) -> None:
        self.tree = PrefixTree()
        self._plan = plan
        self._identifiers = identifiers
        self._separator = separator
        self._telling: dict[tuple[int, int], Word] = {}
        self._reached: set[int] = set()
        roots = self._state_cover()
        for state, node in enumerate(roots):
            self._follow(node, state, 0, ())
        self._separate_from_cover(roots)
        self._separate_cover(roots)

    def _state_cover(self) -> list[int]:
        nodes: dict[int, int] = {0: ROOT}

        def node_of(state: int) -> int:
            if state not in nodes:
                edge = self._plan.cover[state]
                assert edge is not None
                nodes[state] = self.tree.child(node_of(edge[0]), edge[1])
            return nodes[state]

        return [node_of(state) for state in range(self._plan.machine.states)]

    def _follow(self, node: int, state: int, depth: int, path: tuple[tuple[int, int], ...]) -> None:
        """Lay out what follows v.w: all inputs, and the letters that the model may show, |w| = ``depth``."""
        if depth > self._plan.extra_states:
            return
        machine = self._plan.machine
        for symbol in range(len(machine.inputs)):
            self.tree.child(node, symbol)
        for symbol, letters in self._plan.ways[state]:
            after = self.tree.find(node, symbol)
            targets = {
                machine.after[state][letter] for letter in letters if depth or not self._in_cover(state, symbol, letter)
            }
            for target in sorted(targets):
                self._identify(after, target, path)
                self._follow(after, target, depth + 1, (*path, (after, target)))

    def _in_cover(self, state: int, symbol: int, letter: int) -> bool:
        target = self._plan.machine.after[state][letter]
        return self._plan.cover[target] == (state, symbol, letter)

    def _identify(self, node: int, state: int, path: tuple[tuple[int, int], ...]) -> None:
        """Conditions 3 and 4 on the side of the longer trace, condition 4 on the side of the shorter one."""
        self._reached.add(state)
        for word in self._identifiers[state]:
            self._insert(node, word)
        for earlier, other in path:
            if self._plan.kinds[other] != self._plan.kinds[state]:
                self._insert(earlier, self._word(state, other))

    def _separate_from_cover(self, roots: Sequence[int]) -> None:
        """Condition 3 on the side of V."""
        for state in sorted(self._reached):
            for other in self._plan.rivals(state):
                self._insert(roots[other], self._word(state, other))

    def _separate_cover(self, roots: Sequence[int]) -> None:
        """Condition 2, by the cheapest words given the rest of the tree."""
        for one, other in combinations(range(len(roots)), 2):
            words = [self._separator.shortest(one, other)]
            words += [(symbol,) for symbol in range(len(self._plan.machine.inputs))]
            words += [*self._identifiers[one], *self._identifiers[other]]
            useful = [found for word in words if (found := self._separator.prefix(one, other, word)) is not None]
            best = min(useful, key=lambda word: self._price(roots[one], word) + self._price(roots[other], word))
            self._insert(roots[one], best)
            self._insert(roots[other], best)

    def _word(self, state: int, other: int) -> Word:
        """Of the words that identify a state, the shortest part that distinguishes it from another one."""
        key = (state, other)
        if key not in self._telling:
            parts = [self._separator.prefix(state, other, word) for word in self._identifiers[state]]
            self._telling[key] = min((part for part in parts if part is not None), key=len)
        return self._telling[key]

    def _insert(self, node: int, word: Word) -> None:
        for symbol in word:
            node = self.tree.child(node, symbol)

    def _price(self, node: int, word: Word) -> int:
        for position, symbol in enumerate(word):
            price = self.tree.price(node, symbol)
            if price:
                return price + len(word) - position - 1
            node = self.tree.find(node, symbol)
        return 0
