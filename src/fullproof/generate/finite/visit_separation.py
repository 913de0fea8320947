"""Words that distinguish the states of two visits: those a suite has, and the cheapest to add (Definition 3)."""

from __future__ import annotations

from fullproof.analysis.r_distinguishability import Answers, Move, levels, ordered, separating_inputs
from fullproof.analysis.responses import Responses
from fullproof.artefacts.prefix_tree import PrefixTree
from fullproof.artefacts.request import Distinguish
from fullproof.core.budget import require_room
from fullproof.generate.finite.recursion import Deep, result_of

Visit = tuple[int, int]
"""A node of the suite's tree and the model's state there."""


class VisitSeparation:
    """Looks at a growing tree of words; what it has once distinguished stays so, since the tree only grows."""

    def __init__(self, machine: Responses, tree: PrefixTree, variant: Distinguish, answers: Answers) -> None:
        self._machine = machine
        self._tree = tree
        self._variant = variant
        self._answers = answers
        self.level = levels(machine, variant, answers)
        self._moves: dict[tuple[int, int], list[Move]] = {}
        # Among inputs of the same price the one that separates the most pairs is likely to be of use again.
        self._power = [0] * machine.inputs
        for pair in self.level:
            for symbol, _ in self._useful(*pair):
                self._power[symbol] += 1
        self._done: set[int] = set()

    def choices(self, one: int, other: int) -> int:
        """In how many ways two states can be distinguished, by the first input."""
        return len(self._moves_of(*ordered(one, other)))

    def separated(self, one: Visit, other: Visit) -> bool:
        """Whether the words that the suite has after both visits distinguish them."""
        return self._key(one, other) in self._done or result_of(self._by_suite(one, other))

    def price(self, one: Visit, other: Visit) -> int:
        """What the cheapest words that distinguish two visits would cost."""
        return result_of(self._plan(one, other))[0]

    def apply(self, one: Visit, other: Visit) -> None:
        """Add the cheapest words that distinguish two visits."""
        todo = [(one, other)]
        while todo:
            one, other = todo.pop()
            move = result_of(self._plan(one, other))[1]
            if move is not None:
                symbol, rest = move
                next1, next2 = self._tree.child(one[0], symbol), self._tree.child(other[0], symbol)
                todo += [((next1, a), (next2, b)) for a, b in reversed(rest)]

    def _by_suite(self, one: Visit, other: Visit) -> Deep[bool]:
        key = self._key(one, other)
        if key in self._done:
            return True
        (node1, state1), (node2, state2) = one, other
        found = self.level.get(ordered(state1, state2)) == 0
        if not found:
            for symbol, rest in self._moves_of(state1, state2):
                next1, next2 = self._tree.find(node1, symbol), self._tree.find(node2, symbol)
                if next1 < 0 or next2 < 0:
                    continue
                for a, b in rest:
                    if not (yield self._by_suite((next1, a), (next2, b))):
                        break
                else:
                    found = True
                    break
        if found:
            self._done.add(key)
            require_room(len(self._done), each=8)
        return found

    def _plan(self, one: Visit, other: Visit) -> Deep[tuple[int, Move | None]]:
        """The cheapest way to distinguish two visits: its price, and the move to apply to both first."""
        if self.level[ordered(one[1], other[1])] == 0:
            return 0, None
        best: tuple[tuple[int, int, int], Move] | None = None
        for move in self._useful(one[1], other[1]):
            symbol, rest = move
            price = self._tree.price(one[0], symbol) + self._tree.price(other[0], symbol)
            next1, next2 = self._tree.find(one[0], symbol), self._tree.find(other[0], symbol)
            for a, b in rest:
                if next1 >= 0 and next2 >= 0:
                    further = yield self._plan((next1, a), (next2, b))
                    price += further[0]
                else:
                    price += 2 * self.level[ordered(a, b)]
            rank = (price, -self._power[symbol], symbol)
            if best is None or rank < best[0]:
                best = rank, move
        assert best is not None  # a pair with a level has a move to lower ones
        return best[0][0], best[1]

    def _moves_of(self, one: int, other: int) -> list[Move]:
        """The moves of a pair, in its order; only those that lead to pairs which can be distinguished."""
        found = self._moves.get((one, other))
        if found is None:
            every = separating_inputs(self._machine, one, other, self._variant, self._answers)
            found = [move for move in every if all(ordered(*pair) in self.level for pair in move[1])]
            self._moves[one, other] = found
        return found

    def _useful(self, one: int, other: int) -> list[Move]:
        """The moves that lead to pairs of lower levels."""
        level = self.level[ordered(one, other)]
        return [
            move for move in self._moves_of(one, other) if all(self.level[ordered(*pair)] < level for pair in move[1])
        ]

    def _key(self, one: Visit, other: Visit) -> int:
        """Both visits as one number, which takes less room than a tuple of tuples."""
        states = self._machine.states
        # Nodes and states may be NumPy's integers, which do not grow.
        return (int(one[0]) * states + int(one[1])) << 64 | (int(other[0]) * states + int(other[1]))
