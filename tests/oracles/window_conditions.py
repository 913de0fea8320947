"""The conditions of docs/proofs/window-walks.md, word for word, on sets of input words: slow and obvious.

For partial machines with the changes of docs/proofs/partial.md: an undefined transition leads to state -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from fullproof.analysis.table import Table

Word = tuple[int, ...]
Cell = tuple[int, int]
Element = tuple[str, int]


def satisfies_conditions(table: Table, words: Iterable[Sequence[int]], extra_states: int) -> bool:
    """Whether a suite satisfies (V) and (T), or with extra states (B) and (W), for the breadth-first state cover."""
    suite = _Suite(table, words)
    if min(suite.label.values()) < 0:
        return False
    if table.states == 1:
        return all(word in suite.words for word in suite.defined(0, extra_states + 1))
    return _verified(suite) if extra_states == 0 else _base(suite, extra_states) and _settled(suite, extra_states)


class _Suite:
    def __init__(self, table: Table, words: Iterable[Sequence[int]]) -> None:
        self.table = table
        self.words = {tuple(map(int, word[:k])) for word in words for k in range(len(word) + 1)} | {()}
        self.label = {word: self.after(0, word) for word in self.words}
        self.cover = self._cover()
        self.tree_edges = {(self.after(0, word[:-1]), word[-1]) for word in self.cover.values() if word}

    def next(self, state: int, symbol: int) -> int:
        return int(self.table.target[state * self.table.inputs + symbol])

    def answer(self, state: int, symbol: int) -> int:
        return int(self.table.output[state * self.table.inputs + symbol])

    def after(self, state: int, word: Word) -> int:
        for symbol in word:
            state = self.next(state, symbol) if state >= 0 else -1
        return state

    def defined(self, state: int, length: int) -> list[Word]:
        return [x for x in product(range(self.table.inputs), repeat=length) if self.after(state, x) >= 0]

    def _cover(self) -> dict[int, Word]:
        cover: dict[int, Word] = {0: ()}
        queue = [0]
        for state in queue:
            for symbol in range(self.table.inputs):
                if self.next(state, symbol) >= 0 and self.next(state, symbol) not in cover:
                    cover[self.next(state, symbol)] = (*cover[state], symbol)
                    queue.append(self.next(state, symbol))
        return cover

    def symbols(self, node: Word) -> list[int]:
        return [symbol for symbol in range(self.table.inputs) if (*node, symbol) in self.words]

    def apart(self, one: Word, other: Word) -> bool:
        for symbol in self.symbols(one):
            if (*other, symbol) in self.words:
                if self.answer(self.label[one], symbol) != self.answer(self.label[other], symbol):
                    return True
                if self.apart((*one, symbol), (*other, symbol)):
                    return True
        return False


# Without extra states. A location is the set of all nodes that are known to be at one state of the system.


def _verified(suite: _Suite) -> bool:
    cover = suite.cover
    if any(word not in suite.words for word in cover.values()):
        return False
    if any(not suite.apart(cover[q], cover[r]) for q in cover for r in range(q)):
        return False
    verified = set(suite.tree_edges)
    waiting = {(s, i) for s in cover for i in range(suite.table.inputs) if suite.next(s, i) >= 0} - verified
    while waiting:
        known = {u for u in suite.words if all((suite.label[u[:k]], u[k]) in verified for k in range(len(u)))}
        taken = {cell for cell in waiting if _is_verified(suite, known, cell)}
        if not taken:
            return False
        verified |= taken
        waiting -= taken
    return True


def _is_verified(suite: _Suite, known: set[Word], cell: Cell) -> bool:
    s, i = cell
    behind = {(*u, i) for u in _merged(suite, known, s)} & suite.words
    wrong = [q for q in suite.cover if q != suite.next(s, i)]
    return bool(behind) and all(_apart(suite, known, behind, _merged(suite, known, q)) for q in wrong)


def _merged(suite: _Suite, known: set[Word], state: int) -> set[Word]:
    return {u for u in known if suite.label[u] == state}


def _follow(suite: _Suite, known: set[Word], location: set[Word], symbol: int) -> set[Word]:
    behind = {(*u, symbol) for u in location} & suite.words
    return _merged(suite, known, suite.label[min(behind)]) if behind & known else behind


def _apart(suite: _Suite, known: set[Word], one: set[Word], other: set[Word]) -> bool:
    x, y = suite.label[min(one)], suite.label[min(other)]
    if x == y:
        return False
    for symbol in range(suite.table.inputs):
        # The first location is below an unverified transition: a plain tree, so this ends.
        after, there = {(*u, symbol) for u in one} & suite.words, _follow(suite, known, other, symbol)
        if not after or not there:
            continue
        if suite.answer(x, symbol) != suite.answer(y, symbol) or _apart(suite, known, after, there):
            return True
    return False


# With extra states.


def _base(suite: _Suite, extra: int) -> bool:
    literal = [v + x for q, v in suite.cover.items() for size in range(extra + 1) for x in suite.defined(q, size)]
    return all(node in suite.words for node in literal) and all(
        suite.label[one] == suite.label[other] or suite.apart(one, other) for one in literal for other in literal
    )


def _settled(suite: _Suite, extra: int) -> bool:
    """Take the transitions into each state in any order that works: what can be taken stays so when more are taken."""
    for t in suite.cover:
        waiting = {
            (s, i)
            for s in suite.cover
            for i in range(suite.table.inputs)
            if suite.next(s, i) == t and (s, i) not in suite.tree_edges
        }
        while waiting:
            taken = {tau for tau in waiting if _Windows(suite, tau, waiting, extra).settled()}
            if not taken:
                return False
            waiting -= taken
    return True


class _Windows:
    """The windows of one transition; ``waiting`` are the transitions into its target that are not before it."""

    def __init__(self, suite: _Suite, tau: Cell, waiting: set[Cell], extra: int) -> None:
        self.suite, self.tau, self.waiting, self.extra = suite, tau, waiting, extra
        self.good = [u for u, label in suite.label.items() if label == tau[0] and not self._astray(u)]

    def _astray(self, node: Word) -> bool:
        return any((self.suite.label[node[:k]], node[k]) in self.waiting for k in range(len(node)))

    def settled(self) -> bool:
        middles = self.suite.defined(self.suite.next(*self.tau), self.extra - 1)
        return all(self._settled_after((self.tau[1], *middle)) for middle in middles)

    def _settled_after(self, start: Word) -> bool:
        suite, (s, _) = self.suite, self.tau
        labels = [suite.after(s, start[: k + 1]) for k in range(self.extra)]
        inputs = [k for k in range(suite.table.inputs) if suite.next(labels[-1], k) >= 0]
        for k in inputs:
            end = suite.next(labels[-1], k)
            if not any((*u, *start, k) in suite.words for u in self.good):
                return False
            if not all(self._refuted(("v", q), start, k, labels, None) for q in suite.cover if q != end):
                return False
        done: set[int] = set()
        while len(done) < len(inputs):
            more = {
                k
                for k in inputs
                if k not in done
                and all(
                    self._refuted(("e", e), start, k, labels, done)
                    for e in range(self.extra)
                    if labels[e] != suite.next(labels[-1], k)
                )
            }
            if not more:
                return False
            done |= more
        return True

    def _refuted(self, item: Element, start: Word, k: int, labels: list[int], done: set[int] | None) -> bool:
        cover, (s, _) = self.suite.cover, self.tau
        literal = cover[item[1]] if item[0] == "v" else cover[s] + start[: item[1] + 1]
        ends = [(*u, *start, k) for u in self.good if (*u, *start, k) in self.suite.words]
        return any(self._below(end, {item}, literal, labels, done) for end in ends)

    def _below(
        self,
        node: Word,
        elements: set[Element] | None,
        literal: Word | None,
        labels: list[int],
        done: set[int] | None,
    ) -> bool:
        """Whether some word below a node refutes; ``None`` stands for elements that may be anything."""
        if elements is None and literal is None:
            return False
        suite = self.suite
        for k in suite.symbols(node):
            expected = suite.answer(suite.label[node], k)
            along = (*literal, k) if literal is not None and (*literal, k) in suite.words else None
            if along is not None and literal is not None and suite.answer(suite.label[literal], k) != expected:
                return True
            after: set[Element] | None = set()
            for element in elements if elements is not None else ():
                if suite.next(self._state(element, labels), k) < 0:
                    after = None
                elif suite.answer(self._state(element, labels), k) == expected and after is not None:
                    more = self._successors(element, k, labels, done)
                    after = None if more is None else after | more
            if elements is None:
                after = None
            if after is not None and not after:
                return True
            if self._below((*node, k), after, along, labels, done):
                return True
        return False

    def _state(self, element: Element, labels: list[int]) -> int:
        return element[1] if element[0] == "v" else labels[element[1]]

    def _successors(self, element: Element, k: int, labels: list[int], done: set[int] | None) -> set[Element] | None:
        kind, number = element
        state = self._state(element, labels)
        end = self.suite.next(state, k)
        same: set[Element] = {("e", e) for e in range(self.extra) if labels[e] == end}
        if kind == "v":
            return {("v", end), ("e", 0)} if (state, k) in self.waiting else {("v", end)}
        if number < self.extra - 1:
            return {("v", end)} | same
        if done is None:
            return None
        return {("v", end)} | (same if k in done else {("e", e) for e in range(self.extra)})
