"""Words that distinguish one state from others: a beam search, one input per layer.

A rival is a state that is still to be distinguished from the given one. Along a word rivals part (another output),
stay, or are lost (same outputs, same state as the given one: no continuation parts them). A word is finished when no
rival stays.
"""

from typing import Any

import cython
import numpy as np


@cython.cclass
class WordSearch:
    """Looks for words of one machine; ``again``: cost of one more word for lost rivals, ``rate``: inputs per bit."""

    p: cython.int
    width: cython.int
    again: cython.double
    rate: cython.double
    target: cython.int[::1]
    output: cython.int[::1]
    log: cython.double[::1]
    origin: cython.int[:, ::1]
    place: cython.int[:, ::1]
    begin: cython.int[:, ::1]
    here: cython.int[:, ::1]
    trace: cython.int[:, ::1]
    gone: cython.int[:, ::1]
    parent: cython.int[::1]
    symbol: cython.int[::1]
    steps: cython.int
    score: cython.double[::1]
    staying: cython.int[::1]
    losing: cython.int[::1]
    hashed: cython.ulonglong[::1]

    def __init__(self, target: cython.int[::1], output: cython.int[::1], states: int, taste: tuple[int, float, float]):
        """``taste``: width of the beam, cost of one more word, expected inputs per bit."""
        self.target, self.output = target, output
        self.p = target.shape[0] // states
        self.width, self.again, self.rate = taste
        self.log = np.log2(np.arange(1, states + 2))
        self.origin = np.zeros((2, self.width * states), dtype=np.int32)
        self.place = np.zeros((2, self.width * states), dtype=np.int32)
        self.begin = np.zeros((2, self.width + 1), dtype=np.int32)
        self.here = np.zeros((2, self.width), dtype=np.int32)
        self.trace = np.zeros((2, self.width), dtype=np.int32)
        self.gone = np.zeros((2, self.width), dtype=np.int32)
        self.parent = np.zeros(1024, dtype=np.int32)
        self.symbol = np.zeros(1024, dtype=np.int32)
        self.steps = 0
        self.score = np.zeros(self.width * self.p, dtype=np.float64)
        self.staying = np.zeros(self.width * self.p, dtype=np.int32)
        self.losing = np.zeros(self.width * self.p, dtype=np.int32)
        self.hashed = np.zeros(self.width * self.p, dtype=np.uint64)

    def finished(self, state: int, rivals: list[int], most: int, longest: int) -> list[list[int]]:
        """Return up to about ``most`` finished words, the cheapest first.

        Words longer than ``longest`` are not looked at, nor those much longer than the best one found.
        """
        found: list[tuple[float, list[int]]] = []
        size: cython.int = 1
        layer: cython.int = 0
        j: cython.int
        length: cython.int
        seen: set[tuple[int, int, int]] = set()
        self.steps = 1
        self.here[0, 0] = state
        self.trace[0, 0] = 0
        self.gone[0, 0] = 0
        self.begin[0, 0] = 0
        self.begin[0, 1] = len(rivals)
        for j in range(len(rivals)):
            self.origin[0, j] = rivals[j]
            self.place[0, j] = rivals[j]
        for length in range(1, longest + 1):
            self.survey(layer, size)
            chosen: list[int] = []
            for j in np.argsort(np.asarray(self.score[: size * self.p]), kind="stable").tolist():
                if len(chosen) == self.width or self.score[j] >= 1e300:
                    break
                if self.staying[j] == 0:
                    if len(found) < most and self.losing[j] < len(rivals):
                        cost: cython.double = length + self.score[j]
                        found.append((cost, self.word(self.trace[layer, j // self.p], j % self.p)))
                    continue
                cell: cython.int = self.here[layer, j // self.p] * self.p + j % self.p
                mark = (self.target[cell], self.hashed[j], self.losing[j])
                if mark not in seen:
                    seen.add(mark)
                    chosen.append(j)
            if not chosen or len(found) >= most or (found and length > min(found)[0] + 1):
                break
            self.follow(layer, chosen)
            layer = 1 - layer
            size = len(chosen)
        return [word for _, word in sorted(found)]

    @cython.cfunc
    @cython.exceptval(check=False)
    def survey(self, layer: cython.int, size: cython.int) -> cython.void:
        """Score every input after every word of a layer: the inputs and words that are still to come."""
        b: cython.int
        k: cython.int
        j: cython.int
        cell: cython.int
        mine: cython.int
        stay: cython.int
        lost: cython.int
        mixed: cython.ulonglong
        for b in range(size):
            for k in range(self.p):
                cell = self.here[layer, b] * self.p + k
                stay = 0
                lost = self.gone[layer, b]
                mixed = 0
                for j in range(self.begin[layer, b], self.begin[layer, b + 1]):
                    mine = self.place[layer, j] * self.p + k
                    if self.output[mine] == self.output[cell]:
                        if self.target[mine] == self.target[cell]:
                            lost += 1
                        else:
                            stay += 1
                            mixed += self.mark(self.origin[layer, j], self.target[mine])
                j = b * self.p + k
                self.staying[j] = stay
                self.losing[j] = lost
                self.hashed[j] = mixed
                self.score[j] = self.rate * self.log[stay]
                if lost > 0:
                    self.score[j] += self.again + self.rate * self.log[lost]

    @cython.cfunc
    @cython.exceptval(check=False)
    def mark(self, origin: cython.ulonglong, place: cython.ulonglong) -> cython.ulonglong:
        """A number below 2^45 for a rival and where it is; sums of them distinguish sets of rivals, nearly always."""
        key: cython.ulonglong = (cython.cast(cython.ulonglong, origin) << 16) + cython.cast(cython.ulonglong, place) + 1
        return ((key * 2654435761) ^ (key * 40503 + 97)) % 35184372088777

    @cython.cfunc
    def follow(self, layer: cython.int, chosen: list[int]) -> cython.void:
        """Make the next layer of the chosen continuations."""
        b: cython.int
        c: cython.int
        j: cython.int
        cell: cython.int
        mine: cython.int
        used: cython.int = 0
        new: cython.int = 1 - layer
        for c in range(len(chosen)):
            b = chosen[c] // self.p
            cell = self.here[layer, b] * self.p + chosen[c] % self.p
            self.here[new, c] = self.target[cell]
            self.trace[new, c] = self.note(self.trace[layer, b], chosen[c] % self.p)
            self.gone[new, c] = self.losing[chosen[c]]
            self.begin[new, c] = used
            for j in range(self.begin[layer, b], self.begin[layer, b + 1]):
                mine = self.place[layer, j] * self.p + chosen[c] % self.p
                if self.output[mine] == self.output[cell] and self.target[mine] != self.target[cell]:
                    self.origin[new, used] = self.origin[layer, j]
                    self.place[new, used] = self.target[mine]
                    used += 1
            self.begin[new, c + 1] = used

    @cython.cfunc
    def note(self, before: cython.int, k: cython.int) -> cython.int:
        """Remember how a word goes on."""
        if self.steps == self.parent.shape[0]:
            self.parent = np.concatenate((np.asarray(self.parent), np.zeros(self.steps, dtype=np.int32)))
            self.symbol = np.concatenate((np.asarray(self.symbol), np.zeros(self.steps, dtype=np.int32)))
        self.parent[self.steps] = before
        self.symbol[self.steps] = k
        self.steps += 1
        return self.steps - 1

    @cython.cfunc
    def word(self, before: cython.int, k: cython.int) -> list[Any]:
        """The word that was noted, and one input more."""
        found: list[Any] = [k]
        while before > 0:
            found.append(self.symbol[before])
            before = self.parent[before]
        found.reverse()
        return found
