"""Replanning of a test after a system of an sts has correctly left the path of its purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullproof.artefacts.purposes import SwitchLetter
from fullproof.artefacts.request import Criterion

if TYPE_CHECKING:
    from fullproof.analysis.sts_knowledge import Position
    from fullproof.analysis.sts_semantics import StsSemantics
    from fullproof.generate.sts.planner import Planner


class Replanner:
    """Finds paths to ``left``, the goals that were not covered at the start of a round of conversations."""

    def __init__(self, semantics: StsSemantics, criterion: Criterion) -> None:
        self.left: frozenset[str] = frozenset()
        self._semantics = semantics
        self._criterion = criterion
        self._planner: Planner | None = None

    def way(self, here: Position, certain: tuple[int, ...]) -> tuple[SwitchLetter, ...] | None:
        """A path to an uncovered goal, from a state that was reached by some switches."""
        if not self.left:
            return None
        if self._planner is None:
            from fullproof.generate.sts.planner import Planner

            self._planner = Planner(self._semantics.model, self._criterion)
        before = certain[-1] if certain else None
        return self._planner.way(here.location, self._semantics.given(here), before, self.left)
