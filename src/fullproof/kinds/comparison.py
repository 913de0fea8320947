"""Comparisons of models: requests and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias, TypeVar

from fullproof.artefacts.replies import CompareReply
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import TestInput, json_input, json_value
from fullproof.core.errors import NOWHERE, Place

DEPTH = 20
"""The default bound on the events of a trace."""

M_contra = TypeVar("M_contra", contravariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The request for comparisons. The kind defines ``depth`` and ``timeout``; None is its default."""

    relation: Relation
    properties: tuple[str, ...] = ()
    depth: int = DEPTH
    timeout: float | None = None


class Compared(Protocol):
    """The answer of ``compare``."""

    @property
    def conforms(self) -> bool | None:
        """Whether the other model conforms; None where that stayed open."""

    def reply(self) -> CompareReply:
        """The answer as JSON has it."""

    def lines(self, model: str, other: str) -> list[str]:
        """The answer as lines of text."""


class Conformance(Protocol[M_contra]):
    """Decides for many other models whether they conform to one."""

    def compare(self, other: M_contra, *, at: Place = NOWHERE) -> Compared:
        """Compare one model, whose file is ``at``; a difference is a shortest one where that is decidable."""

    def conforms(self, other: M_contra) -> bool | None:
        """The same without a difference to show, which may be faster."""
        return self.compare(other).conforms


Seen: TypeAlias = str | Mapping[str, object]
"""An answer: a symbol, or values by name and, of a state machine, the signals sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A shortest counterexample to conformance."""

    inputs: tuple[TestInput, ...]
    """The whole word, whose last input shows the difference."""
    outputs: tuple[Seen, ...]
    """The common outputs of both machines for all inputs but the last."""
    observed: Seen | None
    """The other machine's answer to the last input, where it has one."""
    allowed: tuple[str, ...]
    """The model's answers to the last input."""
    reason: str
    missing: TestInput | None = None
    """An answer of a symbolic model that the other machine never gives to the last input."""


class Judged:
    """A model conforms unless a difference was found; while questions are open without one, that stays open."""

    __slots__ = ()
    difference: object | None
    undecided: Sequence[str]

    @property
    def conforms(self) -> bool | None:
        """Whether the other model conforms; None where that stayed open."""
        if self.difference is not None:
            return False
        return None if self.undecided else True


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineComparison(Judged):
    """The answer for machines that answer each input."""

    relation: Relation
    difference: Difference | None
    undecided: str = ""
    """The formula that a solver could not decide, where that leaves the answer open."""
    proof: str = ""
    """How equivalence was shown, where there is more than one way."""

    def reply(self) -> CompareReply:
        """The answer as JSON has it."""
        difference = self.difference
        return CompareReply(
            relation=self.relation.value,
            conforms=self.conforms,
            counterexample=None
            if difference is None
            else {
                "inputs": [json_input(symbol) for symbol in difference.inputs],
                "outputs": [_json(seen) for seen in difference.outputs],
                "observed": None if difference.observed is None else _json(difference.observed),
                "allowed": list(difference.allowed),
                "reason": difference.reason,
                **({"missing": json_input(difference.missing)} if difference.missing is not None else {}),
            },
            undecided=self.undecided or None,
            proof=self.proof or None,
        )

    def lines(self, model: str, other: str) -> list[str]:
        """The answer as lines of text."""
        from fullproof.judge.oracle import text_of

        relation, difference = self.relation.value, self.difference
        if self.conforms is None:
            return [f"whether {other} conforms to {model} ({relation}) stays open: {self.undecided}"]
        if difference is None:
            shown = f", shown by {self.proof}" if self.proof else ""
            return [f"{other} conforms to {model} ({relation}){shown}"]
        last = "-" if difference.observed is None else text_of(difference.observed)
        answers = [*map(text_of, difference.outputs), last]
        between = " " if all(isinstance(symbol, str) for symbol in difference.inputs) else "; "
        violation = self.relation is Relation.PROPERTY
        missing = [] if difference.missing is None else [f"missing:  {text_of(difference.missing)}"]
        return [
            f"{other} does not conform to {model} ({relation}): {difference.reason}",
            f"inputs:   {between.join(map(text_of, difference.inputs))}",
            f"outputs:  {between.join(answers)}",
            *missing,
            *([] if violation else [f"allowed at the last input: {' or '.join(difference.allowed) or 'nothing'}"]),
        ]


def _json(seen: Seen) -> object:
    if isinstance(seen, str):
        return seen
    return {name: json_value(value) if isinstance(value, Fraction) else value for name, value in seen.items()}
