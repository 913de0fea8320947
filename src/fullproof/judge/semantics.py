"""The interface between the judge and models of any kind: the states after a trace, and the allowed next steps."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, Protocol

from fullproof.artefacts.execution import Columns
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import TestInput

QUASI = frozenset({Relation.EQUIVALENCE, Relation.QUASI_REDUCTION})
"""Relations that allow any behaviour after an input that the model leaves undefined."""


class Outcome(IntEnum):
    """The results of a step other than a node, which is a number from 0."""

    REJECTED = -1
    ANYTHING = -2
    UNKNOWN = -3


class JudgedMove(NamedTuple):
    """The node reached, or an Outcome; the transitions that fit; and the reason, where it is not obvious."""

    node: int
    transitions: tuple[int, ...] = ()
    reason: str = ""


class Following(NamedTuple):
    """How many steps led to a node, the last such node, and the transitions that were certainly taken on the way."""

    done: int
    node: int
    exercised: frozenset[int]


@dataclass(frozen=True, slots=True)
class RequiredStep:
    """One continuation that an equivalent system must show.

    ``certain`` is False where its absence proves nothing: a solver could not decide whether it is possible, or it is
    too small a part of an answer of many values. ``hint`` suggests a remedy.
    """

    key: Hashable
    text: str
    certain: bool = True
    hint: str = ""
    repeatable: bool = True
    """Whether more repetitions could show it; a single value among infinitely many need never come."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a step has shown: the keys of alternatives, and the branch that it took."""

    keys: frozenset[Hashable]
    branch: Hashable


class Semantics(Protocol):
    """The observer's view of a model.

    A node is a set of states that the trace so far may have led to, given a number; 0 is the initial one.
    """

    @property
    def transitions(self) -> int:
        """How many transitions the model has."""

    @property
    def is_deterministic(self) -> bool:
        """Whether no state has two answers to an input; False where that is unclear."""

    @property
    def has_choices(self) -> bool:
        """Whether some transition leaves its output open, so that systems may have choices, too."""

    def move(self, node: int, symbol: TestInput, output: object) -> JudgedMove:
        """Follow one observed step."""

    def follow(self, steps: Columns) -> Following:
        """Follow the steps of a black box from the initial node as far as they lead to nodes."""

    def wants(self, node: int, symbol: TestInput) -> bool:
        """Whether there is anything to learn from this input here."""

    def allowed(self, node: int, symbol: TestInput) -> Sequence[str]:
        """The outputs that are allowed here, as text."""

    def leaves_choice(self, node: int, symbol: TestInput) -> bool:
        """Whether there may be several right answers here; True where that is unclear."""

    def concerned(self, node: int, symbol: TestInput) -> tuple[int, ...]:
        """The transitions that the model may take for an input here."""

    def answers(self) -> list[dict[str, tuple[str, int, int]]] | None:
        """For each node and input the output, the next node and the transition, where that is all there is to judge."""

    def offering(self, node: int, enabled: frozenset[str]) -> int:
        """The part of the node where a system may offer these inputs, or Outcome.REJECTED."""

    def offered(self, node: int) -> Sequence[Sequence[str]]:
        """The sets of inputs that a system may enable here, as text."""

    def alternatives(self, node: int, symbol: TestInput) -> Sequence[RequiredStep]:
        """Every way in which the model may answer."""

    def shown(self, node: int, symbol: TestInput, move: JudgedMove, output: object) -> Shown:
        """What a step that led from a node to another has shown."""

    def speaks_for(self, branch: Hashable, other: Hashable) -> bool:
        """Whether a system that shows the first branch must treat the second one, at the same fork, alike."""
