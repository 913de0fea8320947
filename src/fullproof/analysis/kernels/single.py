"""Search for few short words that distinguish one state from all others (unique input/output sequences where there are
any).

A beam search over words. A prefix has distinguished some states from the one state, has lost those that reached the
same state by the same outputs, and still follows the others. A word is judged by its length plus what distinguishing
the rest by further words is expected to cost.
"""

from typing import Any

import cython
import numpy as np

_FAR = 4  # inputs after which a state that nothing distinguishes is left to its separating words


@cython.cclass
class SingleSearch:
    """Beam search on one minimal complete machine; the same object serves all states."""

    states: cython.int
    inputs: cython.int
    width: cython.int
    base: cython.double
    target: cython.int[::1]
    output: cython.int[::1]
    log: cython.double[::1]
    home: cython.int[::1]
    current: cython.int[:, ::1]
    many: cython.int[:, ::1]
    place: cython.int[::1]
    followed: cython.int[::1]
    lost: cython.int[::1]
    stamp: cython.longlong[::1]
    clock: cython.longlong
    kinds: cython.int
    left: cython.int
    gone: cython.int

    def __init__(
        self,
        target: cython.int[::1],
        output: cython.int[::1],
        states: cython.int,
        base: cython.double,
        width: cython.int,
    ) -> None:
        """``base`` is what a word costs beside its inputs."""
        self.states = states
        self.inputs = target.shape[0] // states
        self.width = width
        self.base = base
        self.target = target
        self.output = output
        self.log = np.log2(np.arange(1, states + 2))
        self.home = np.zeros(2 * width, dtype=np.int32)
        self.current = np.zeros((2 * width, states), dtype=np.int32)
        self.many = np.zeros((2 * width, states), dtype=np.int32)
        self.place = np.zeros(states, dtype=np.int32)
        self.followed = np.zeros(2 * width, dtype=np.int32)
        self.lost = np.zeros(2 * width, dtype=np.int32)
        self.stamp = np.zeros(states, dtype=np.int64)
        self.clock = 0
        self.kinds = 0
        self.left = 0
        self.gone = 0

    def words(self, state: cython.int) -> list[tuple[int, ...]]:
        """Words that together distinguish a state from all others; an empty one at the end: no short word was found for
        the rest.
        """
        others = np.delete(np.arange(self.states, dtype=np.int32), state)
        found: list[tuple[int, ...]] = []
        while others.shape[0] > 0:
            word = self.search(state, others)
            found.append(word)
            if not word:
                break
            others = self.untold(state, others, word)
        return found

    def told(self, state: cython.int, words: list[tuple[int, ...]]) -> Any:
        """For each state: whether the words distinguish it from the given one."""
        answer = np.ones(self.states, dtype=np.bool_)
        others = np.arange(self.states, dtype=np.int32)
        for word in words:
            others = self.untold(state, others, word)
        answer[others] = False
        return answer

    @cython.cfunc
    def untold(self, state: cython.int, others: Any, word: tuple[int, ...]) -> Any:
        """The others that answer a word as the state does."""
        target = np.asarray(self.target)
        output = np.asarray(self.output)
        here = others.astype(np.int64)
        same = np.ones(others.shape[0], dtype=np.bool_)
        mine: cython.int = state
        for symbol in word:
            cell = here * self.inputs + symbol
            same &= output[cell] == self.output[mine * self.inputs + symbol]
            here = target[cell].astype(np.int64)
            mine = self.target[mine * self.inputs + symbol]
        return others[same]

    @cython.cfunc
    def search(self, state: cython.int, others: cython.int[::1]) -> tuple[int, ...]:
        """The word of the least expected cost for distinguishing a state from others; empty where no short word
        distinguishes any.
        """
        k: cython.int
        b: cython.int
        i: cython.int
        total: cython.int = others.shape[0]
        for k in range(total):
            self.current[0, k] = others[k]
            self.many[0, k] = 1
        self.home[0] = state
        self.followed[0] = total
        self.lost[0] = 0
        words: list[tuple[int, ...]] = [()]
        best: tuple[int, ...] = ()
        least: cython.double = 1e300
        cost: cython.double
        length: cython.int = 0
        while words and length < least and (best or length < _FAR):
            length += 1
            ranked = []
            for b in range(len(words)):
                for i in range(self.inputs):
                    self.judge(b, i)
                    cost = length
                    if self.left + self.gone > 0:
                        cost += self.base + 1 + 0.5 * self.log[self.left + self.gone]
                    if self.left + self.gone < total and cost < least - 1e-9:
                        least = cost
                        best = (*words[b], i)
                    if self.left > 0:
                        ranked.append((self.kinds + 4 * self.gone, self.left, b, i))
            ranked.sort()
            words = self.keep(ranked, words)
        return best

    @cython.cfunc
    @cython.exceptval(check=False)
    def judge(self, b: cython.int, symbol: cython.int) -> cython.void:
        """Count the states still followed, and those lost, when a word of the beam goes on with an input.

        ``kinds`` counts those that have merged with one another once: a word that distinguishes one of them
        distinguishes all.
        """
        k: cython.int
        cell: cython.int
        mine: cython.int = self.home[b] * self.inputs + symbol
        self.kinds = 0
        self.left = 0
        self.gone = self.lost[b]
        self.clock += 1
        for k in range(self.followed[b]):
            cell = self.current[b, k] * self.inputs + symbol
            if self.output[cell] != self.output[mine]:
                continue
            if self.target[cell] == self.target[mine]:
                self.gone += self.many[b, k]
                continue
            self.left += self.many[b, k]
            if self.stamp[self.target[cell]] != self.clock:
                self.stamp[self.target[cell]] = self.clock
                self.kinds += 1

    @cython.cfunc
    def keep(self, ranked: list[tuple[int, int, int, int]], words: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Make the best prefixes the new beam."""
        chosen: list[tuple[int, ...]] = []
        row: cython.int
        k: cython.int
        b: cython.int
        i: cython.int
        cell: cython.int
        mine: cython.int
        for _, _, b, i in ranked[: self.width]:
            row = self.width + len(chosen)
            mine = self.home[b] * self.inputs + i
            self.home[row] = self.target[mine]
            self.followed[row] = 0
            self.lost[row] = self.lost[b]
            self.clock += 1
            for k in range(self.followed[b]):
                cell = self.current[b, k] * self.inputs + i
                if self.output[cell] != self.output[mine]:
                    continue
                if self.target[cell] == self.target[mine]:
                    self.lost[row] += self.many[b, k]
                elif self.stamp[self.target[cell]] == self.clock:
                    self.many[row, self.place[self.target[cell]]] += self.many[b, k]
                else:
                    self.stamp[self.target[cell]] = self.clock
                    self.place[self.target[cell]] = self.followed[row]
                    self.current[row, self.followed[row]] = self.target[cell]
                    self.many[row, self.followed[row]] = self.many[b, k]
                    self.followed[row] += 1
            chosen.append((*words[b], i))
        for row in range(len(chosen)):
            self.home[row] = self.home[self.width + row]
            self.followed[row] = self.followed[self.width + row]
            self.lost[row] = self.lost[self.width + row]
            for k in range(self.followed[row]):
                self.current[row, k] = self.current[self.width + row, k]
                self.many[row, k] = self.many[self.width + row, k]
        return chosen
