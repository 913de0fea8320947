"""Places that a breadth-first search does not reach: where values have grown as far as a guard asks for.

A search that always continues from the place that is nearest to the goal: by the gap between its values and the
condition, then by the control states on the way. It proves nothing where it finds nothing.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush

from fullproof.generate.statemachine.bridges import Bridges
from fullproof.generate.statemachine.places import Inputs, MachinePlace, Places, Word
from fullproof.generate.statemachine.pool import InputPool, scope_of
from fullproof.generate.statemachine.value_gaps import Gap, gap_of
from fullproof.language.formulas import compared, conjunction, conjuncts, links
from fullproof.language.scope import Scope
from fullproof.language.syntax import Binary, Comparison, Expression, Integer
from fullproof.language.traversal import free_names, nodes
from fullproof.language.type_inference import comparison_type, infer
from fullproof.language.types import IntType, RealType
from fullproof.model.inputs import SignalEvent

EXPANDED = 3_000
"""How many places are continued from, for all goals together."""
STUCK = 150
"""A goal is given up after so many places that are no nearer to it."""
SOLVED = 60
"""In how many places the solver is asked for an event that reaches a goal."""
ALIKE = 6
"""How many places that are equally near to a goal are continued from."""
INPUTS = 24
"""How many inputs are tried in a place."""

Run = tuple[str, str | None, tuple[int, ...]]
"""A control state, a signal and the transitions that it fires there."""
Rank = tuple[Fraction, int]


@dataclass(frozen=True, slots=True)
class FarGoal:
    """A control state with a condition on the values other than inputs."""

    state: str
    condition: Expression


def sides(condition: Expression, names: frozenset[str], scope: Scope) -> Iterator[Expression]:
    """The values next to the boundary of each comparison of numbers, on both sides, that is about some of the names
    and about no input.
    """
    inputs = {variable.name for variable in scope.variables} - names
    for atom in _comparisons(condition):
        mentioned = free_names(atom)
        if not mentioned & names or mentioned & inputs:
            continue
        if not isinstance(comparison_type(atom, scope), IntType | RealType):
            continue
        left, right = atom.operands
        yield compared(left, "==", right)
        if all(isinstance(infer(side, scope), IntType) for side in (left, right)):
            for step in _STEPS[atom.operators[0]]:
                yield compared(left, "==", Binary("+", right, Integer(step)))


_STEPS = {"<": (-1,), ">=": (-1,), ">": (1,), "<=": (1,), "==": (-1, 1), "!=": (-1, 1)}
"""Where the other side of the boundary of a comparison of whole numbers begins."""


def _comparisons(condition: Expression) -> Iterator[Comparison]:
    for node in nodes(condition):
        if isinstance(node, Comparison):
            yield from links(node)


class FarPlaces:
    """Known places with a word to each, and the search for others."""

    def __init__(self, places: Places, pool: InputPool, bridges: Bridges, known: dict[MachinePlace, Word]) -> None:
        self._places = places
        self._pool = pool
        self._bridges = bridges
        self.words = known
        self.runs: dict[Run, None] = {}
        """Runs that are possible, for the solver."""
        self._scope = scope_of(places.model)
        self._next: dict[MachinePlace, list[MachinePlace]] = {}
        self._hops: dict[str, dict[str, int]] = {}
        self._inputs = {variable.name for variable in places.model.inputs}

    def nearest(self, goal: FarGoal) -> MachinePlace | None:
        """A place where the goal holds, with its word in ``words``; None where none was found."""
        kept = [one for one in conjuncts(goal.condition) if not free_names(one) & self._inputs]
        gap = gap_of(conjunction(kept), self._scope)
        heap: list[tuple[Rank, int, int, MachinePlace]] = []
        met: set[MachinePlace] = set()
        alike: Counter[Rank] = Counter()

        def push(listed: Iterable[MachinePlace]) -> None:
            for place in listed:
                rank = self._rank(place, goal.state, gap)
                if place not in met and rank is not None and alike[rank] < ALIKE:
                    met.add(place)
                    alike[rank] += 1
                    heappush(heap, (rank, len(self.words[place]), len(met), place))

        push(list(self.words))
        best: Rank | None = None
        idle = tries = 0
        while heap and idle <= STUCK:
            rank, _, _, place = heappop(heap)
            if rank == (Fraction(0), 0):
                return place
            if rank[0] and tries < SOLVED:
                tries += 1
                push(self._jump(place, conjunction(kept)))
            best, idle = (rank, 0) if best is None or rank < best else (best, idle + 1)
            push(self._following(place))
        return None

    def _rank(self, place: MachinePlace, state: str, gap: Gap) -> Rank | None:
        """None where no transitions lead from the control state of a place to that of the goal."""
        hops = self._hops_to(state).get(place.state)
        if hops is None:
            return None
        return gap(dict(zip(self._places.memory_names, place.memory, strict=True))), hops

    def _hops_to(self, state: str) -> dict[str, int]:
        if state not in self._hops:
            before: dict[str, list[str]] = {}
            for t in self._places.model.transitions:
                before.setdefault(t.target, []).append(t.source)
            found, waiting = {state: 0}, deque([state])
            while waiting:
                here = waiting.popleft()
                for source in before.get(here, []):
                    if source not in found:
                        found[source] = found[here] + 1
                        waiting.append(source)
            self._hops[state] = found
        return self._hops[state]

    def _following(self, place: MachinePlace) -> list[MachinePlace]:
        if place not in self._next:
            if len(self._next) >= EXPANDED:
                return []
            events = (SignalEvent(s, inputs) for inputs in self._tried() for s in self._places.partition.signals)
            self._next[place] = [after for event in events if (after := self._arrived(place, event)) is not None]
        return self._next[place]

    def _tried(self) -> list[Inputs]:
        return list(self._pool.used)[:INPUTS]

    def _jump(self, place: MachinePlace, condition: Expression) -> Iterator[MachinePlace]:
        """Where one event, with inputs that the solver chooses, makes a condition true."""
        if not self._inputs:
            return
        for state, signal, transitions in self.runs:
            if state != place.state:
                continue
            event = self._bridges.event_into(place, signal, transitions, condition)
            after = None if event is None else self._arrived(place, event)
            if after is not None:
                yield after
                return

    def _arrived(self, place: MachinePlace, event: SignalEvent) -> MachinePlace | None:
        """Another place that an event leads to, with a word to it."""
        reaction = self._places.react(place, event)
        if reaction is None or reaction.state_class is None or reaction.place == place:
            return None
        self.words.setdefault(reaction.place, (*self.words[place], event))
        return reaction.place
