"""The tree of an H suite while its words are chosen.

It begins with the words v.x (``layout``). Its tips carry sets of words that identify their states; nodes of the cover,
and other ancestors of a tip, carry as much of these words as distinguishes them from the tip. Nodes below a tip have
reference counts (``hold``, ``release``), and a node without references is removed.
"""

from typing import Any

import cython
import numpy as np

_ENDLESS = cython.declare(cython.longlong, 1 << 60)


@cython.cclass
class Tree:
    """Nodes as arrays; the children of a node are sorted by symbol, linked by ``sibling``."""

    p: cython.int
    n: cython.int
    extra: cython.int
    target: cython.int[::1]
    output: cython.int[::1]
    nodes: cython.int
    planted: cython.int
    child: cython.int[::1]
    sibling: cython.int[::1]
    symbol: cython.int[::1]
    label: cython.int[::1]
    depth: cython.int[::1]
    held: cython.int[::1]
    level: cython.uchar[::1]
    above: cython.int[::1]
    access: cython.int[::1]
    tests: cython.longlong
    inputs: cython.longlong
    letters: cython.int[::1]
    reply: cython.int[::1]
    bounds: cython.int[::1]
    sets: cython.int[::1]
    choices: cython.int[::1]
    users: cython.int[::1]
    proofs: dict[int, Any]
    tips: cython.int[::1]
    begins: cython.int[::1]
    chosen: cython.int[::1]
    link: cython.int[::1]
    reach: cython.int[::1]
    needed: cython.int
    found: cython.int
    rivals: cython.int[::1]
    met: cython.int

    def __init__(self, table: tuple[Any, Any], arrays: tuple[Any, ...], extra: int) -> None:
        """``arrays`` as from ``plant``."""
        self.target, self.output = table
        self.child, self.sibling, self.symbol, self.label, self.depth = arrays[:5]
        self.level, self.above, self.access = arrays[5:]
        self.n = self.access.shape[0]
        self.p = self.target.shape[0] // self.n
        self.extra = extra
        self.planted = self.level.shape[0]
        self.nodes = self.planted
        self.held = np.zeros(self.child.shape[0], dtype=np.int32)
        tips = np.flatnonzero(np.asarray(self.level) > extra)
        self.tests = len(tips)
        self.inputs = int(np.asarray(self.depth)[tips].sum())
        self.proofs = {}
        self.rivals = np.zeros(extra, dtype=np.int32)

    def arrays(self) -> tuple[Any, ...]:
        """Child, sibling, symbol, label, depth; replaced when they grow."""
        return self.child, self.sibling, self.symbol, self.label, self.depth

    def size(self) -> tuple[int, int]:
        """Tests and inputs."""
        return self.tests, self.inputs

    # Single words

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, node: cython.int, k: cython.int) -> cython.int:
        """The child by a symbol, -1 where there is none."""
        if node < self.planted and self.level[node] <= self.extra:
            return self.child[node] + k
        node = self.child[node]
        while node >= 0 and self.symbol[node] < k:
            node = self.sibling[node]
        if node >= 0 and self.symbol[node] == k:
            return node
        return -1

    @cython.cfunc
    def extend(self, node: cython.int, k: cython.int) -> cython.int:
        """Add a child that is not there."""
        if self.nodes == self.child.shape[0]:
            self.grow()
        fresh: cython.int = self.nodes
        self.nodes += 1
        if self.child[node] < 0:
            self.inputs += 1
        else:
            self.tests += 1
            self.inputs += self.depth[node] + 1
        before: cython.int = -1
        later: cython.int = self.child[node]
        while later >= 0 and self.symbol[later] < k:
            before = later
            later = self.sibling[later]
        if before < 0:
            self.child[node] = fresh
        else:
            self.sibling[before] = fresh
        self.sibling[fresh] = later
        self.child[fresh] = -1
        self.symbol[fresh] = k
        self.label[fresh] = self.target[self.label[node] * self.p + k]
        self.depth[fresh] = self.depth[node] + 1
        self.held[fresh] = 0
        return fresh

    @cython.cfunc
    def grow(self) -> cython.void:
        """Make room for more nodes."""
        none = np.full(self.nodes // 2 + 64, -1, dtype=np.int32)
        self.child = np.concatenate((np.asarray(self.child), none))
        self.sibling = np.concatenate((np.asarray(self.sibling), none))
        self.symbol = np.concatenate((np.asarray(self.symbol), none))
        self.label = np.concatenate((np.asarray(self.label), none))
        self.depth = np.concatenate((np.asarray(self.depth), none))
        self.held = np.concatenate((np.asarray(self.held), none))

    @cython.cfunc
    def hold(self, node: cython.int, first: cython.int, past: cython.int) -> cython.void:
        """Hold the nodes of a word (letters ``first:past``) below a node, made where they are missing."""
        j: cython.int
        kid: cython.int
        for j in range(first, past):
            kid = self.find(node, self.letters[j])
            if kid < 0:
                kid = self.extend(node, self.letters[j])
            self.held[kid] += 1
            node = kid

    @cython.cfunc
    def release(self, node: cython.int, first: cython.int, past: cython.int) -> cython.void:
        """Undo ``hold``."""
        if first == past:
            return
        kid: cython.int = self.find(node, self.letters[first])
        self.release(kid, first + 1, past)
        self.held[kid] -= 1
        if self.held[kid] > 0 or kid < self.planted:
            return
        before: cython.int = self.child[node]
        if before == kid:
            self.child[node] = self.sibling[kid]
        else:
            while self.sibling[before] != kid:
                before = self.sibling[before]
            self.sibling[before] = self.sibling[kid]
        if self.child[node] < 0:
            self.inputs -= 1
        else:
            self.tests -= 1
            self.inputs -= self.depth[node] + 1

    def add(self, node: int, word: cython.int[::1]) -> None:
        """Hold a word for ever."""
        kept = self.letters
        self.letters = word
        self.hold(node, 0, cython.cast(cython.int, word.shape[0]))
        self.letters = kept

    @cython.cfunc
    @cython.exceptval(check=False)
    def price(self, node: cython.int, first: cython.int, past: cython.int) -> cython.longlong:
        """What it would cost to have a word below a node."""
        kid: cython.int
        while first < past:
            kid = self.find(node, self.letters[first])
            if kid < 0:
                return past - first + (0 if self.child[node] < 0 else self.depth[node] + 1)
            node = kid
            first += 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def witness(self, node: cython.int, word: cython.int) -> cython.longlong:
        """What it would cost to have below a node so much of a word that its answers differ from ``reply``.

        ``needed`` becomes the number of inputs for that.
        """
        j: cython.int = self.bounds[word]
        past: cython.int = self.bounds[word + 1]
        here: cython.int = self.label[node]
        cell: cython.int
        kid: cython.int = node
        missing: cython.int = 0
        while j < past:
            cell = here * self.p + self.letters[j]
            if missing == 0:
                kid = self.find(node, self.letters[j])
                if kid >= 0:
                    node = kid
            if kid < 0:
                missing += 1
            if self.output[cell] != self.reply[j]:
                self.needed = j + 1 - self.bounds[word]
                if missing == 0:
                    return 0
                return missing + (0 if self.child[node] < 0 else self.depth[node] + 1)
            here = self.target[cell]
            j += 1
        return _ENDLESS

    @cython.cfunc
    @cython.exceptval(check=False)
    def nearest(self, node: cython.int, wanted: cython.int) -> cython.longlong:
        """The least ``witness`` of a set's words; ``found`` and ``needed`` become that word and its length."""
        word: cython.int
        length: cython.int = 0
        cost: cython.longlong
        least: cython.longlong = _ENDLESS
        for word in range(self.sets[wanted], self.sets[wanted + 1]):
            cost = self.witness(node, word)
            if cost < least:
                least = cost
                length = self.needed
                self.found = word
                if cost == 0:
                    break
        self.needed = length
        return least

    # Sets of words: what the cover carries for them

    def offer(self, words: tuple[Any, Any, Any], sets: cython.int[::1], choices: cython.int[::1]) -> None:
        """Take the words to choose from: letters with the answers expected to them, and where each word begins.

        ``sets``: where each set of words begins; ``choices``: where the sets of each state begin.
        """
        self.letters, self.reply, self.bounds = words
        self.sets, self.choices = sets, choices
        self.users = np.zeros(len(sets) - 1, dtype=np.int32)
        self.chosen = np.zeros(0, dtype=np.int32)

    @cython.cfunc
    def adopt(self, wanted: cython.int, state: cython.int) -> cython.void:
        """Let the cover carry the words of a set that distinguish its other states from a state."""
        u: cython.int
        proof: cython.int[:, ::1] = np.zeros((self.n, 2), dtype=np.int32)
        for u in range(self.n):
            if u != state:
                self.nearest(self.access[u], wanted)
                proof[u, 0] = self.bounds[self.found]
                proof[u, 1] = self.bounds[self.found] + self.needed
                self.hold(self.access[u], proof[u, 0], proof[u, 1])
        self.proofs[wanted] = proof

    @cython.cfunc
    def abandon(self, wanted: cython.int) -> cython.void:
        """Undo ``adopt``."""
        u: cython.int
        proof: cython.int[:, ::1] = self.proofs.pop(wanted)
        for u in range(self.n):
            self.release(self.access[u], proof[u, 0], proof[u, 1])

    # Groups of tips of one state that carry the same words

    def group(self, tips: cython.int[::1], begins: cython.int[::1], chosen: cython.int[::1]) -> None:
        """Arrange the tips in groups, each of one state, that carry the given sets."""
        g: cython.int
        for g in range(self.chosen.shape[0]):
            self.drop(g)
        self.tips, self.begins = tips, begins
        self.chosen = np.array(chosen)
        self.link = np.zeros(len(chosen) * self.extra, dtype=np.int32)
        self.reach = np.zeros(len(chosen) * self.extra, dtype=np.int32)
        for g in range(self.chosen.shape[0]):
            self.take(g, self.chosen[g])

    def carried(self) -> Any:
        """The set each group carries."""
        return np.array(self.chosen)

    @cython.cfunc
    @cython.exceptval(check=False)
    def meet(self, group: cython.int) -> cython.int:
        """Lay out the nodes above a single tip and outside of the cover that have another state; returns the tip."""
        tip: cython.int = self.tips[self.begins[group]]
        node: cython.int = self.above[tip]
        self.met = 0
        if self.begins[group + 1] == self.begins[group] + 1:
            while self.level[node] > 0:
                if self.label[node] != self.label[tip]:
                    self.rivals[self.met] = node
                    self.met += 1
                node = self.above[node]
        return tip

    @cython.cfunc
    @cython.exceptval(check=False)
    def value(self, group: cython.int, wanted: cython.int, limit: cython.longlong) -> cython.longlong:
        """What it would cost a group to carry a set, where that is below ``limit``."""
        j: cython.int
        word: cython.int
        tip: cython.int
        total: cython.longlong = 0
        first: cython.int = self.sets[wanted]
        past: cython.int = self.sets[wanted + 1]
        for j in range(self.begins[group], self.begins[group + 1]):
            tip = self.tips[j]
            for word in range(first, past):
                total += self.price(tip, self.bounds[word], self.bounds[word + 1])
                if word > first and self.child[tip] < 0:
                    total += self.depth[tip] + 1
            if total >= limit:
                return limit
        tip = self.meet(group)
        for j in range(self.met):
            total += self.nearest(self.rivals[j], wanted)
        if self.users[wanted] == 0:
            for j in range(self.n):
                if total >= limit:
                    return limit
                if j != self.label[tip]:
                    total += self.nearest(self.access[j], wanted)
        return total

    @cython.cfunc
    def take(self, group: cython.int, wanted: cython.int) -> cython.void:
        """Let a group carry a set, the cover what belongs to it, and the nodes above a single tip as well."""
        j: cython.int
        word: cython.int
        tip: cython.int = self.meet(group)
        spot: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, group) * self.extra
        self.chosen[group] = wanted
        for j in range(self.begins[group], self.begins[group + 1]):
            for word in range(self.sets[wanted], self.sets[wanted + 1]):
                self.hold(self.tips[j], self.bounds[word], self.bounds[word + 1])
        if self.users[wanted] == 0:
            self.adopt(wanted, self.label[tip])
        self.users[wanted] += 1
        for j in range(self.met):
            self.nearest(self.rivals[j], wanted)
            self.link[spot + j] = self.found
            self.reach[spot + j] = self.needed
            self.hold(self.rivals[j], self.bounds[self.found], self.bounds[self.found] + self.needed)

    @cython.cfunc
    def drop(self, group: cython.int) -> cython.void:
        """Undo ``take``."""
        j: cython.int
        word: cython.int
        wanted: cython.int = self.chosen[group]
        spot: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, group) * self.extra
        self.meet(group)
        for j in range(self.begins[group], self.begins[group + 1]):
            for word in range(self.sets[wanted], self.sets[wanted + 1]):
                self.release(self.tips[j], self.bounds[word], self.bounds[word + 1])
        self.users[wanted] -= 1
        if self.users[wanted] == 0:
            self.abandon(wanted)
        for j in range(self.met):
            word = self.bounds[self.link[spot + j]]
            self.release(self.rivals[j], word, word + self.reach[spot + j])

    def settle(self) -> bool:
        """Choose the cheapest set for each group in turn, while others keep theirs; returns whether that helped."""
        before: cython.longlong = self.tests + self.inputs
        g: cython.int
        for g in range(self.chosen.shape[0]):
            self.improve(g)
        return bool(self.tests + self.inputs < before)

    @cython.cfunc
    def improve(self, group: cython.int) -> cython.void:
        """Choose the cheapest set for one group."""
        old: cython.int = self.chosen[group]
        before: cython.longlong = self.tests + self.inputs
        self.drop(group)
        wanted: cython.int
        best: cython.int = old
        value: cython.longlong
        least: cython.longlong = self.value(group, old, _ENDLESS)
        state: cython.int = self.label[self.tips[self.begins[group]]]
        for wanted in range(self.choices[state], self.choices[state + 1]):
            value = self.value(group, wanted, least)
            if value < least:
                least = value
                best = wanted
        self.take(group, best)
        if best != old and self.tests + self.inputs > before:
            self.drop(group)
            self.take(group, old)
