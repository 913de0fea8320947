"""Breadth-first search of the symbolic execution graph, until every goal has its shortest path or a bound is hit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from fullproof.artefacts.purposes import SwitchLetter
from fullproof.generate.sts.goals import Goals
from fullproof.generate.sts.graph import SymbolicGraph
from fullproof.model.sts import TAU

_CANDIDATES = 3
"""How many earlier nodes of a location are tested for containing a new one."""
_CROWD = 6
"""The containment test starts at this many nodes of one location: below that, exploring is cheaper."""
_QUESTIONS = 400
"""The limit for containment tests: each of them costs more than a step."""
_REACH = 3000
"""How many spots a search for the nearest goal may visit."""

Path = tuple[SwitchLetter, ...]


class OutputPolicy(Enum):
    """Whether a path may go through outputs that the system may replace by others."""

    UNCONTESTED = "uncontested"
    ANY = "any"


class Spot(NamedTuple):
    """A node, and the switch that led there where a goal depends on it."""

    node: int
    before: int | None = None


@dataclass(slots=True, kw_only=True)
class SwitchExploration:
    """The shortest path to each goal found, and which bound was hit, if any."""

    paths: dict[str, Path] = field(default_factory=dict)
    depth_hit: bool = False
    nodes_hit: bool = False
    steps_hit: bool = False
    merged: int = 0

    @property
    def is_exhaustive(self) -> bool:
        """Whether a goal without a path is unreachable."""
        return not (self.depth_hit or self.nodes_hit or self.steps_hit)


class Explorer:
    """Searches one graph for the goals of one criterion."""

    def __init__(self, graph: SymbolicGraph, goals: Goals) -> None:
        self.graph = graph
        self.goals = goals
        self.start = Spot(0, None)
        gates = {TAU, *(gate.name for gate in graph.model.outputs)}
        self._own = frozenset(k for k, switch in enumerate(graph.model.transitions) if switch.gate in gates)
        self.allowance = 0
        """How many more steps of the graph may be computed; cached steps are free."""
        self._questions = _QUESTIONS
        self.certain: set[Path] = set()
        """Paths that some concrete run takes, independent of the solver's answers."""
        self.cut = False
        """Whether a step was not computed because of this limit."""

    def steps(self, spot: Spot) -> Iterator[tuple[SwitchLetter, Spot]]:
        """The feasible letters, in the order of the model."""
        for switch in self.graph.switches(spot.node):
            for letter in self.goals.letters[switch]:
                target = self._successor(spot.node, letter)
                if target is not None:
                    yield letter, self.after(target, letter)

    def after(self, node: int, letter: SwitchLetter) -> Spot:
        """The spot after a letter."""
        return Spot(node, letter.switch if self.goals.remembers else None)

    def _successor(self, node: int, letter: SwitchLetter) -> int | None:
        if not self.graph.knows(node, letter):
            if self.allowance <= 0:
                self.cut = True
                return None
            self.allowance -= 1
        return self.graph.successor(node, letter)

    def explore(self, *, depth: int, most_nodes: int) -> SwitchExploration:
        """Search from the initial state; certain paths are preferred to doubtful ones."""
        found, doubtful = SwitchExploration(), dict[str, Path]()
        wanted = set(self.goals.names)
        queue: deque[tuple[Spot, Path]] = deque([(self.start, ())])
        seen, crowds, closed = {self.start}, dict[str, list[int]](), set[int]()
        while queue and wanted and not self.cut:
            spot, path = queue.popleft()
            if self._is_inside(spot.node, crowds, closed):
                found.merged += 1
                if not self.goals.remembers:
                    continue
            for letter, target in self.steps(spot):
                longer = (*path, letter)
                goal = self.goals.reached(path[-1].switch if path else None, letter)
                if goal in wanted and self.graph.is_doubtful(target.node):
                    doubtful.setdefault(goal, longer)
                elif goal in wanted:
                    wanted.discard(goal)
                    found.paths[goal] = longer
                if target in seen or spot.node in closed:
                    continue
                seen.add(target)
                found.depth_hit |= len(longer) >= depth
                found.nodes_hit |= len(self.graph.states) > most_nodes
                if len(longer) < depth and len(self.graph.states) <= most_nodes:
                    queue.append((target, longer))
        found.steps_hit = self.cut
        for goal in [goal for goal in doubtful if goal in wanted]:
            found.paths[goal] = doubtful[goal]
        return found

    def nearest(
        self, spot: Spot, is_wanted: Callable[[str], bool], *, limit: int, outputs: OutputPolicy
    ) -> Path | None:
        """The shortest certain path from a spot to a goal that is wanted, within ``limit`` letters.

        The allowance bounds what it computes, ``_REACH`` what it keeps; ``cut`` says that one of them did.
        """
        queue: deque[tuple[Spot, Path]] = deque([(spot, ())])
        seen = {spot}
        while queue:
            here, path = queue.popleft()
            for letter, target in self.steps(here):
                if self.graph.is_doubtful(target.node):
                    continue
                if outputs is OutputPolicy.UNCONTESTED and self.contested(here.node, letter):
                    continue
                before = path[-1].switch if path else here.before
                goal = self.goals.reached(before, letter)
                if goal is not None and is_wanted(goal):
                    return (*path, letter)
                if len(seen) >= _REACH:
                    self.cut = True
                    return None
                if target not in seen and len(path) + 1 < limit:
                    seen.add(target)
                    queue.append((target, (*path, letter)))
        return None

    def contested(self, node: int, letter: SwitchLetter) -> bool:
        """Whether the system may give another output or take an internal step instead.

        Then a correct system may leave the path.
        """
        others = [k for k in self.graph.switches(node) if k != letter.switch and k in self._own]
        return any(self._successor(node, SwitchLetter(other)) is not None for other in others)

    def walk(self, spot: Spot, path: Path) -> list[Spot] | None:
        """The spots along a path, or None where it cannot be walked for certain."""
        spots = [spot]
        for letter in path:
            node = self._successor(spots[-1].node, letter)
            if node is None or self.graph.is_doubtful(node):
                return None
            spots.append(self.after(node, letter))
        return spots

    def covered(self, path: Path, *, before: int | None = None) -> list[str]:
        """The goals of a path, each once."""
        found: dict[str, None] = {}
        for letter in path:
            goal = self.goals.reached(before, letter)
            if goal is not None:
                found[goal] = None
            before = letter.switch
        return list(found)

    def _is_inside(self, node: int, crowds: dict[str, list[int]], closed: set[int]) -> bool:
        """Whether an earlier node of the location contains this one, so that nothing new can follow it."""
        if node in closed:
            return True
        state = self.graph.states[node]
        crowd = crowds.setdefault(state.location, [])
        if node in crowd:
            return False
        if len(crowd) >= _CROWD and self._questions > 0:
            candidates = [k for k in crowd if self.graph.states[k].open_terms()][-_CANDIDATES:]
            self._questions -= len(candidates)
            if any(self.graph.subsumed(node, by=other) for other in candidates):
                closed.add(node)
                return True
        crowd.append(node)
        return False
