"""Follow the items of a window that are extra states of the machine under test.

Where the last extra state goes is what the windows are to show, so these items are followed as sets of possible
states. The rules are those of docs/proofs/window-walks.md, "Refuting an item", second stage.
"""

import cython
import numpy as np

from fullproof.generate.finite.kernels.walks.arena import Arena

BITS = cython.declare(cython.int, 60)
CONFIGS = cython.declare(cython.int, 8)


@cython.cclass
class Extras:
    """For each tracker and each extra state along its window: the states it may have become, if it is the item."""

    n: cython.int
    p: cython.int
    a: cython.int
    codes: cython.int
    stride: cython.longlong
    target: cython.int[::1]
    output: cython.int[::1]
    rank: cython.int[::1]
    row: cython.longlong[::1]
    before: cython.longlong[::1]
    left: cython.int[::1]
    rem: cython.uchar[::1]
    seq: cython.int[::1]
    window: cython.int[::1]
    along: cython.int[::1]
    e_alive: cython.uchar[::1]
    e_label: cython.int[::1]
    e_size: cython.int[::1]
    e_states: cython.int[::1]
    e_mask: cython.int[::1]
    e_literal: cython.int[::1]
    kids: cython.int[::1]
    cover: cython.int[::1]
    fresh_states: cython.int[::1]

    def __init__(self, arena: Arena) -> None:
        self.n, self.p, self.a, self.codes, self.stride = arena.n, arena.p, arena.a, arena.codes, arena.stride
        self.target, self.output, self.rank = arena.target, arena.output, arena.rank
        self.row, self.before, self.left, self.rem = arena.row, arena.before, arena.left, arena.rem
        self.seq, self.window, self.along = arena.seq, arena.window, arena.along
        self.e_alive, self.e_label, self.e_size = arena.e_alive, arena.e_label, arena.e_size
        self.e_states, self.e_mask, self.e_literal = arena.e_states, arena.e_mask, arena.e_literal
        self.fresh_states = np.zeros(CONFIGS, dtype=np.int32)

    def adopt(self, kids: cython.int[::1], cover: cython.int[::1]) -> None:
        """Take the literal trie and its nodes for the words of the state cover."""
        self.kids = kids
        self.cover = cover

    @cython.cfunc
    @cython.exceptval(check=False)
    def less(self, cell: cython.int, tau: cython.int) -> cython.bint:
        """Is one transition into a state before another one into the same state?"""
        return (self.before[self.row[tau] + self.rank[cell] // BITS] >> (self.rank[cell] % BITS)) & 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def labelled(self, slot: cython.int, state: cython.int) -> cython.int:
        """The extra states of a window that carry a label, as a set of bits."""
        mask: cython.int = 0
        nth: cython.int
        for nth in range(self.a):
            if self.along[slot * self.a + nth] == state:
                mask |= 1 << nth
        return mask

    @cython.ccall
    @cython.exceptval(check=False)
    def open(self, slot: cython.int, first: cython.int) -> cython.void:
        """Start the items of a window whose first transition is at position ``first`` of the test."""
        nth: cython.int
        for nth in range(self.a):
            self.start(slot, first, nth)

    @cython.cfunc
    @cython.exceptval(check=False)
    def start(self, slot: cython.int, first: cython.int, nth: cython.int) -> cython.void:
        """Start the item of the extra state that the window enters with its input nth + 1."""
        here: cython.int = slot * self.a + nth
        item: cython.int = self.n + nth
        base: cython.longlong = self.window[slot] * self.stride
        node: cython.int = self.cover[self.seq[first] // self.p]
        j: cython.int
        self.along[here] = self.target[self.seq[first + nth]]
        self.e_label[here] = self.along[here]
        self.e_alive[here] = (self.rem[base + (item >> 3)] >> (item & 7)) & 1
        self.e_size[here] = 0
        self.e_mask[here] = 1 << nth
        for j in range(first, first + nth + 1):
            node = self.kids[node * self.p + self.seq[j] % self.p]
        self.e_literal[here] = node

    @cython.ccall
    @cython.exceptval(check=False)
    def advance(self, slot: cython.int, k: cython.int, cell: cython.int) -> cython.int:
        """Follow the items by what the literal trie shows of them and by what they may do; return those refuted.

        An item that leaves the literal trie is followed by what it may do alone, and its label is of no use any more.
        """
        gone: cython.int = 0
        nth: cython.int
        here: cython.int
        mine: cython.int
        refuted: cython.bint
        for nth in range(self.a):
            here = slot * self.a + nth
            if not self.e_alive[here]:
                continue
            refuted = False
            mine = self.e_label[here] * self.p + k
            if self.e_literal[here] >= 0:
                self.e_literal[here] = self.kids[self.e_literal[here] * self.p + k]
                refuted = self.e_literal[here] >= 0 and self.output[mine] != self.output[cell]
                if self.target[mine] == self.target[cell]:
                    self.e_literal[here] = -1
            self.e_label[here] = self.target[mine] if self.target[mine] >= 0 else self.target[cell]
            if not refuted and self.e_size[here] >= 0:
                refuted = self.advance_configs(slot, here, k, cell)
            if refuted:
                gone |= 1 << nth
            self.e_alive[here] = not refuted and (self.e_literal[here] >= 0 or self.e_size[here] >= 0)
        return gone

    @cython.cfunc
    @cython.exceptval(check=False)
    def advance_configs(self, slot: cython.int, here: cython.int, k: cython.int, cell: cython.int) -> cython.bint:
        """Advance all that an extra state may have become; refuted where nothing is left.

        The set is given up (size -1) where one of its elements does what the test does, or where the input is
        undefined: then it may do anything.
        """
        tau: cython.int = self.window[slot] // self.codes
        expected: cython.int = self.output[cell]
        size: cython.int = 0
        mask: cython.int = 0
        j: cython.int
        mine: cython.int
        for j in range(self.e_size[here]):
            mine = self.e_states[here * CONFIGS + j] * self.p + k
            if self.target[mine] < 0:
                self.e_size[here] = -1
                return False
            if self.output[mine] == expected:
                self.fresh_states[size] = self.target[mine]
                size += 1
                if self.target[mine] == self.target[tau] and self.rank[mine] >= 0 and not self.less(mine, tau):
                    mask |= 1
        for j in range(self.a):
            mine = self.along[slot * self.a + j] * self.p + k
            if (self.e_mask[here] >> j) & 1 and self.target[mine] < 0:
                self.e_size[here] = -1
                return False
            if (self.e_mask[here] >> j) & 1 and self.output[mine] == expected:
                if size < CONFIGS:
                    self.fresh_states[size] = self.target[mine]
                size += 1
                mask |= self.successors(slot, j, k, self.target[mine])
        self.e_mask[here] = mask
        self.e_size[here] = size if size < CONFIGS else -1
        for j in range(self.e_size[here]):
            self.e_states[here * CONFIGS + j] = self.fresh_states[j]
            if self.fresh_states[j] == self.target[cell]:
                self.e_size[here] = -1
                break
        if mask & self.labelled(slot, self.target[cell]):
            self.e_size[here] = -1
        return size == 0 and mask == 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def successors(self, slot: cython.int, nth: cython.int, k: cython.int, label: cython.int) -> cython.int:
        """The extra states that input k may lead to from one of them, as a set of bits.

        The last one may go to any of them as long as its own window for input k has something left.
        """
        window: cython.int = self.window[slot]
        if nth == self.a - 1 and self.left[window - window % self.p + k] > 0:
            return (1 << self.a) - 1
        return self.labelled(slot, label)
