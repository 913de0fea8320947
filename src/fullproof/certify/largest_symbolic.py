"""Which observable machines are those of a symbolic machine, and which part of the others is.

A transition of a symbolic machine admits several classes at once, and leads to one state with all of them: its classes
are a *bundle*. Where the transitions of a state overlap, its observable form is in sets of states, and the classes of
one bundle lead to several of them. Whether an observable machine O is the form of a symbolic machine is decided here.

*The largest machine.* Its states are sets X of states of O, the first is {0}. X has each bundle whose classes all
states of X have; it leads to all states that O reaches from X with a class of the bundle.

(1) *Every trace of X is one of each x in X*: by induction on its length, as the bundle's classes are possible in x, and
what x leads to is in the set that X leads to.

(2) *Every state q of a symbolic machine whose traces are traces of each x in X has traces of X only*: the classes of
each of its bundles are possible in each x. The state that the bundle leads to has, after any of its classes, traces of
what x leads to with it, so of all states of the set that X leads to. By induction on the length, X has those of q.

Therefore O is the observable form of a symbolic machine iff {0} has all traces of O: the largest machine then is one.
A trace of O that {0} lacks says why not, in terms of few transitions of O: every machine with these, and without the
classes that bundles were refused for, lacks it as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Members = frozenset[int]
"""A set of states of an observable machine."""
Letters = tuple[int, ...]
_MOST = 5_000
"""Pairs of states of an observable machine and sets of sets of them beyond which nothing is decided."""


class TooManySets(Exception):
    """More sets of states are to be looked at than there may be."""


@dataclass(frozen=True, slots=True)
class Leads:
    """From ``state``, ``letter`` leads to ``target``."""

    state: int
    letter: int
    target: int


@dataclass(frozen=True, slots=True)
class Lacks:
    """In ``state``, ``letter`` is impossible."""

    state: int
    letter: int


@dataclass(frozen=True, slots=True)
class Has:
    """In ``state``, ``letter`` is possible."""

    state: int
    letter: int


Fact = Leads | Lacks | Has


class LargestSymbolic:
    """The largest symbolic machine whose traces are traces of an observable one; ``after[state][letter]`` leads on."""

    def __init__(self, after: Sequence[Mapping[int, int]], bundles: Sequence[Members]) -> None:
        self._after, self._bundles = after, tuple(bundles)
        self._ways: dict[Members, tuple[tuple[int, Members], ...]] = {}

    def ways(self, members: Members) -> tuple[tuple[int, Members], ...]:
        """The bundles that a set of states has, by number, with the sets that they lead to."""
        if members not in self._ways:
            self._ways[members] = tuple(
                (k, frozenset(self._after[x][letter] for x in members for letter in bundle))
                for k, bundle in enumerate(self._bundles)
                if all(letter in self._after[x] for x in members for letter in bundle)
            )
        return self._ways[members]

    def sets(self) -> Iterator[Members]:
        """All sets of states that can be reached, {0} first. Raises ``TooManySets``."""
        order = [frozenset({0})]
        seen = set(order)
        for members in order:  # grows while it is walked
            yield members
            for _, target in self.ways(members):
                if target not in seen:
                    seen.add(target)
                    order.append(target)
            if len(order) > _MOST:
                raise TooManySets

    def missing(self) -> Letters | None:
        """A shortest trace of the observable machine that {0} lacks, or None. Raises ``TooManySets``."""
        start = (0, frozenset({frozenset({0})}))
        traces: dict[tuple[int, frozenset[Members]], Letters] = {start: ()}
        queue = [start]
        for state, places in queue:  # grows while it is walked
            for letter, target in self._after[state].items():
                trace = (*traces[state, places], letter)
                reached = {to for members in places for k, to in self.ways(members) if letter in self._bundles[k]}
                if not reached:
                    return trace
                pair = (target, _smallest(reached))
                if pair not in traces:
                    traces[pair] = trace
                    queue.append(pair)
            if len(queue) > _MOST:
                raise TooManySets
        return None

    def reasons(self, trace: Letters) -> list[Fact]:
        """Facts on the observable machine for which it has a trace, and no symbolic machine within it has.

        Needs: a trace that ``missing`` gave.
        """
        facts: dict[Fact, None] = {}
        state = 0
        for letter in trace[:-1]:
            facts[Leads(state, letter, self._after[state][letter])] = None
            state = self._after[state][letter]
        facts[Has(state, trace[-1])] = None
        _LackedTrace(self, self._after, self._bundles, trace, facts).explain(0, frozenset({0}))
        return list(facts)


class _LackedTrace:
    """Why sets of states lack the rest of a trace from a place on."""

    def __init__(
        self,
        machine: LargestSymbolic,
        after: Sequence[Mapping[int, int]],
        bundles: Sequence[Members],
        trace: Letters,
        facts: dict[Fact, None],
    ) -> None:
        self._machine, self._after, self._bundles, self._trace, self._facts = machine, after, bundles, trace, facts
        self._lacked: dict[tuple[int, Members], bool] = {}
        self._explained: set[tuple[int, Members]] = set()

    def lacked(self, place: int, members: Members) -> bool:
        """Whether a set of states lacks what follows in the trace."""
        if place == len(self._trace):
            return False
        key = (place, members)
        if key not in self._lacked:
            self._lacked[key] = all(
                self.lacked(place + 1, target)
                for k, target in self._machine.ways(members)
                if self._trace[place] in self._bundles[k]
            )
        return self._lacked[key]

    def explain(self, place: int, members: Members) -> None:
        """Collect the facts for which a set, and every larger one, lacks what follows."""
        if (place, members) in self._explained:
            return
        self._explained.add((place, members))
        targets = dict(self._machine.ways(members))
        for k, bundle in enumerate(self._bundles):
            if self._trace[place] not in bundle:
                continue
            if k not in targets:
                absent = [
                    Lacks(x, letter)
                    for x in sorted(members)
                    for letter in sorted(bundle)
                    if letter not in self._after[x]
                ]
                if not any(fact in self._facts for fact in absent):
                    self._facts[absent[0]] = None
                continue
            rest = self._fewest(place + 1, targets[k])
            for target in sorted(rest):
                leading = [
                    Leads(x, letter, target)
                    for x in sorted(members)
                    for letter in sorted(bundle)
                    if self._after[x][letter] == target
                ]
                if not any(fact in self._facts for fact in leading):
                    self._facts[leading[0]] = None
            self.explain(place + 1, rest)

    def _fewest(self, place: int, members: Members) -> Members:
        """A subset that lacks the rest, too, and none of whose members can be left out."""
        for x in sorted(members):
            fewer = members - {x}
            if fewer and self.lacked(place, fewer):
                members = fewer
        return members


def _smallest(sets: set[Members]) -> frozenset[Members]:
    """Those that contain no other one: a smaller set has all traces of a larger one."""
    return frozenset(one for one in sets if not any(other < one for other in sets))
