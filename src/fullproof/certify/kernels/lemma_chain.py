"""Proofs that clauses contradict each other: from the lemmas that a solver wrote down to lemmas with hints.

A literal is a variable's number, negative where it is denied; inside, literal x is 2x and -x is 2x + 1. Clauses have
numbers from 1. A *hint* is the number of a clause that has become unit, in the order in which they become so (LRAT).
"""

from typing import Any

import cython
import numpy as np


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _code(literal: cython.int) -> cython.int:
    return 2 * literal if literal > 0 else 1 - 2 * literal


@cython.cclass
class LemmaChain:
    """Clauses of which each new one follows by unit propagation; remembers how.

    ``head`` and ``after`` are lists of the clauses that watch a literal: clause c is entry 2c for its first literal and
    2c + 1 for its second one. What holds without any assumption has a unit clause of its own, ``unit`` by variable.
    """

    pool: cython.int[::1]
    start: cython.longlong[::1]
    filled: cython.longlong
    hints: cython.int[::1]
    hint_start: cython.longlong[::1]
    hinted: cython.longlong
    head: cython.int[::1]
    after: cython.int[::1]
    dead: cython.uchar[::1]
    value: cython.schar[::1]
    trail: cython.int[::1]
    reason: cython.int[::1]
    unit: cython.int[::1]
    marked: cython.uchar[::1]
    count: cython.int
    height: cython.int
    fixed: cython.int
    done: cython.int
    ended: cython.bint

    def __init__(self, variables: cython.int) -> None:
        self.pool = np.zeros(1024, dtype=np.int32)
        self.start = np.zeros(1024, dtype=np.int64)
        self.hints = np.zeros(1024, dtype=np.int32)
        self.hint_start = np.zeros(1024, dtype=np.int64)
        self.after = np.full(2048, -1, dtype=np.int32)
        self.dead = np.zeros(1024, dtype=np.uint8)
        self.head = np.full(2 * variables + 2, -1, dtype=np.int32)
        self.value = np.zeros(2 * variables + 2, dtype=np.int8)
        self.trail = np.zeros(variables + 1, dtype=np.int32)
        self.reason = np.zeros(variables + 1, dtype=np.int32)
        self.unit = np.zeros(variables + 1, dtype=np.int32)
        self.marked = np.zeros(variables + 1, dtype=np.uint8)
        self.filled = self.hinted = 0
        self.count = self.height = self.fixed = self.done = 0
        self.ended = False

    def given(self, literals: cython.int[::1], starts: cython.longlong[::1]) -> None:
        """Add clauses that need no reason, numbered from 1. Needs: no literal stands twice in a clause."""
        c: cython.Py_ssize_t
        k: cython.longlong
        for c in range(starts.shape[0] - 1):
            self._room(starts[c + 1] - starts[c], 0)
            for k in range(starts[c], starts[c + 1]):
                self.pool[self.filled] = _code(literals[k])
                self.filled += 1
            self._close()
        for c in range(1, starts.shape[0]):
            if not self.ended:
                self._attach(cython.cast(cython.int, c))

    def clauses(self) -> cython.int:
        """How many clauses there are."""
        return self.count

    def refuted(self) -> cython.bint:
        """Whether the empty clause has been reached."""
        return self.ended

    def forget(self, clause: cython.int) -> None:
        """A clause is not needed any more for what follows."""
        self.dead[clause] = 1

    def follow(self, literals: cython.int[::1]) -> cython.int:
        """Add a clause that follows by unit propagation; its number, 0 where it holds anyway, -1 where it does not.

        Literals that the reasoning does not need are left out.
        """
        k: cython.Py_ssize_t
        code: cython.int
        conflict: cython.int = 0
        for k in range(literals.shape[0]):
            code = _code(literals[k])
            if self.value[code] > 0:
                self._undo()
                return 0
            if self.value[code] == 0:
                self._assign(code ^ 1, 0)
        conflict = self._propagate()
        if conflict == 0:
            self._undo()
            return -1
        self._explain(conflict)
        self._undo()
        self._attach(self.count)
        return self.count

    @cython.cfunc
    def _explain(self, conflict: cython.int) -> cython.void:
        """Add the clause that a conflict shows, with its hints."""
        k: cython.int
        j: cython.longlong
        variable: cython.int
        first: cython.longlong = self.hinted
        self._mark(conflict)
        self._room(self.height, self.height + 1)
        self.hints[self.hinted] = conflict
        self.hinted += 1
        for k in range(self.height - 1, -1, -1):
            variable = self.trail[k] >> 1
            if not self.marked[variable]:
                continue
            self.marked[variable] = 0
            if k < self.fixed:
                self.hints[self.hinted] = self.unit[variable]
                self.hinted += 1
            elif self.reason[variable]:
                self.hints[self.hinted] = self.reason[variable]
                self.hinted += 1
                self._mark(self.reason[variable])
                self.marked[variable] = 0
            else:
                self.pool[self.filled] = self.trail[k] ^ 1
                self.filled += 1
        # They were met from the conflict backwards.
        j = self.hinted - 1
        while first < j:
            self.hints[first], self.hints[j] = self.hints[j], self.hints[first]
            first += 1
            j -= 1
        self._close()

    @cython.cfunc
    def _mark(self, clause: cython.int) -> cython.void:
        k: cython.longlong
        for k in range(self.start[clause], self.start[clause + 1]):
            self.marked[self.pool[k] >> 1] = 1

    @cython.cfunc
    def _close(self) -> cython.void:
        """The literals and hints written last are a clause."""
        self.count += 1
        self.start[self.count + 1] = self.filled
        self.hint_start[self.count + 1] = self.hinted

    @cython.cfunc
    def _room(self, literals: cython.longlong, hints: cython.longlong) -> cython.void:
        """See to room for one more clause of this size."""
        while self.filled + literals > self.pool.shape[0]:
            self.pool = np.concatenate((np.asarray(self.pool), np.zeros(self.pool.shape[0], dtype=np.int32)))
        while self.hinted + hints > self.hints.shape[0]:
            self.hints = np.concatenate((np.asarray(self.hints), np.zeros(self.hints.shape[0], dtype=np.int32)))
        if self.count + 3 > self.start.shape[0]:
            more = self.start.shape[0]
            self.start = np.concatenate((np.asarray(self.start), np.zeros(more, dtype=np.int64)))
            self.hint_start = np.concatenate((np.asarray(self.hint_start), np.zeros(more, dtype=np.int64)))
            self.after = np.concatenate((np.asarray(self.after), np.full(2 * more, -1, dtype=np.int32)))
            self.dead = np.concatenate((np.asarray(self.dead), np.zeros(more, dtype=np.uint8)))

    @cython.cfunc
    def _attach(self, clause: cython.int) -> cython.void:
        """Watch two literals that are not false; with fewer, draw the consequence. Nothing is assumed now."""
        free: cython.int = 0
        k: cython.longlong
        first: cython.longlong = self.start[clause]
        for k in range(first, self.start[clause + 1]):
            if self.value[self.pool[k]] >= 0:
                self.pool[k], self.pool[first + free] = self.pool[first + free], self.pool[k]
                free += 1
                if free == 2:
                    break
        if free == 2:
            self.after[2 * clause] = self.head[self.pool[first]]
            self.head[self.pool[first]] = 2 * clause
            self.after[2 * clause + 1] = self.head[self.pool[first + 1]]
            self.head[self.pool[first + 1]] = 2 * clause + 1
        elif free == 1:
            if self.value[self.pool[first]] == 0:
                self._assign(self.pool[first], clause)
                self._settle()
        else:
            self._end(clause)

    @cython.cfunc
    def _settle(self) -> cython.void:
        """Give every literal that holds without assumptions a unit clause of its own."""
        conflict: cython.int = self._propagate()
        k: cython.longlong
        clause: cython.int
        variable: cython.int
        while self.fixed < self.height:
            variable = self.trail[self.fixed] >> 1
            clause = self.reason[variable]
            if self.start[clause + 1] - self.start[clause] == 1:
                self.unit[variable] = clause
            else:
                self._room(1, self.start[clause + 1] - self.start[clause])
                for k in range(self.start[clause], self.start[clause + 1]):
                    if self.pool[k] >> 1 != variable:
                        self.hints[self.hinted] = self.unit[self.pool[k] >> 1]
                        self.hinted += 1
                self.hints[self.hinted] = clause
                self.hinted += 1
                self.pool[self.filled] = self.trail[self.fixed]
                self.filled += 1
                self._close()
                self.unit[variable] = self.count
            self.fixed += 1
        if conflict:
            self._end(conflict)

    @cython.cfunc
    def _end(self, clause: cython.int) -> cython.void:
        """All literals of a clause are false without assumptions: the empty clause follows."""
        k: cython.longlong
        self.ended = True
        if self.start[clause + 1] == self.start[clause]:
            return
        self._room(0, self.start[clause + 1] - self.start[clause] + 1)
        for k in range(self.start[clause], self.start[clause + 1]):
            self.hints[self.hinted] = self.unit[self.pool[k] >> 1]
            self.hinted += 1
        self.hints[self.hinted] = clause
        self.hinted += 1
        self._close()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _assign(self, code: cython.int, reason: cython.int) -> cython.void:
        self.value[code] = 1
        self.value[code ^ 1] = -1
        self.reason[code >> 1] = reason
        self.trail[self.height] = code
        self.height += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _undo(self) -> cython.void:
        code: cython.int
        while self.height > self.fixed:
            self.height -= 1
            code = self.trail[self.height]
            self.value[code] = 0
            self.value[code ^ 1] = 0
        self.done = self.fixed

    @cython.cfunc
    @cython.exceptval(check=False)
    def _propagate(self) -> cython.int:
        """Draw all consequences; the number of a clause whose literals are all false, or 0."""
        wrong: cython.int
        entry: cython.int
        following: cython.int
        before: cython.int
        clause: cython.int
        other: cython.int
        first: cython.longlong
        place: cython.longlong
        k: cython.longlong
        moved: cython.bint
        while self.done < self.height:
            wrong = self.trail[self.done] ^ 1
            self.done += 1
            before = -1
            entry = self.head[wrong]
            while entry >= 0:
                following = self.after[entry]
                clause = entry >> 1
                first = self.start[clause]
                place = first + (entry & 1)
                other = self.pool[first + 1 - (entry & 1)]
                moved = self.dead[clause] != 0
                if not moved and self.value[other] <= 0:
                    for k in range(first + 2, self.start[clause + 1]):
                        if self.value[self.pool[k]] >= 0:
                            self.pool[place] = self.pool[k]
                            self.pool[k] = wrong
                            self.after[entry] = self.head[self.pool[place]]
                            self.head[self.pool[place]] = entry
                            moved = True
                            break
                    if not moved:
                        if self.value[other] < 0:
                            return clause
                        self._assign(other, clause)
                if moved:
                    if before < 0:
                        self.head[wrong] = following
                    else:
                        self.after[before] = following
                else:
                    before = entry
                entry = following
        return 0

    def needed(self, given: cython.int) -> Any:
        """The lemmas that the last clause rests on, renumbered: pairs of literals and hints. Needs: ``refuted``."""
        keep: cython.uchar[::1] = np.zeros(self.count + 1, dtype=np.uint8)
        number: cython.int[::1] = np.arange(self.count + 1, dtype=np.int32)
        c: cython.int
        k: cython.longlong
        following: cython.int = given
        keep[self.count] = 1
        for c in range(self.count, given, -1):
            if keep[c]:
                for k in range(self.hint_start[c], self.hint_start[c + 1]):
                    keep[self.hints[k]] = 1
        found = []
        for c in range(given + 1, self.count + 1):
            if keep[c]:
                following += 1
                number[c] = following
                literals = [
                    -(self.pool[k] >> 1) if self.pool[k] & 1 else self.pool[k] >> 1
                    for k in range(self.start[c], self.start[c + 1])
                ]
                found.append(
                    (literals, [number[self.hints[k]] for k in range(self.hint_start[c], self.hint_start[c + 1])])
                )
        return found
