"""From shortest paths to few and short purposes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fullproof.artefacts.purposes import Purpose
from fullproof.generate.sts.exploration import Explorer, OutputPolicy, Path, Spot, SwitchExploration

_DETOUR = 4
_DETOURS_TRIED = 400


def shortest_purposes(explorer: Explorer, found: SwitchExploration) -> list[Purpose]:
    """Paper 001: the shortest path to each goal, longest first, without those that add nothing."""
    purposes: list[Purpose] = []
    covered: set[str] = set()
    for path in sorted(dict.fromkeys(found.paths.values()), key=lambda path: -len(path)):
        new = [goal for goal in explorer.covered(path) if goal not in covered]
        if new:
            covered.update(new)
            purposes.append(_purpose(explorer, path, new))
    return purposes


@dataclass(frozen=True, slots=True, kw_only=True)
class Tours:
    """Purposes that cover many goals each.

    Each begins as the shortest path to the farthest goal that is left. Where a short loop on that path covers a goal
    that would cost more from a reset, it is taken; at its end the purpose continues to the nearest goal as long as that
    is no farther than from a reset, which itself costs ``reset_cost``. Neither goes through an output that the system
    may replace by another one: a longer path loses more when that happens.
    """

    explorer: Explorer
    found: SwitchExploration
    reset_cost: float
    max_length: int | None

    def purposes(self) -> list[Purpose]:
        """Cover all reached goals by few purposes."""
        left = dict(sorted(self.found.paths.items(), key=lambda item: -len(item[1])))
        purposes: list[Purpose] = []
        while left:
            path = next(iter(left.values()))
            path = self._with_detours(path, left)
            path = self._extended(path, left)
            new = [goal for goal in self.explorer.covered(path) if goal in left]
            for goal in new:
                del left[goal]
            purposes.append(_purpose(self.explorer, path, new))
        return purposes

    def _with_detours(self, path: Path, left: dict[str, Path]) -> Path:
        explorer, position = self.explorer, 0
        spots = explorer.walk(explorer.start, path)
        while spots is not None and position < len(path):
            best: Path | None = None
            covered = set(explorer.covered(path))
            for loop in self._loops(spots[position]):
                before = path[position - 1].switch if position else None
                new = [g for g in explorer.covered(loop, before=before) if g in left and g not in covered]
                if not new or len(loop) >= max(len(left[goal]) for goal in new):
                    continue
                longer = (*path[:position], *loop, *path[position:])
                if not covered <= set(explorer.covered(longer)) or self._is_too_long(longer):
                    continue
                better = best is None or (len(loop) / len(new), len(loop)) < self._price(best, before, left, covered)
                if better and explorer.walk(spots[position], (*loop, *path[position:])) is not None:
                    best = loop
            if best is None:
                position += 1
                continue
            path = (*path[:position], *best, *path[position:])
            spots = explorer.walk(explorer.start, path)
        return path

    def _price(self, loop: Path, before: int | None, left: dict[str, Path], covered: set[str]) -> tuple[float, int]:
        new = [g for g in self.explorer.covered(loop, before=before) if g in left and g not in covered]
        return len(loop) / len(new), len(loop)

    def _loops(self, spot: Spot) -> Iterator[Path]:
        """Short words from a spot that end in its location, shortest first."""
        explorer, tried = self.explorer, 0
        home = explorer.graph.states[spot.node].location
        level: list[tuple[Spot, Path]] = [(spot, ())]
        for _ in range(_DETOUR):
            following: list[tuple[Spot, Path]] = []
            for here, path in level:
                for letter, target in explorer.steps(here):
                    tried += 1
                    if tried > _DETOURS_TRIED:
                        return
                    if explorer.graph.is_doubtful(target.node) or explorer.contested(here.node, letter):
                        continue
                    longer = (*path, letter)
                    if explorer.graph.states[target.node].location == home:
                        yield longer
                    following.append((target, longer))
            level = following

    def _extended(self, path: Path, left: dict[str, Path]) -> Path:
        explorer = self.explorer
        spots = explorer.walk(explorer.start, path)
        if spots is None or any(
            explorer.contested(spot.node, letter) for spot, letter in zip(spots, path, strict=False)
        ):
            return path
        while True:
            covered = set(explorer.covered(path))
            here = explorer.walk(explorer.start, path)
            wanted = {goal for goal in left if goal not in covered}
            if not wanted or here is None:
                return path
            most = max(len(left[goal]) for goal in wanted) + self.reset_cost
            end = Spot(here[-1].node, path[-1].switch if explorer.goals.remembers else None)
            more = explorer.nearest(end, wanted.__contains__, limit=int(most), outputs=OutputPolicy.UNCONTESTED)
            if more is None or self._is_too_long((*path, *more)):
                return path
            new = [goal for goal in explorer.covered(more, before=path[-1].switch) if goal in wanted]
            if len(more) > max((len(left[goal]) for goal in new), default=0) + self.reset_cost:
                return path
            path = (*path, *more)

    def _is_too_long(self, path: Path) -> bool:
        return self.max_length is not None and len(path) > self.max_length


def _purpose(explorer: Explorer, path: Path, goals: list[str]) -> Purpose:
    doubtful = path not in explorer.certain and explorer.walk(explorer.start, path) is None
    return Purpose(letters=path, goals=tuple(goals), doubtful=doubtful)
