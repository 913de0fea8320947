"""Mutants of finite machines: outputs, targets, missing and surplus transitions, states merged and split."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from fullproof.model.fsm import Fsm
from fullproof.mutate.engine import Fault
from fullproof.mutate.fsm_faults import FAMILIES, Operator

WITHIN_DETERMINISTIC = (Operator.OUTPUT, Operator.TRANSFER, Operator.MERGE, Operator.SPLIT)
"""Faults that keep a deterministic complete machine deterministic and complete."""

_MOST_TRANSITIONS = 50_000_000
"""The limit for the transitions of all mutants together, for reasons of memory and disk space."""


class FsmFaults:
    """The faults of a finite machine.

    A machine that is deterministic and complete gets only faults that keep it so; with ``extra_states`` a state may be
    split, and one of its copies gets a fault. Splits that would exceed the extra states are left out.
    """

    def __init__(self, fsm: Fsm, *, extra_states: int = 0) -> None:
        self._bound = len(fsm.states) + extra_states
        cells = {(t.source, t.input) for t in fsm.transitions}
        plain = len(cells) == len(fsm.transitions) == len(fsm.states) * len(fsm.inputs)
        self._families = {
            operator: FAMILIES[operator]
            for operator in (WITHIN_DETERMINISTIC if plain else Operator)
            if (extra_states or operator is not Operator.SPLIT) and FAMILIES[operator].count(fsm)
        }
        if not fsm.transitions and Operator.ADD not in self._families:
            self._families = {}

    def most(self, fsm: Fsm) -> int:
        """The number of mutants that together reach the limit of transitions."""
        return _MOST_TRANSITIONS // max(1, len(fsm.transitions))

    def count(self, fsm: Fsm) -> int:
        """An upper bound on the number of faults."""
        return sum(family.count(fsm) for family in self._families.values())

    def each(self, fsm: Fsm) -> Iterator[Fault[Fsm]]:
        """All of them, operator by operator."""
        for operator, family in self._families.items():
            if operator is not Operator.SPLIT or len(fsm.states) < self._bound:
                yield from family.each(fsm)

    def pick(self, fsm: Fsm, dice: random.Random) -> Fault[Fsm] | None:
        """One at random."""
        if not self._families:
            return None
        operator = dice.choice(tuple(self._families))
        if not fsm.transitions and operator is not Operator.ADD:
            return None
        fault = self._families[operator].pick(fsm, dice)
        return None if operator is Operator.SPLIT and len(fsm.states) >= self._bound else fault

    def identity(self, fsm: Fsm) -> bytes:
        """A key that is equal for equal sets of transitions."""
        lines = sorted(repr(t[:4]) for t in fsm.transitions)
        return hashlib.blake2b("\n".join([repr(fsm.initial), *lines]).encode(), digest_size=16).digest()
