"""Where to go from a state in the middle of a test, when the system has left the path of its purpose."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fullproof.artefacts.purposes import Criterion, Letter
from fullproof.generate.sts.exploring import Explorer, Outputs, Spot
from fullproof.generate.sts.goals import goals_for
from fullproof.generate.sts.graph import SymbolicGraph
from fullproof.language.types import Value
from fullproof.model.sts import Sts

_FAR = 12


class Planner:
    """Finds ways to goals that are left, from any semantic state; what it has computed, it keeps."""

    def __init__(self, model: Sts, criterion: Criterion) -> None:
        self._graph = SymbolicGraph(model)
        self._explorer = Explorer(self._graph, goals_for(model, criterion))

    def way(
        self, location: str, values: Mapping[str, Value], before: int | None, wanted: Collection[str]
    ) -> tuple[Letter, ...] | None:
        """The shortest path to a goal that is wanted; ``before`` is the switch taken last."""
        spot = Spot(self._graph.node_at(location, values), before if self._explorer.goals.remembers else None)
        return self._explorer.nearest(spot, wanted.__contains__, limit=_FAR, outputs=Outputs.ANY)
