"""Adaptive state counting: the next input depends on the answers of the system so far.

A preset suite has to be right for every system at once. A tester that looks at the answers follows only the traces that
this system has, and distinguishes states by how this system differs on them, not only by what every system must show.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from fullproof.analysis.r_distinguishability import Answers, Move, Pair, levels, ordered, separating_inputs
from fullproof.analysis.responses import Responses
from fullproof.artefacts.request import Distinguish
from fullproof.generate.finite.recursion import Deep, result_of

NODES_LIMIT = 500_000
_PATIENCE = 20
"""Consecutive executions, per repetition, without a new observation before a trace counts as not reproducible."""


@dataclass(slots=True, eq=False)
class TraceNode:
    """A trace that was observed, with the state to which it leads in the model."""

    state: int
    above: TraceNode | None
    enabled: frozenset[int] | None = None
    tried: dict[int, int] = field(default_factory=dict)
    wanted: set[int] = field(default_factory=set)
    outputs: dict[int, set[object]] = field(default_factory=dict)
    children: dict[tuple[int, object], TraceNode] = field(default_factory=dict)
    believed: dict[int, int] = field(default_factory=dict)
    """The number of the plan that was the first to take the answers to an input for all there are."""
    open: int = 0
    """How many wanted inputs are not yet done here and below."""


class AdaptiveCounting:
    """Hierons 2004, Petrenko and Yevtushenko 2014; the adaptive tests of paper 002, section 5.2.

    Guarantee: once ``finished``, every observable system of at most ``bound`` states that was not seen to do anything
    wrong is a reduction in the sense of the oracle that watched (reduction, quasi-reduction; with ``grey`` strong
    reduction), provided that it answers an input after a trace in all its ways within ``repeat`` tries.

    Why: let v.t be a shortest wrong trace after one of the observed access traces v, one for each state of the model
    that was seen. It leaves what was tried at some prefix that was left alone. There ``bound + 1`` of the access traces
    and the prefixes after v are pairwise of the same state of the model or seen to answer differently. Two of them lead
    to one state of the system; they are not seen to differ, so they lead to one state of the model, too, and the rest
    of t is wrong after the earlier one: a shorter wrong trace. A prefix that is an access trace itself needs no
    further look for the same reason.
    Needs: observable; what is wrong ends a trace.
    """

    def __init__(self, machine: Responses, *, bound: int, repeat: int, grey: bool) -> None:
        self._machine = machine
        self._bound = bound
        self._repeat = repeat
        variant = Distinguish.RD1 if grey else Distinguish.RD3
        self._levels = {answers: levels(machine, variant, answers) for answers in Answers}
        self._variant = variant
        self.root = TraceNode(state=0, above=None)
        self._access: dict[int, TraceNode] = {0: self.root}
        self._nodes = 1
        self._apart: set[tuple[int, int]] = set()
        self._alike: set[tuple[int, int]] = set()
        """Pairs that nothing seen so far distinguishes: forgotten when something new is seen."""
        self._left: set[int] = set()
        """Numbers of nodes at which nothing more is to be tried."""
        self._idle = self._plans = 0
        self.finished = False
        self.reason = ""
        """Why it ended without being finished."""

    def goes_on(self) -> bool:
        """Whether there is anything left to try; called before each execution."""
        if self.finished or self.reason:
            return False
        self._idle += 1
        if self._idle > _PATIENCE * self._repeat:
            self.reason = "an answer that the system gave did not come back however often it was tried"
        elif self._nodes > NODES_LIMIT:
            self.reason = f"more than {NODES_LIMIT:,} traces would have to be tried"
        elif not self.root.open and not self._plan():
            self.finished = True
        return not self.finished and not self.reason

    def choose(self, node: TraceNode) -> int | None:
        """The next input after a trace; None where continuing shows nothing new."""
        if not node.open:
            return None
        todo = [x for x in node.wanted if node.tried.get(x, 0) < self._repeat]
        if todo:
            symbol = min(todo)
            node.tried[symbol] = node.tried.get(symbol, 0) + 1
            if node.tried[symbol] == self._repeat:
                node.believed[symbol] = self._plans + 1
                self._count(node, -1)
            self._idle = 0
            return symbol
        return max((child.open, -x) for (x, _), child in node.children.items() if child.open)[1] * -1

    def saw(self, node: TraceNode, symbol: int, output: object, state: int | None) -> TraceNode | None:
        """Follow an answer; ``state`` is None where the model does not allow it."""
        known = node.outputs.setdefault(symbol, set())
        if output not in known:
            known.add(output)
            self._alike.clear()
            if self._plans >= node.believed.get(symbol, self._plans + 1):
                # More answers than all that there were: what was concluded from those is looked at again.
                self._apart.clear()
                self._left.clear()
        if state is None:
            return None
        found = node.children.get((symbol, output))
        if found is None:
            found = node.children[symbol, output] = TraceNode(state=state, above=node)
            self._nodes += 1
            self._idle = 0
        return found

    def _count(self, node: TraceNode | None, change: int) -> None:
        while node is not None:
            node.open += change
            node = node.above

    def _plan(self) -> bool:
        """Demand more inputs; False where nothing more is needed."""
        self._plans += 1
        self._alike.clear()
        self._find_access()
        for access in list(self._access.values()):
            for trace in self._open_traces(access):
                self._extend(trace)
        return self.root.open > 0

    def _find_access(self) -> None:
        """The first trace seen to each state of the model, shortest first."""
        known = {id(node) for node in self._access.values()}
        level = [self.root]
        while level and len(self._access) < self._machine.states:
            level = [node.children[key] for node in level for key in sorted(node.children, key=_by_text)]
            for node in level:
                if node.state not in self._access and id(node) not in known:
                    self._access[node.state] = node

    def _open_traces(self, access: TraceNode) -> Iterator[list[TraceNode]]:
        """The traces after an access trace at whose ends something may be left to try."""
        known = {id(node) for node in self._access.values()}
        stack: list[list[TraceNode]] = [[access]]
        while stack:
            trace = stack.pop()
            end = trace[-1]
            if id(end) in self._left or (len(trace) > 1 and id(end) in known):
                continue
            if self._done(end, self._machine.defined(end.state)):
                stack += [[*trace, end.children[key]] for key in sorted(end.children, key=_by_text, reverse=True)]
            else:
                yield trace

    def _done(self, node: TraceNode, symbols: frozenset[int]) -> bool:
        return all(node.tried.get(x, 0) >= self._repeat for x in symbols)

    def _extend(self, trace: list[TraceNode]) -> None:
        """Leave a trace alone, or try what may allow that, or try all inputs after it."""
        end = trace[-1]
        if len(trace) > 1:
            settled, wanted = self._settled([*self._access.values(), *trace[1:]])
            if settled:
                self._left.add(id(end))
                return
            if wanted:
                for node, symbol in wanted:
                    self._want(node, symbol)
                return
        for symbol in sorted(self._machine.defined(end.state)):
            self._want(end, symbol)

    def _want(self, node: TraceNode, symbol: int) -> None:
        if symbol not in node.wanted:
            node.wanted.add(symbol)
            if node.tried.get(symbol, 0) < self._repeat:
                self._count(node, 1)

    def _settled(self, nodes: list[TraceNode]) -> tuple[bool, list[tuple[TraceNode, int]]]:
        """Whether ``bound + 1`` traces are of the same state or apart, pairwise; else what may show that they are."""
        if len(nodes) <= self._bound:
            return False, []
        sure: list[set[int]] = [set() for _ in nodes]
        hopeful: list[set[int]] = [set() for _ in nodes]
        attempts: dict[Pair, list[tuple[TraceNode, int]]] = {}
        for i, j in combinations(range(len(nodes)), 2):
            one, other = nodes[i], nodes[j]
            if one.state == other.state or self.apart(one, other):
                _join(sure, i, j)
                _join(hopeful, i, j)
            elif wanted := result_of(self._telling(one, other)):
                attempts[i, j] = wanted
                _join(hopeful, i, j)
        if _clique(sure, self._bound + 1) is not None:
            return True, []
        chosen = _clique(hopeful, self._bound + 1) if attempts else None
        if chosen is None:
            return False, []
        return False, [want for pair in combinations(sorted(chosen), 2) for want in attempts.get(pair, [])]

    def apart(self, one: TraceNode, other: TraceNode) -> bool:
        """Whether the answers seen after two traces prove that they lead to different states of the system."""
        return result_of(self._seen_apart(one, other))

    def _seen_apart(self, one: TraceNode, other: TraceNode) -> Deep[bool]:
        key = (id(one), id(other))
        if key in self._apart or key in self._alike:
            return key in self._apart
        found = one.enabled is not None and other.enabled is not None and one.enabled != other.enabled
        for symbol in () if found else one.tried.keys() & other.tried.keys():
            if min(one.tried[symbol], other.tried[symbol]) < self._repeat:
                continue
            if one.outputs.get(symbol, set()) != other.outputs.get(symbol, set()):
                found = True
                break
            for output in one.outputs.get(symbol, ()):
                below1, below2 = one.children.get((symbol, output)), other.children.get((symbol, output))
                if below1 is not None and below2 is not None and (yield self._seen_apart(below1, below2)):
                    found = True
                    break
            if found:
                break
        (self._apart if found else self._alike).add(key)
        return found

    def _telling(self, one: TraceNode, other: TraceNode) -> Deep[list[tuple[TraceNode, int]]]:
        """The next inputs to try after two traces, which may show that they differ; none where nothing is left."""
        for symbol, rest in self._moves(one.state, other.state):
            missing = [(node, symbol) for node in (one, other) if node.tried.get(symbol, 0) < self._repeat]
            if missing:
                return missing
            for output in sorted(one.outputs.get(symbol, set()) & other.outputs.get(symbol, set()), key=str):
                below1, below2 = one.children.get((symbol, output)), other.children.get((symbol, output))
                if below1 is None or below2 is None or (below1.state, below2.state) not in rest:
                    continue
                if deeper := (yield self._telling(below1, below2)):
                    return deeper
        return []

    def _moves(self, one: int, other: int) -> list[Move]:
        """First what every system must answer differently, then what some answer differently; never in circles."""
        pair, found = ordered(one, other), list[Move]()
        for answers in (Answers.SOME, Answers.ALL):
            level = self._levels[answers]
            if pair not in level:
                continue
            moves = [
                (max((level[ordered(*p)] for p in rest), default=0), symbol, rest)
                for symbol, rest in separating_inputs(self._machine, one, other, self._variant, answers)
                if all(level.get(ordered(*p), level[pair]) < level[pair] for p in rest)
            ]
            found += [(symbol, rest) for _, symbol, rest in sorted(moves, key=lambda m: m[:2])]
        return found


def _by_text(key: tuple[int, object]) -> tuple[int, str]:
    return key[0], str(key[1])


def _join(edges: list[set[int]], one: int, other: int) -> None:
    edges[one].add(other)
    edges[other].add(one)


def _clique(edges: list[set[int]], size: int) -> list[int] | None:
    """A clique of ``size`` vertices, or None; those with many edges are tried first."""

    def grow(chosen: list[int], candidates: list[int]) -> list[int] | None:
        if len(chosen) == size:
            return chosen
        for number, vertex in enumerate(candidates):
            if len(chosen) + len(candidates) - number < size:
                return None
            rest = [other for other in candidates[number + 1 :] if other in edges[vertex]]
            found = grow([*chosen, vertex], rest)
            if found is not None:
                return found
        return None

    return grow([], sorted(range(len(edges)), key=lambda vertex: (-len(edges[vertex]), vertex)))
