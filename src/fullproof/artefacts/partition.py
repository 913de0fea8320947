"""Equivalence class partitions of SysML state machines: paper 003, Definition 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from fullproof.language.formulas import conjunction
from fullproof.language.syntax import Expression
from fullproof.language.types import Value

ENDLESS = "the classes split without end by the values"
"""How the doubt about a partition begins whose classes have no end, since values grow without end."""


@dataclass(frozen=True, slots=True)
class StateClass:
    """Quiescent states: a control state, its quiescence condition, and conditions on attributes other than inputs."""

    state: str
    quiescent: Expression
    literals: tuple[Expression, ...] = ()

    @property
    def condition(self) -> Expression:
        """The conjunction of all parts."""
        return conjunction([self.quiescent, *self.literals])


@dataclass(frozen=True, slots=True)
class TriggerCondition:
    """A condition on the values once the inputs have changed; ``parts`` numbers its piece for each control state."""

    literals: tuple[Expression, ...]
    parts: tuple[int, ...] = ()

    @property
    def condition(self) -> Expression:
        """The conjunction of all parts."""
        return conjunction(self.literals)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassPartition:
    """State classes and trigger conditions; a trigger class is a signal, or none, with one of the conditions.

    ``nominal``: how many combinations of pieces there are, satisfiable or not. ``doubts``: why the partition may not
    satisfy Definition 1: a bound that was reached, or a query that the solver left undecided.
    """

    states: tuple[StateClass, ...]
    triggers: tuple[TriggerCondition, ...]
    signals: tuple[str | None, ...]
    nominal: int
    rounds: int
    doubts: tuple[str, ...] = ()


class Case(Enum):
    """The cases of Definition 1, condition 4, and the case that none of them holds."""

    NEVER = "4a"
    STAYS = "4b"
    RUNS = "4c"
    BROKEN = "broken"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassPair:
    """A state class and a trigger class: which case holds, and where it leads (4b, 4c)."""

    state: int
    trigger: int
    signal: str | None
    case: Case
    transitions: tuple[int, ...] = ()
    target: int | None = None
    witness: Mapping[str, Value] | None = None
    """Values before; those of the inputs after the change are under their names, the old ones under ``x@old``."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Justification:
    """The result of a check of Definition 1, pair by pair; ``failures`` are violations of conditions 1, 2, 3 and 5."""

    pairs: tuple[ClassPair, ...]
    failures: tuple[str, ...]
    unknown: tuple[str, ...]
    calls: int

    @property
    def holds(self) -> bool | None:
        """Whether Definition 1 holds: None where the solver left something open."""
        if self.failures or any(pair.case is Case.BROKEN for pair in self.pairs):
            return False
        return None if self.unknown or any(pair.case is Case.UNKNOWN for pair in self.pairs) else True


def is_endless(partition: ClassPartition) -> bool:
    """Whether values grow without end, so that there is no finite partition."""
    return len(partition.doubts) == 1 and partition.doubts[0].startswith(ENDLESS)
