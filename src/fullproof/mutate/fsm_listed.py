"""Mutants of finite machines with faults from a list: which transitions may do what instead."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

from fullproof.model.fsm import Fsm, FsmTransition
from fullproof.mutate.engine import Fault
from fullproof.mutate.fsm import FsmFaults


class AlternativeFaults(FsmFaults):
    """``listed``: transitions that may take the place of that of the model with the same source and input.

    A mutant of order k has k wrong transitions.
    """

    def __init__(self, fsm: Fsm, listed: Sequence[FsmTransition]) -> None:
        super().__init__(fsm)
        self._original = {(t.source, t.input): t for t in fsm.transitions}
        self._listed = list(listed)

    def count(self, fsm: Fsm) -> int:  # noqa: ARG002  # the list is that of the original
        """An upper bound on the number of faults."""
        return len(self._listed)

    def each(self, fsm: Fsm) -> Iterator[Fault[Fsm]]:
        """All of them, for transitions that are still right."""
        current = {(t.source, t.input): t for t in fsm.transitions}
        for wrong in self._listed:
            if current[wrong.source, wrong.input] == self._original[wrong.source, wrong.input]:
                yield self._fault(fsm, wrong)

    def pick(self, fsm: Fsm, dice: Random) -> Fault[Fsm] | None:
        """One at random."""
        if not self._listed:
            return None
        wrong = dice.choice(self._listed)
        right = self._original[wrong.source, wrong.input]
        return self._fault(fsm, wrong) if right in fsm.transitions else None

    def _fault(self, fsm: Fsm, wrong: FsmTransition) -> Fault[Fsm]:
        right = self._original[wrong.source, wrong.input]
        operator = "transfer" if right.output == wrong.output else "output" if right.target == wrong.target else "both"
        where = f"{right.source} --{right.input}/{right.output}--> {right.target}"
        return Fault(operator, f"{where}: /{wrong.output}--> {wrong.target}", partial(_replaced, fsm, right, wrong))


def _replaced(fsm: Fsm, right: FsmTransition, wrong: FsmTransition) -> Fsm:
    outputs = fsm.outputs if wrong.output in fsm.outputs else (*fsm.outputs, wrong.output)
    transitions = tuple(wrong if t == right else t for t in fsm.transitions)
    return dataclasses.replace(fsm, outputs=outputs, transitions=transitions, lines=())
