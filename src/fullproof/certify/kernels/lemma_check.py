"""Proofs that clauses contradict each other: does each lemma follow by unit propagation along its hints (LRAT)?"""

import cython
import numpy as np


@cython.cclass
class LemmaCheck:
    """Checks lemmas with hints against clauses, numbered from 1, and the lemmas before them."""

    pool: cython.int[::1]
    start: cython.longlong[::1]
    false: cython.int[::1]
    variables: cython.int
    count: cython.int
    filled: cython.longlong
    stamp: cython.int

    def __init__(self, literals: cython.int[::1], starts: cython.longlong[::1], variables: cython.int) -> None:
        self.pool = np.concatenate((np.asarray(literals), np.zeros(1024, dtype=np.int32)))
        self.start = np.concatenate((np.zeros(1, np.int64), np.asarray(starts), np.zeros(1024, dtype=np.int64)))
        self.false = np.zeros(2 * variables + 1, dtype=np.int32)
        self.variables = variables
        self.filled = literals.shape[0]
        self.count = cython.cast(cython.int, starts.shape[0] - 1)
        self.stamp = 0

    def accept(self, lemma: cython.int[::1], hints: cython.int[::1]) -> cython.bint:
        """Whether a lemma follows along its hints; if so it may be a hint from now on."""
        k: cython.Py_ssize_t
        j: cython.longlong
        rest: cython.int
        middle: cython.int = self.variables
        found: cython.bint = False
        self.stamp += 1
        for k in range(lemma.shape[0]):
            if not -middle <= lemma[k] <= middle:
                return False
            self.false[middle + lemma[k]] = self.stamp
        for k in range(hints.shape[0]):
            if not 0 < hints[k] <= self.count:
                return False
            rest = 0
            for j in range(self.start[hints[k]], self.start[hints[k] + 1]):
                if self.false[middle + self.pool[j]] != self.stamp:
                    if rest and rest != self.pool[j]:
                        return False
                    rest = self.pool[j]
            if rest == 0:
                found = k == hints.shape[0] - 1
                break
            self.false[middle - rest] = self.stamp
        if found:
            self._keep(lemma)
        return found

    @cython.cfunc
    def _keep(self, lemma: cython.int[::1]) -> cython.void:
        k: cython.Py_ssize_t
        while self.filled + lemma.shape[0] > self.pool.shape[0]:
            self.pool = np.concatenate((np.asarray(self.pool), np.zeros(self.pool.shape[0], dtype=np.int32)))
        if self.count + 3 > self.start.shape[0]:
            self.start = np.concatenate((np.asarray(self.start), np.zeros(self.start.shape[0], dtype=np.int64)))
        for k in range(lemma.shape[0]):
            self.pool[self.filled] = lemma[k]
            self.filled += 1
        self.count += 1
        self.start[self.count + 1] = self.filled
