"""A sufficient condition for suites without extra states: transitions verified one after the other.

Nodes for all states of the model, the root among them, are pairwise apart, so a machine with as many states as the
model that passes has exactly their states v_q. A transition (s, i) is *verified* when what was seen after it is apart
from every v_q but that of its target: it can lead nowhere else. From then on everything seen after it was seen in that
state, which may verify further transitions. If all are verified, the machine is the model.
"""

from __future__ import annotations

import numpy as np

from fullproof.certify.access import cores
from fullproof.certify.answers import Open, Proved
from fullproof.certify.kernels.observations import ApartNodes
from fullproof.certify.machine import FlatMachine
from fullproof.certify.tree import IntArray, WordTree
from fullproof.core.deadline import Deadline


def transitions_verified(model: FlatMachine, tree: WordTree, *, deadline: Deadline) -> Proved | Open:
    """Check the condition for the nodes that the suite suggests.

    Guarantee: complete for machines with no more states than the model. Needs: a minimal model.
    """
    reason = "windows: the suite does not reach every state"
    for core in cores(model, tree, extra=0):
        failure = _failure(model, tree.observations(), np.array(core, dtype=np.int32), deadline)
        if failure is None:
            return Proved(
                f"every transition is verified after those before it: complete for machines with at most "
                f"{model.states} states"
            )
        reason = f"windows: {failure}"
    return Open(reason)


def _failure(model: FlatMachine, seen: ApartNodes, core: IntArray, deadline: Deadline) -> str | None:
    for node in core:
        if seen.first_not_apart(node, core) >= 0:
            return "two states are not distinguished"
    seen.settle(core)
    # For each transition not yet verified, the states from which its target is not yet apart.
    cells = {(s, i): core for s in range(model.states) for i in range(model.inputs)}
    progress = True
    while cells and progress:
        progress = False
        for (s, i), open_states in list(cells.items()):
            if deadline.passed():
                return "time ran out"
            edge = seen.edge(int(core[s]), i)
            if edge < 0:
                continue  # Not seen in this state yet; perhaps once more nodes are known to be this state.
            right, node = int(core[model.target[s][i]]), int(seen.end(edge))
            if node != right:
                apart = seen.table(np.array([node], dtype=np.int32), open_states)[0].astype(bool)
                cells[s, i] = open_states[~apart & (open_states != right)]
                if len(cells[s, i]):
                    continue
                seen.redirect(edge, right)
            del cells[s, i]
            progress = True
    return None if not cells else f"{len(cells)} transitions are not verified, {next(iter(cells))} among them"
