"""Paths from a state in the middle of a test, after the system has left the path of its purpose."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fullproof.artefacts.purposes import Criterion, SwitchLetter
from fullproof.generate.sts.exploration import Explorer, OutputPolicy, Spot
from fullproof.generate.sts.goals import goals_for
from fullproof.generate.sts.graph import SymbolicGraph
from fullproof.language.types import Value
from fullproof.model.sts import Sts

_FAR = 12
_STEPS = 200
"""Symbolic steps that one query may cost."""
_KEPT = 5000
"""Symbolic states that are kept between queries."""


class Planner:
    """Finds paths to open goals from any semantic state; results are cached."""

    def __init__(self, model: Sts, criterion: Criterion) -> None:
        self._model = model
        self._goals = goals_for(model, criterion)
        self._explorer = Explorer(SymbolicGraph(model), self._goals)

    def way(
        self, location: str, values: Mapping[str, Value], before: int | None, wanted: Collection[str]
    ) -> tuple[SwitchLetter, ...] | None:
        """The shortest path to a goal that is wanted; ``before`` is the switch taken last."""
        if len(self._explorer.graph.states) > _KEPT:
            self._explorer = Explorer(SymbolicGraph(self._model), self._goals)
        self._explorer.allowance = _STEPS
        node = self._explorer.graph.node_at(location, values)
        spot = Spot(node, before if self._goals.remembers else None)
        return self._explorer.nearest(spot, wanted.__contains__, limit=_FAR, outputs=OutputPolicy.ANY)
