"""Which states can be entered from the initial one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.table import RelationTable


def reachable(relation: RelationTable) -> NDArray[np.bool_]:
    """Return for each state whether some path leads to it from state 0."""
    seen = np.zeros(relation.states, dtype=np.bool_)
    seen[0] = True
    waiting = [0]
    while waiting:
        state = waiting.pop()
        row = slice(relation.start[state * relation.inputs], relation.start[(state + 1) * relation.inputs])
        targets = relation.target[row]
        fresh = np.unique(targets[~seen[targets]])
        seen[fresh] = True
        waiting.extend(fresh.tolist())
    return seen
