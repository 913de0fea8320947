"""Harmonised state identifiers by adaptive experiments.

An experiment starts with a group of states and applies inputs; states that answer differently part, and each part goes
on with inputs of its own. States that reach the same state by the same outputs can no longer part: they become a group
for a further experiment, which starts from them again. The word a state has seen in an experiment is one of its
identifiers. Any two states of a group see the same inputs until they part, hence the identifiers are harmonised.

Inputs are chosen by looking a few steps ahead for the least expected cost: inputs that each state will see, plus a fine
for each state that will need another experiment.
"""

from typing import Any

import cython
import numpy as np

_ENDLESS = 1e300


@cython.cclass
class Experimenter:
    """Grows experiments for all states of a minimal complete machine."""

    states: cython.int
    inputs: cython.int
    target: cython.int[::1]
    output: cython.int[::1]
    first: cython.ushort[::1]
    length: cython.ushort[::1]
    weight: cython.double[::1]
    rate: cython.double
    fine: cython.double
    ahead: cython.int
    work: cython.double
    price: cython.double[::1]
    log: cython.double[::1]
    order: cython.int[::1]
    current: cython.int[::1]
    spare: cython.int[::1]
    path: cython.int[::1]
    plan: cython.int[:, ::1]
    planned: cython.int
    state: cython.int[:, ::1]
    mass: cython.double[:, ::1]
    many: cython.uchar[:, ::1]
    answers: cython.int[:, ::1]
    counts: cython.int[:, ::1]
    begins: cython.int[:, ::1]
    ends: cython.int[:, ::1]
    stamp: cython.longlong[::1]
    place: cython.int[::1]
    clock: cython.longlong

    def __init__(
        self,
        table: tuple[object, object],
        outputs: cython.int,
        separation: tuple[object, object],
        weight: cython.double[::1],
        taste: tuple[float, float, int, float],
        price: cython.double[::1],
    ) -> None:
        """``table``: targets and outputs; ``separation``: first inputs and lengths of separating words of all pairs.

        ``weight``: what an input costs in each state; ``taste``: expected inputs per bit, fine, steps to
        look ahead, and how many steps of single states looking ahead may take for one decision.
        """
        self.target, self.output = table
        self.first, self.length = separation
        self.weight = weight
        self.price = price
        self.rate, self.fine, self.ahead, self.work = taste
        self.states = weight.shape[0]
        self.inputs = self.target.shape[0] // self.states
        levels: cython.int = self.ahead + 2
        self.log = np.log2(np.maximum(np.arange(self.states + 1), 1))
        self.order = np.arange(self.states, dtype=np.int32)
        self.current = np.arange(self.states, dtype=np.int32)
        self.spare = np.zeros(self.states, dtype=np.int32)
        self.path = np.zeros(256, dtype=np.int32)
        self.plan = np.zeros((levels, levels + 1), dtype=np.int32)
        self.state = np.zeros((levels, self.states), dtype=np.int32)
        self.mass = np.zeros((levels, self.states), dtype=np.float64)
        self.many = np.zeros((levels, self.states), dtype=np.uint8)
        self.answers = np.zeros((levels, outputs), dtype=np.int32)
        self.counts = np.zeros((levels, outputs), dtype=np.int32)
        self.begins = np.zeros((levels, outputs + 1), dtype=np.int32)
        self.ends = np.zeros((levels, outputs + 1), dtype=np.int32)
        self.stamp = np.zeros(self.states, dtype=np.int64)
        self.place = np.zeros(self.states, dtype=np.int32)
        self.clock = 0
        self.planned = 0

    def identifiers(self) -> tuple[Any, Any, Any]:
        """Return words end to end: symbols, offsets, and the state each word identifies."""
        owners: list[int] = []
        symbols: list[Any] = []
        offsets: list[int] = [0]
        groups: list[tuple[int, int]] = [(0, self.states)]
        total: cython.longlong = 0
        k: cython.int
        while groups:
            first, past = groups.pop()
            if past - first > 1:
                for k in range(first, past):
                    self.current[self.order[k]] = self.order[k]
                for begin, end, depth, word in self.experiment(first, past):
                    for k in range(begin, end):
                        owners.append(self.order[k])
                        symbols.append(word)
                        total += depth
                        offsets.append(total)
                    groups.append((begin, end))
        joined = np.concatenate([np.zeros(0, dtype=np.int32), *symbols])
        return joined, np.array(offsets, dtype=np.int64), np.array(owners, dtype=np.int32)

    @cython.cfunc
    def experiment(self, first: cython.int, past: cython.int) -> list[Any]:
        """Grow one experiment; returns (first, past, length, word) for each group that ends in one state."""
        done = []
        tasks = [(first, past, 0)]
        begin: cython.int
        end: cython.int
        depth: cython.int
        kinds: cython.int
        step: cython.int
        while tasks:
            begin, end, depth = tasks.pop()
            kinds = self.gather(begin, end)
            if kinds == 1:
                done.append((begin, end, depth, np.array(self.path[:depth])))
                continue
            self.choose(kinds)
            if depth + self.planned >= self.path.shape[0]:
                self.path = np.concatenate((np.asarray(self.path), np.zeros(depth + self.planned, dtype=np.int32)))
            for step in range(self.planned):
                self.path[depth] = self.plan[self.ahead + 1, step]
                depth += 1
                parts = self.apply(begin, end, self.path[depth - 1])
                if len(parts) > 1:
                    break
            for begin, end in reversed(parts):
                tasks.append((begin, end, depth))
        return done

    @cython.cfunc
    def apply(self, begin: cython.int, end: cython.int, symbol: cython.int) -> list[Any]:
        """Apply an input to all states of a part; returns the parts by output."""
        k: cython.int
        cell: cython.int
        answer: cython.int
        kinds: cython.int = 0
        seen: cython.int[::1] = self.answers[self.ahead + 1]
        count: cython.int[::1] = self.counts[self.ahead + 1]
        for k in range(begin, end):
            answer = self.output[self.current[self.order[k]] * self.inputs + symbol]
            if count[answer] == 0:
                seen[kinds] = answer
                kinds += 1
            count[answer] += 1
        parts = []
        position: cython.int = begin
        for k in range(kinds):
            answer = count[seen[k]]
            parts.append((position, position + answer))
            count[seen[k]] = position
            position += answer
        for k in range(begin, end):
            cell = self.current[self.order[k]] * self.inputs + symbol
            self.spare[count[self.output[cell]]] = self.order[k]
            count[self.output[cell]] += 1
            self.current[self.order[k]] = self.target[cell]
        for k in range(begin, end):
            self.order[k] = self.spare[k]
        for k in range(kinds):
            count[seen[k]] = 0
        return parts

    @cython.cfunc
    def gather(self, begin: cython.int, end: cython.int) -> cython.int:
        """Lay the distinct current states of a part out for looking ahead; returns how many there are."""
        k: cython.int
        here: cython.int
        kinds: cython.int = 0
        top: cython.int = self.ahead
        self.clock += 1
        for k in range(begin, end):
            here = self.current[self.order[k]]
            if self.stamp[here] == self.clock:
                self.mass[top, self.place[here]] += self.weight[self.order[k]]
                self.many[top, self.place[here]] = 1
            else:
                self.stamp[here] = self.clock
                self.place[here] = kinds
                self.state[top, kinds] = here
                self.mass[top, kinds] = self.weight[self.order[k]]
                self.many[top, kinds] = 0
                kinds += 1
        return kinds

    @cython.cfunc
    def choose(self, kinds: cython.int) -> cython.void:
        """Put a word that splits the gathered states into the last row of ``plan``."""
        k: cython.int
        level: cython.int = 1
        work: cython.double = cython.cast(cython.double, kinds) * self.inputs
        while level < self.ahead and work * self.inputs <= self.work:
            level += 1
            work *= self.inputs
        if level < self.ahead:
            for k in range(kinds):
                self.state[level, k] = self.state[self.ahead, k]
                self.mass[level, k] = self.mass[self.ahead, k]
                self.many[level, k] = self.many[self.ahead, k]
        if self.look(level, 0, kinds, True, _ENDLESS) < _ENDLESS:
            for k in range(self.planned):
                self.plan[self.ahead + 1, k] = self.plan[level, k]
            return
        self.nearest(kinds)

    @cython.cfunc
    def nearest(self, kinds: cython.int) -> cython.void:
        """Plan a shortest word that separates some two of the gathered states."""
        top: cython.int = self.ahead
        one: cython.int
        other: cython.int
        low: cython.int
        high: cython.int
        best_low: cython.int = -1
        best_high: cython.int = -1
        shortest: cython.int = 65536
        pair: cython.Py_ssize_t
        for one in range(min(kinds, 32)):
            for other in range(one + 1, kinds):
                low = min(self.state[top, one], self.state[top, other])
                high = max(self.state[top, one], self.state[top, other])
                pair = cython.cast(cython.Py_ssize_t, high) * (high - 1) // 2 + low
                if self.length[pair] < shortest:
                    shortest = self.length[pair]
                    best_low = low
                    best_high = high
        if shortest >= self.plan.shape[1]:
            wider = np.zeros((self.plan.shape[0], shortest + 1), dtype=np.int32)
            wider[:, : self.plan.shape[1]] = self.plan
            self.plan = wider
        self.planned = shortest
        k: cython.int
        for k in range(shortest):
            low = min(best_low, best_high)
            high = max(best_low, best_high)
            pair = cython.cast(cython.Py_ssize_t, high) * (high - 1) // 2 + low
            self.plan[self.ahead + 1, k] = self.first[pair]
            best_low = self.target[low * self.inputs + self.plan[self.ahead + 1, k]]
            best_high = self.target[high * self.inputs + self.plan[self.ahead + 1, k]]

    @cython.cfunc
    def look(
        self, level: cython.int, begin: cython.int, end: cython.int, must: cython.bint, limit: cython.double
    ) -> cython.double:
        """Least expected cost of the states ``begin:end`` of a level, where it is below ``limit``.

        Where ``must`` holds, only words count that split within the levels below; the best one is put into
        ``plan[level]`` and its length into ``planned``.
        """
        k: cython.int
        i: cython.int
        if must and (level == 0 or end - begin == 1):
            return _ENDLESS
        total: cython.double = 0.0
        for k in range(begin, end):
            total += self.mass[level, k]
        best: cython.double = limit
        if not must:
            best = min(limit, total * self.rate * self.log[end - begin])  # 0 for a single state
        if level == 0:
            return best
        cost: cython.double
        found: cython.int = 0
        for i in range(self.inputs):
            cost = total * self.price[i]
            if cost < best:
                cost = self.outcome(level, begin, end, i, must, best - cost) + cost
            if cost < best:
                best = cost
                if must:
                    found = self.planned + 1
                    self.plan[level, 0] = i
                    for k in range(self.planned):
                        self.plan[level, k + 1] = self.plan[level - 1, k]
        if must:
            self.planned = found
            return best if found else _ENDLESS
        return best

    @cython.cfunc
    def outcome(
        self,
        level: cython.int,
        begin: cython.int,
        end: cython.int,
        symbol: cython.int,
        must: cython.bint,
        limit: cython.double,
    ) -> cython.double:
        """Expected cost after an input, fines included, where it is below ``limit``.

        Where ``must`` holds, ``planned`` becomes the number of further inputs until the states split.
        """
        j: cython.int
        kinds: cython.int = self.spread(level, begin, end, symbol)
        if kinds == 1 and level == 1:
            return _ENDLESS
        cost: cython.double = self.squeeze(level, kinds)
        for j in range(kinds):
            if cost >= limit:
                return _ENDLESS
            cost += self.look(level - 1, self.begins[level, j], self.ends[level, j], must and kinds == 1, limit - cost)
        if kinds > 1:
            self.planned = 0
        return cost

    @cython.cfunc
    @cython.exceptval(check=False)
    def spread(self, level: cython.int, begin: cython.int, end: cython.int, symbol: cython.int) -> cython.int:
        """Apply an input to states of a level, sort the results by output into the level below; returns how many."""
        k: cython.int
        cell: cython.int
        answer: cython.int
        spot: cython.int
        kinds: cython.int = 0
        for k in range(begin, end):
            answer = self.output[self.state[level, k] * self.inputs + symbol]
            if self.counts[level, answer] == 0:
                self.answers[level, kinds] = answer
                kinds += 1
            self.counts[level, answer] += 1
        spot = begin
        for k in range(kinds):
            answer = self.answers[level, k]
            self.begins[level, k] = spot
            spot += self.counts[level, answer]
            self.counts[level, answer] = self.begins[level, k]
        self.begins[level, kinds] = spot
        for k in range(begin, end):
            cell = self.state[level, k] * self.inputs + symbol
            spot = self.counts[level, self.output[cell]]
            self.counts[level, self.output[cell]] = spot + 1
            self.state[level - 1, spot] = self.target[cell]
            self.mass[level - 1, spot] = self.mass[level, k]
            self.many[level - 1, spot] = self.many[level, k]
        for k in range(kinds):
            self.counts[level, self.answers[level, k]] = 0
        return kinds

    @cython.cfunc
    @cython.exceptval(check=False)
    def squeeze(self, level: cython.int, kinds: cython.int) -> cython.double:
        """Merge equal states of each part in the level below; returns the fines of states merged for the first time."""
        below: cython.int = level - 1
        fines: cython.double = 0.0
        j: cython.int
        k: cython.int
        spot: cython.int
        here: cython.int
        for j in range(kinds):
            self.clock += 1
            spot = self.begins[level, j]
            for k in range(self.begins[level, j], self.begins[level, j + 1]):
                here = self.state[below, k]
                if self.stamp[here] == self.clock:
                    here = self.place[here]
                    if self.many[below, k] == 0:
                        fines += self.mass[below, k]
                    if self.many[below, here] == 0:
                        fines += self.mass[below, here]
                        self.many[below, here] = 1
                    self.mass[below, here] += self.mass[below, k]
                else:
                    self.stamp[here] = self.clock
                    self.place[here] = spot
                    self.state[below, spot] = here
                    self.mass[below, spot] = self.mass[below, k]
                    self.many[below, spot] = self.many[below, k]
                    spot += 1
            self.ends[level, j] = spot
        return fines * self.fine
