"""The SAT encoding of an unknown machine that is not quasi-equivalent to a partial model, for the exact engine.

As in ``encoding``, the unknown machine has states 0 .. bound-1, of which the first ones are *pinned*: certain words
lead there, and the caller ensures that they are different states. Pinned states have the label of their word.

One state of the machine may stand for several states of a partial model, since some of these may be inseparable: no
word that both define is answered differently. So a state has no label that follows from the way it is entered; instead
there is a variable for each *pair* of a state of the model and one of the machine, which says that some defined word
leads to both. With a pinned state only the states are paired that are inseparable from its label: a word that leads to
a pinned state and to a state of the model that is separable from its label is a fault, because the machine answers the
word that separates the two in one way.

The machine is not quasi-equivalent iff a pair on a word answers an input that its state of the model defines wrongly,
or goes to such a pinned state. A pair is that of a pinned state, or entered from another pair. That alone allows pairs
that support each other in a circle; ``forbid_circle`` excludes those, for good, and the search asks again.

Proof: docs/proofs/partial.md, section 5.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import product

from fullproof.certify.machine import UNDEFINED, FlatMachine
from fullproof.certify.unknown_machine import Position, UnknownMachine
from fullproof.core.errors import Bug
from fullproof.smt.sat import SatSolver
from fullproof.smt.sat_answers import SatAssignment

ModelPair = tuple[int, int]
"""A state of the model, and one of the unknown machine."""


class PartialEncoding(UnknownMachine):
    """Any complete machine with at most ``bound`` states that is not quasi-equivalent to the model."""

    def __init__(
        self,
        model: FlatMachine,
        pinned: Sequence[int],
        bound: int,
        solver: SatSolver,
        *,
        cells: Mapping[tuple[int, int], Collection[int]] | None = None,
    ) -> None:
        """``pinned``: the labels of the pinned states; state 0 is the initial one.

        ``cells``: for a pinned state and an input, the states it may lead to, where some are excluded already.
        """
        super().__init__(solver)
        self.model, self.bound, self.labels = model, bound, tuple(pinned)
        everywhere = range(bound)
        allowed = cells or {}
        self.target = [[self.one_of(allowed.get((s, i), everywhere)) for i in self._inputs] for s in everywhere]
        self.answer = [[self._answers(i) for i in self._inputs] for _ in everywhere]
        self._number_states()
        merged = inseparable_states(model)
        self._pairs: list[Position] = [{q: solver.new_variable() for q in sorted(merged[p])} for p in pinned]
        self._pairs += [{q: solver.new_variable() for q in range(model.states)} for _ in everywhere[len(pinned) :]]
        self._entries: dict[ModelPair, list[tuple[ModelPair, int]]] = {}
        self._enter_pairs()
        self._differ()

    @property
    def _inputs(self) -> range:
        return range(self.model.inputs)

    def circle(self, found: SatAssignment) -> set[ModelPair]:
        """The pairs of an assignment that nothing but their like supports."""
        claimed = {(q, t) for t, row in enumerate(self._pairs) for q, pair in row.items() if found.holds(pair)}
        queue = [(label, t) for t, label in enumerate(self.labels)]
        reached = set(queue)
        for q, t in queue:  # grows while it is walked
            for i, after in enumerate(self.model.target[q]):
                if after != UNDEFINED:
                    pair = (after, next(k for k, way in self.target[t][i].items() if found.holds(way)))
                    if pair in claimed and pair not in reached:
                        reached.add(pair)
                        queue.append(pair)
        return claimed - reached

    def forbid_circle(self, pairs: Collection[ModelPair]) -> None:
        """Demand that pairs are entered from outside (a loop formula; Lin and Zhao 2004)."""
        if not pairs:
            raise Bug("a fault is on a word, and the machine conforms")
        outside = [entry for pair in pairs for before, entry in self._entries[pair] if before not in pairs]
        for q, t in sorted(pairs):
            self.solver.add_clause([-self._pairs[t][q], *outside])

    def correct(self) -> list[int]:
        """The literals of a machine without a fault in its pinned states: preferring them finds subtle survivors."""
        state = {q: s for s, q in enumerate(self.labels)}
        literals = []
        for q, s in state.items():
            for i, aim in enumerate(self.model.target[q]):
                if aim != UNDEFINED:
                    literals.append(self.answer[s][i][self.model.output[q][i]])
                    if state.get(aim) in self.target[s][i]:
                        literals.append(self.target[s][i][state[aim]])
        return literals

    def _answers(self, symbol: int) -> Position:
        """A variable for each output the model gives to this input in some state; none of them: another output."""
        outputs = sorted({row[symbol] for row in self.model.output} - {UNDEFINED})
        chosen = {output: self.solver.new_variable() for output in outputs}
        self.at_most_one(list(chosen.values()))
        return chosen

    def _decoded_output(self, state: int, symbol: int, found: SatAssignment) -> int:
        """Where no output is chosen, one that the model never gives is taken: the right one may differ from word to
        word.
        """
        chosen = (output for output, literal in self.answer[state][symbol].items() if found.holds(literal))
        return next(chosen, 1 + max(max(row) for row in self.model.output))

    def _number_states(self) -> None:
        """A state behind the pinned ones is entered after the one numbered before it, in the order of the states.

        Only one of several isomorphic machines is left: those are numbered breadth first, and states that nothing
        leads to may have all their transitions to state 0.
        """
        ways = [self.target[s][i] for s, i in product(range(self.bound), self._inputs)]
        before: list[int] = [self.true] * (len(ways) + 1)
        for state in range(len(self.labels), self.bound):
            entered = [-self.true]
            for place, way in enumerate(ways):
                literal = way.get(state, -self.true)
                if literal != -self.true:
                    self.solver.add_clause([-literal, before[place]])
                now = self.solver.new_variable()
                self.solver.add_clause([-now, entered[-1], literal])
                entered.append(now)
            before = entered

    def _enter_pairs(self) -> None:
        """A pair that is not of a pinned state and its label is entered from another one, under a defined input."""
        self._entries = {(q, t): [] for t, row in enumerate(self._pairs) for q in row}
        for q, s in self._entries:
            for i, after in enumerate(self.model.target[q]):
                for t, way in self.target[s][i].items() if after != UNDEFINED else ():
                    if after in self._pairs[t] and (after, t) != (q, s):
                        entry = self.solver.new_variable()
                        self.solver.add_clause([-entry, self._pairs[s][q]])
                        self.solver.add_clause([-entry, way])
                        self._entries[after, t].append(((q, s), entry))
        for (q, t), entries in self._entries.items():
            if t >= len(self.labels) or q != self.labels[t]:
                self.solver.add_clause([-self._pairs[t][q], *(entry for _, entry in entries)])

    def _differ(self) -> None:
        """Some pair is followed by a wrong output, or by a pinned state that stands for another state."""
        faults = []
        for q, s in self._entries:
            for i, after in enumerate(self.model.target[q]):
                if after == UNDEFINED:
                    continue
                fault, lost = self.solver.new_variable(), self.solver.new_variable()
                faults.append(fault)
                self.solver.add_clause([-fault, self._pairs[s][q]])
                self.solver.add_clause([-fault, -self.answer[s][i][self.model.output[q][i]], lost])
                for t, literal in self.target[s][i].items():
                    if after in self._pairs[t]:
                        self.solver.add_clause([-lost, -literal])
        self.solver.add_clause(faults)


@lru_cache(maxsize=4)
def inseparable_states(model: FlatMachine) -> tuple[frozenset[int], ...]:
    """For each state those that no word defined in both distinguishes from it, itself among them.

    Pairs become separable from their successors backwards, until nothing changes. It is kept, as one search asks for it
    again and again. Needs: a minimal model, so that states of a complete one are separable.
    """
    states = range(model.states)
    if model.is_complete:
        return tuple(frozenset({q}) for q in states)
    same = [set(states) for _ in states]
    changed = True
    while changed:
        changed = False
        for q, r in product(states, states):
            if r in same[q] and any(
                model.output[q][i] != model.output[r][i] or t not in same[model.target[r][i]]
                for i, t in enumerate(model.target[q])
                if t != UNDEFINED and model.target[r][i] != UNDEFINED
            ):
                same[q].discard(r)
                same[r].discard(q)
                changed = True
    return tuple(map(frozenset, same))
