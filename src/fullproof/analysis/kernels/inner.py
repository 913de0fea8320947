"""Which identifiers the inner nodes of a suite's tree need.

The tree P = {v.x : v in cover, |x| <= a + 1} has inner nodes (the cover is level 0, then levels 1..a) and leaves. A
leaf of state t carries the identifiers of t. An inner node of state s needs, for each leaf state t != s, a word that
separates s and t and begins an identifier of t. Often the tree has that word below the node anyway: every input is
there, and so are the identifiers of the leaves further down. What is missing is taken from the candidates of s and
marked.
"""

from typing import Any

import cython
import numpy as np

_NEW_TEST = 8  # about what reset and access add to a test: only a rule of thumb for choosing between words


@cython.cclass
class InnerWords:
    """Marks candidates from the deepest level upwards, so that everything below a node is settled before it."""

    states: cython.int
    inputs: cython.int
    extra: cython.int
    target: cython.int[::1]
    output: cython.int[::1]
    covers: cython.uchar[::1]
    child: cython.int[::1]
    sibling: cython.int[::1]
    symbol: cython.int[::1]
    leaf: cython.int[::1]
    candidate: cython.int[::1]
    offset: cython.longlong[::1]
    marks: cython.uchar[:, ::1]
    word: cython.int[::1]
    stack: cython.int[::1]
    best: cython.int[::1]
    ours: cython.int[::1]
    theirs: cython.int[::1]

    def __init__(
        self,
        table: tuple[object, object, int, int],
        covers: cython.uchar[::1],
        trees: tuple[object, object, object],
        roots: tuple[object, object],
        offset: cython.longlong[::1],
        marks: cython.uchar[:, ::1],
    ) -> None:
        """``table``: targets, outputs, inputs, extra states; ``roots``: of identifiers and of candidates of each state.

        Node x of the candidates of state s has its mark of level k in ``marks[k, offset[s] + x]``.
        """
        self.target, self.output, self.inputs, self.extra = table
        self.states = self.target.shape[0] // self.inputs
        self.covers = covers
        self.child, self.sibling, self.symbol = trees
        self.leaf, self.candidate = roots
        self.offset = offset
        self.marks = marks
        room: cython.int = self.child.shape[0] + 1
        self.word = np.zeros(room, dtype=np.int32)
        self.stack = np.zeros(room, dtype=np.int32)
        self.best = np.zeros(room, dtype=np.int32)
        self.ours = np.zeros(room, dtype=np.int32)
        self.theirs = np.zeros(room, dtype=np.int32)

    def settle(self, order: cython.int[::1], others: cython.int[::1], own: bool) -> None:
        """Make every inner node apart from leaves of all ``others``, at all levels; ``order`` is breadth-first.

        Where ``own`` holds, a node of the cover gets the identifiers of its own state as well: needed where the
        identifiers are not harmonised.
        """
        level: cython.int
        for level in range(self.extra, 0, -1):
            self.settle_level(level, order, others, np.zeros(0, dtype=np.int32))
        self.settle_cover(order, others, own)

    def settle_cover(self, order: cython.int[::1], others: cython.int[::1], own: bool) -> None:
        """Make the nodes of the cover apart from leaves of all ``others``, after the levels below."""
        k: cython.int
        j: cython.int
        for k in range(self.states - 1, -1, -1):
            if own:
                self.own_words(order[k])
            for j in range(others.shape[0]):
                if others[j] != order[k]:
                    self.part(order[k], others[j], 0)

    def settle_level(
        self, level: cython.int, order: cython.int[::1], others: cython.int[::1], start: cython.int[::1]
    ) -> None:
        """Make inner nodes of a level apart from leaves: of all ``others``, or of ``others[start[s]:start[s + 1]]``."""
        k: cython.int
        j: cython.int
        first: cython.int = 0
        past: cython.int = others.shape[0]
        for k in range(self.states - 1, -1, -1):
            if start.shape[0] > 0:
                first = start[order[k]]
                past = start[order[k] + 1]
            for j in range(first, past):
                if others[j] != order[k]:
                    self.part(order[k], others[j], level)

    def meet(self, one: tuple[int, int], other: tuple[int, int], word: cython.int[::1]) -> None:
        """Make two inner nodes (state, level) have a word that separates them in common.

        First the identifiers of either state are tried, then ``word``, a candidate, is marked where it is missing.
        """
        k: cython.int
        for k in range(word.shape[0]):
            self.word[k] = word[k]
        here: cython.bint = self.present(one[0], one[1], word.shape[0])
        there: cython.bint = self.present(other[0], other[1], word.shape[0])
        if (here and there) or self.share(one, other, one[0]) or self.share(one, other, other[0]):
            return
        for k in range(word.shape[0]):
            self.word[k] = word[k]
        if not here:
            self.mark(one[0], one[1], word.shape[0])
        if not there:
            self.mark(other[0], other[1], word.shape[0])

    @cython.cfunc
    def share(self, one: tuple[int, int], other: tuple[int, int], state: cython.int) -> cython.bint:
        """Whether two inner nodes both have the beginning of an identifier of ``state`` that separates them."""
        depth: cython.int = 0
        node: cython.int
        mine: cython.int
        yours: cython.int
        self.ours[0] = one[0]
        self.theirs[0] = other[0]
        self.stack[0] = self.child[self.leaf[state]]
        while depth >= 0:
            node = self.stack[depth]
            if node < 0:
                depth -= 1
                if depth >= 0:
                    self.stack[depth] = self.sibling[self.stack[depth]]
                continue
            self.word[depth] = self.symbol[node]
            mine = self.ours[depth] * self.inputs + self.symbol[node]
            yours = self.theirs[depth] * self.inputs + self.symbol[node]
            if self.output[mine] == self.output[yours] and self.target[mine] != self.target[yours]:
                depth += 1
                self.ours[depth] = self.target[mine]
                self.theirs[depth] = self.target[yours]
                self.stack[depth] = self.child[node]
                continue
            if (
                self.output[mine] != self.output[yours]
                and self.present(one[0], one[1], depth + 1)
                and self.present(other[0], other[1], depth + 1)
            ):
                return True
            self.stack[depth] = self.sibling[node]
        return False

    @cython.cfunc
    def part(self, state: cython.int, other: cython.int, level: cython.int) -> cython.void:
        """Make sure that an inner node of one state is apart from leaves of another one."""
        depth: cython.int = 0
        cost: cython.int
        least: cython.int = -1
        length: cython.int = 0
        mine: cython.int
        yours: cython.int
        node: cython.int
        k: cython.int
        self.ours[0] = state
        self.theirs[0] = other
        self.stack[0] = self.child[self.leaf[other]]
        while depth >= 0:
            node = self.stack[depth]
            if node < 0:
                depth -= 1
                if depth >= 0:
                    self.stack[depth] = self.sibling[self.stack[depth]]
                continue
            self.word[depth] = self.symbol[node]
            mine = self.ours[depth] * self.inputs + self.symbol[node]
            yours = self.theirs[depth] * self.inputs + self.symbol[node]
            if self.output[mine] == self.output[yours] and self.target[mine] != self.target[yours]:
                depth += 1
                self.ours[depth] = self.target[mine]
                self.theirs[depth] = self.target[yours]
                self.stack[depth] = self.child[node]
                continue
            if self.target[mine] >= 0 and self.output[mine] != self.output[yours]:
                if self.present(state, level, depth + 1):
                    return
                cost = self.missing(state, level, depth + 1)
                if cost >= 0 and (least < 0 or cost < least):
                    least = cost
                    length = depth + 1
                    for k in range(length):
                        self.best[k] = self.word[k]
            self.stack[depth] = self.sibling[node]
        for k in range(length):
            self.word[k] = self.best[k]
        self.mark(state, level, length)

    @cython.cfunc
    def own_words(self, state: cython.int) -> cython.void:
        """Make sure that the cover's node of a state has all identifiers of that state below it."""
        depth: cython.int = 0
        node: cython.int
        self.stack[0] = self.child[self.leaf[state]]
        while depth >= 0:
            node = self.stack[depth]
            if node < 0:
                depth -= 1
                if depth >= 0:
                    self.stack[depth] = self.sibling[self.stack[depth]]
                continue
            self.word[depth] = self.symbol[node]
            if self.child[node] < 0:
                if not self.present(state, 0, depth + 1):
                    self.mark(state, 0, depth + 1)
                self.stack[depth] = self.sibling[node]
            else:
                depth += 1
                self.stack[depth] = self.child[node]

    @cython.cfunc
    @cython.exceptval(check=False)
    def present(self, state: cython.int, level: cython.int, length: cython.int) -> cython.bint:
        """Whether the tree has the current word below an inner node, as far as it is settled."""
        k: cython.int
        cell: cython.int
        for k in range(length - 1):
            if self.marked(state, level, k, length):
                return True
            cell = state * self.inputs + self.word[k]
            state = self.target[cell]
            if level > 0 or self.covers[cell] == 0:
                level += 1
            if level > self.extra:
                return self.below(self.leaf[state], k + 1, length) >= 0
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def below(self, node: cython.int, begin: cython.int, end: cython.int) -> cython.int:
        """The node that part of the current word leads to, -1 where it leads out of the tree."""
        k: cython.int
        for k in range(begin, end):
            node = self.child[node]
            while node >= 0 and self.symbol[node] != self.word[k]:
                node = self.sibling[node]
            if node < 0:
                return -1
        return node

    @cython.cfunc
    @cython.exceptval(check=False)
    def marked(self, state: cython.int, level: cython.int, begin: cython.int, end: cython.int) -> cython.bint:
        """Whether part of the current word is marked for a state."""
        node: cython.int = self.below(self.candidate[state], begin, end)
        return node >= 0 and self.marks[level, self.offset[state] + node] != 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def missing(self, state: cython.int, level: cython.int, length: cython.int) -> cython.int:
        """What marking the current word costs: its unmarked end, and more where that starts a test of its own.

        -1 where the word is not a candidate.
        """
        k: cython.int
        node: cython.int = self.candidate[state]
        last: cython.int = node
        unmarked: cython.int = 0
        for k in range(length):
            node = self.child[node]
            while node >= 0 and self.symbol[node] != self.word[k]:
                node = self.sibling[node]
            if node < 0:
                return -1
            if self.marks[level, self.offset[state] + node]:
                last = node
            else:
                unmarked += 1
        if unmarked == length:
            return unmarked + _NEW_TEST
        node = self.child[last]
        while node >= 0:
            if self.marks[level, self.offset[state] + node]:
                return unmarked + _NEW_TEST
            node = self.sibling[node]
        return unmarked

    @cython.cfunc
    @cython.exceptval(check=False)
    def mark(self, state: cython.int, level: cython.int, length: cython.int) -> cython.void:
        """Mark the current word and its prefixes."""
        k: cython.int
        node: cython.int = self.candidate[state]
        for k in range(length):
            node = self.below(node, k, k + 1)
            self.marks[level, self.offset[state] + node] = 1

    def carve(self) -> tuple[Any, Any, Any, Any]:
        """Copy what is marked: child, sibling and symbol of all trees, new ones at the end, and the new roots.

        Root k * states + s is that of state s at level k.
        """
        old: cython.int = self.child.shape[0]
        roots: cython.int = (self.extra + 1) * self.states
        size: cython.int = old + roots
        room: cython.Py_ssize_t = size + np.count_nonzero(self.marks)
        child_array = np.full(room, -1, dtype=np.int32)
        sibling_array = np.full(room, -1, dtype=np.int32)
        symbol_array = np.full(room, -1, dtype=np.int32)
        child_array[:old] = self.child
        sibling_array[:old] = self.sibling
        symbol_array[:old] = self.symbol
        child: cython.int[::1] = child_array
        sibling: cython.int[::1] = sibling_array
        symbol: cython.int[::1] = symbol_array
        origin: cython.int[::1] = np.full(room, -1, dtype=np.int32)
        level: cython.int
        state: cython.int
        here: cython.int
        last: cython.int
        node: cython.int
        first: cython.int
        for level in range(self.extra + 1):
            for state in range(self.states):
                here = old + level * self.states + state
                origin[here] = self.candidate[state]
                first = size
                while True:
                    last = -1
                    node = self.child[origin[here]]
                    while node >= 0:
                        if self.marks[level, self.offset[state] + node]:
                            origin[size] = node
                            symbol[size] = self.symbol[node]
                            if last < 0:
                                child[here] = size
                            else:
                                sibling[last] = size
                            last = size
                            size += 1
                        node = self.sibling[node]
                    if here < first:
                        here = first
                    else:
                        here += 1
                    if here >= size:
                        break
        return child_array, sibling_array, symbol_array, np.arange(old, old + roots, dtype=np.int32)
