"""State counting for reductions of observable, partial, nondeterministic machines (paper 002, Figure 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from fullproof.analysis.d_reachability import deterministic_cover
from fullproof.analysis.r_distinguishability import levels, maximal_sets, ordered, separating_inputs
from fullproof.analysis.responses import Responses
from fullproof.artefacts.request import Distinguish
from fullproof.artefacts.words import WordList, word_list
from fullproof.core.errors import UserError
from fullproof.generate.input_tree import ROOT, InputTree

TRACES_LIMIT = 500_000
"""Where few states are reliably distinguishable, the traces to explore grow exponentially (section 5.8.3)."""

Visit = tuple[int, int]
"""A node of the suite's tree and the model's state there."""


def counting(machine: Responses, *, extra_states: int, distinguish: Distinguish) -> WordList:
    """Sachtleben and Peleska 2022, GENERATETESTSUITE: traversal by state counting, then r-distinguishing sets.

    Guarantee: with rd1 or rd2, every observable system of at most ``machine.states + extra_states`` states that passes
    under the grey-box oracle is a strong reduction. With rd3, every such system that passes under the oracle of
    quasi-reduction (of reduction, where both machines are complete) is a quasi-reduction (a reduction).
    Needs: observable, every state reachable; rd3 for anything but strong reduction.

    Differs from the paper's formula for Tr(s, m) in one point: a trace that ends where the model has no input left is
    kept too, although nothing terminates it. Without it a machine with such a state would go untested there.
    """
    counter = _Counting(machine, machine.states + extra_states, distinguish)
    counter.traverse()
    counter.distinguish()
    return word_list(counter.tree.maximal())


@dataclass(frozen=True, slots=True)
class _Terminated:
    """A trace of the traversal: what it visits after its access word, and the sets that terminate it."""

    visits: tuple[Visit, ...]
    sets: tuple[int, ...]


class _Counting:
    def __init__(self, machine: Responses, bound: int, variant: Distinguish) -> None:
        self.machine = machine
        self.variant = variant
        self.tree = InputTree()
        self.level = levels(machine, variant)
        self.moves = {
            pair: [
                (symbol, rest)
                for symbol, rest in separating_inputs(machine, *pair, variant)
                if all(r in self.level and self.level[r] < level for r in rest)
            ]
            for pair, level in self.level.items()
        }
        # Among inputs of the same price the one that separates the most pairs is likely to be of use again.
        self.power = [sum(x == symbol for m in self.moves.values() for x, _ in m) for symbol in range(machine.inputs)]
        self.sets = maximal_sets(machine.states, self.level)
        self.cover = deterministic_cover(machine)
        self.visits_allowed = [bound - len(s & self.cover.keys()) + 1 for s in self.sets]
        self.sets_of = [[k for k, s in enumerate(self.sets) if state in s] for state in range(machine.states)]
        self.access = [(self.tree.insert(word), state) for state, word in self.cover.items()]
        self.terminated: list[_Terminated] = []
        self.done: set[tuple[Visit, Visit]] = set()

    def traverse(self) -> None:
        """Extend every access word until some set of r-distinguishable states is visited once too often."""
        seen: set[tuple[Visit, ...]] = set()
        for node, state in self.access:
            counts = [0] * len(self.sets)
            for trace in self._extend(node, state, counts, ()):
                if trace.visits not in seen:
                    seen.add(trace.visits)
                    self.terminated.append(trace)
                if len(seen) > TRACES_LIMIT:
                    raise UserError(
                        f"state counting needs more than {TRACES_LIMIT:,} traces: too few states of this model can be "
                        f"told apart reliably (--distinguish {self.variant.value}); fewer extra states or rd1 may help"
                    )

    def _extend(self, node: int, state: int, counts: list[int], visits: tuple[Visit, ...]) -> Iterator[_Terminated]:
        for symbol, answers in sorted(self.machine.after[state].items()):
            child = self.tree.child(node, symbol)
            for target in sorted(set(answers.values())):
                path = (*visits, (child, target))
                for k in self.sets_of[target]:
                    counts[k] += 1
                over = tuple(k for k in self.sets_of[target] if counts[k] == self.visits_allowed[k])
                if over:
                    yield _Terminated(path, over)
                else:
                    yield from self._extend(child, target, counts, path)
                for k in self.sets_of[target]:
                    counts[k] -= 1

    def distinguish(self) -> None:
        """Make the suite tell apart all visits of a terminating set; choose the set and the inputs that cost least."""
        for trace in self.terminated:
            wanted = {k: [pair for pair in self._pairs(trace, k) if not self._separated(*pair)] for k in trace.sets}
            if not all(wanted.values()):
                continue
            cheapest = min(trace.sets, key=lambda k: (sum(self._plan(*pair)[0] for pair in wanted[k]), k))
            for one, other in wanted[cheapest]:
                if not self._separated(one, other):
                    self._apply(one, other)

    def _pairs(self, trace: _Terminated, number: int) -> list[tuple[Visit, Visit]]:
        """The pairs of visits to tell apart; those with the fewest inputs to choose from come first, since what they
        add often serves the others (card reader, rd2: 961 tests instead of 1,264).
        """
        chosen = self.sets[number]
        base = [visit for visit in self.access if visit[1] in chosen]
        path = [visit for visit in trace.visits if visit[1] in chosen]
        pairs = [
            *combinations(base, 2),
            *((one, other) for other in path for one in base if one[1] != other[1]),
            *((one, other) for one, other in combinations(path, 2) if one[1] != other[1]),
        ]
        return sorted(pairs, key=lambda pair: len(self.moves[ordered(pair[0][1], pair[1][1])]))

    def _separated(self, one: Visit, other: Visit) -> bool:
        """Whether the words that the suite has after both visits r-distinguish them (Definition 3)."""
        if (one, other) in self.done:
            return True
        if self._by_suite(one, other):
            self.done.add((one, other))
            return True
        return False

    def _by_suite(self, one: Visit, other: Visit) -> bool:
        (node1, state1), (node2, state2) = one, other
        if self.level.get(ordered(state1, state2)) == 0:
            return True
        first, second = self.machine.after[state1], self.machine.after[state2]
        for symbol in self.tree.children[node1].keys() & self.tree.children[node2].keys():
            if symbol in first and symbol in second:
                shared = first[symbol].keys() & second[symbol].keys()
                next1, next2 = self.tree.children[node1][symbol], self.tree.children[node2][symbol]
                pairs = {(first[symbol][y], second[symbol][y]) for y in shared}
                if all(a != b and self._by_suite((next1, a), (next2, b)) for a, b in pairs):
                    return True
            elif self.variant is Distinguish.RD2 and (symbol in first or symbol in second):
                return True
        return False

    def _plan(self, one: Visit, other: Visit) -> tuple[int, int | None]:
        """The cheapest way to r-distinguish two visits: its price, and the input to apply to both first."""
        pair = ordered(one[1], other[1])
        if self.level[pair] == 0:
            return 0, None
        price, _, symbol = min((self._price(one, other, x), -self.power[x], x) for x, _ in self.moves[pair])
        return price, symbol

    def _price(self, one: Visit, other: Visit, symbol: int) -> int:
        (node1, state1), (node2, state2) = one, other
        price = self.tree.price(node1, symbol) + self.tree.price(node2, symbol)
        next1, next2 = self.tree.children[node1].get(symbol), self.tree.children[node2].get(symbol)
        for a, b in self._shared(state1, state2, symbol):
            if next1 is not None and next2 is not None:
                price += self._plan((next1, a), (next2, b))[0]
            else:
                price += 2 * self.level[ordered(a, b)]
        return price

    def _apply(self, one: Visit, other: Visit) -> None:
        """Add the cheapest r-distinguishing set after both visits."""
        (node1, state1), (node2, state2) = one, other
        symbol = self._plan(one, other)[1]
        if symbol is None:
            return
        next1, next2 = self.tree.child(node1, symbol), self.tree.child(node2, symbol)
        for a, b in self._shared(state1, state2, symbol):
            self._apply((next1, a), (next2, b))

    def _shared(self, state1: int, state2: int, symbol: int) -> Iterable[tuple[int, int]]:
        first = self.machine.after[state1].get(symbol, {})
        second = self.machine.after[state2].get(symbol, {})
        return sorted({(first[y], second[y]) for y in first.keys() & second.keys()})


def trace_count(machine: Responses, *, extra_states: int, distinguish: Distinguish) -> dict[int, int]:
    """How many terminated traces of each length the traversal of the initial state has (for tests and tables)."""
    counter = _Counting(machine, machine.states + extra_states, distinguish)
    lengths: dict[int, int] = {}
    for trace in counter._extend(ROOT, 0, [0] * len(counter.sets), ()):
        lengths[len(trace.visits)] = lengths.get(len(trace.visits), 0) + 1
    return lengths
