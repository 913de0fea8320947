"""A sufficient condition for suites without extra states: transitions verified one after the other.

Nodes for all states of the model, the root among them, are pairwise apart, so a machine with as many states as the
model that passes has exactly their states v_q. A transition (s, i) is *verified* when what was seen after it is apart
from every v_q but that of its target: it can lead nowhere else. From then on everything seen after it was seen in that
state, which may verify further transitions. If all are verified, the machine is the model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fullproof.certify.access import cores
from fullproof.certify.answers import Evidence, Open, Proved
from fullproof.certify.machine import FlatMachine
from fullproof.certify.tree import WordTree
from fullproof.core.counted import counted
from fullproof.core.deadline import Deadline


def transitions_verified(model: FlatMachine, tree: WordTree, *, deadline: Deadline) -> Proved | Open:
    """Check the condition for the nodes that the suite suggests.

    Guarantee: complete for machines with no more states than the model. Needs: a minimal model.
    """
    reason = "windows: the suite does not reach every state"
    for core in cores(model, tree, extra=0):
        condition = TransitionCondition(model, tree, core)
        failure = condition.failure(deadline)
        if failure is None:
            return Proved(
                f"every transition is verified after those before it: complete for machines with at most "
                f"{counted(model.states, 'state')}",
                Evidence(tuple(map(tree.word, core)), tuple(condition.taken)),
            )
        reason = f"windows: {failure}"
    return Open(reason)


class TransitionCondition:
    """The condition for one choice of nodes, one for each state, the root among them."""

    def __init__(self, model: FlatMachine, tree: WordTree, core: Sequence[int]) -> None:
        self.model, self.seen = model, tree.observations()
        self.core = np.array(core, dtype=np.int32)
        self.taken: list[tuple[int, int]] = []
        # For each transition not yet verified, the states from which its target is not yet apart.
        self._open = {(s, i): self.core for s in range(model.states) for i in range(model.inputs)}

    def settle(self) -> str | None:
        """What is wrong with the nodes, or None where they are pairwise apart and everything may begin."""
        for node in self.core:
            if self.seen.first_not_apart(node, self.core) >= 0:
                return "two states are not distinguished"
        self.seen.settle(self.core)
        return None

    def failure(self, deadline: Deadline) -> str | None:
        """What is wrong, or None where all transitions can be verified one after the other."""
        wrong = self.settle()
        if wrong is not None:
            return wrong
        progress = True
        while self._open and progress:
            progress = False
            for cell in list(self._open):
                if deadline.passed():
                    return "time ran out"
                progress = self.take(*cell) or progress
        return self.left()

    def left(self) -> str | None:
        """What is missing, or None where every transition is verified."""
        return (
            f"{counted(len(self._open), 'transition is', 'transitions are')} not verified, "
            f"{next(iter(self._open))} among them"
            if self._open
            else None
        )

    def take(self, s: int, i: int) -> bool:
        """Verify a transition after those before it, if that is possible now and was not done."""
        if (s, i) not in self._open:
            return False
        edge = self.seen.edge(int(self.core[s]), i)
        if edge < 0:
            return False  # Not seen in this state yet; perhaps once more nodes are known to be this state.
        right, node = int(self.core[self.model.target[s][i]]), int(self.seen.end(edge))
        if node != right:
            open_states = self._open[s, i]
            apart = self.seen.table(np.array([node], dtype=np.int32), open_states)[0].astype(bool)
            self._open[s, i] = open_states[~apart & (open_states != right)]
            if len(self._open[s, i]):
                return False
            self.seen.redirect(edge, right)
        del self._open[s, i]
        self.taken.append((s, i))
        return True
