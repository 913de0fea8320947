"""Test purposes of symbolic transition systems: paths of switches, and what they cover."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum

from fullproof.artefacts.request import Criterion, Values
from fullproof.language.printer import to_text
from fullproof.language.syntax import Expression
from fullproof.model.sts import Sts

__all__ = [
    "WHERE",
    "Criterion",
    "Purpose",
    "PurposeSet",
    "SwitchLetter",
    "Values",
    "Walk",
    "letter_name",
    "switch_names",
]

WHERE = " where "
"""Between the name of a switch and a condition on its values, in the letters of a purpose."""


class Walk(Enum):
    """A test without a purpose: a random walk, or a walk to what a run has tried least."""

    RANDOM = "random"
    GUIDED = "guided"


@dataclass(frozen=True, slots=True)
class SwitchLetter:
    """A switch, by its position in the model, perhaps with a condition at the edge of its guard."""

    switch: int
    condition: Expression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """A path from the initial state (paper 001, definition 16). ``doubtful`` where a solver could not decide whether it
    can be taken.
    """

    letters: tuple[SwitchLetter, ...]
    goals: tuple[str, ...] = ()
    """What it is for: the goals that no purpose before it covers."""
    doubtful: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PurposeSet:
    """Purposes with the goals they cover, and the status of the other goals."""

    criterion: Criterion
    method: str
    purposes: tuple[Purpose, ...]
    covered: tuple[str, ...]
    unreachable: tuple[str, ...] = ()
    """Proven unreachable: no run of the model covers them."""
    beyond: tuple[str, ...] = ()
    """Not found within the bounds of the search, or undecided by the solver."""
    nodes: int = 0
    """How many symbolic states were distinguished."""
    notes: tuple[str, ...] = field(default=())

    @property
    def total(self) -> int:
        """How many goals the criterion has."""
        return len(self.covered) + len(self.unreachable) + len(self.beyond)


def switch_names(model: Sts) -> tuple[str, ...]:
    """A readable name for each switch, all different: ``INIT:IREQ``, or ``SF:OFRAME/2`` where there are several."""
    plain = [f"{switch.source}:{switch.gate}" for switch in model.transitions]
    count, seen, names = Counter(plain), Counter[str](), list[str]()
    for name in plain:
        seen[name] += 1
        names.append(name if count[name] == 1 else f"{name}/{seen[name]}")
    if len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{name}#{number}" for number, name in enumerate(names, 1))


def letter_name(letter: SwitchLetter, names: tuple[str, ...]) -> str:
    """The letter as a suite file has it."""
    name = names[letter.switch]
    return name if letter.condition is None else f"{name}{WHERE}{to_text(letter.condition)}"
