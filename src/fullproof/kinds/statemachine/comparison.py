"""State machine against state machine."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import Test
from fullproof.core.counted import counted
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.kinds.comparison import Asked, Conformance, Difference, MachineComparison
from fullproof.language.printer import type_to_text
from fullproof.language.types import EnumType, Variable
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent

if TYPE_CHECKING:
    from fullproof.analysis.machine_pairs.concrete_play import ShownDifference, Word

_SECONDS = 60.0
"""Seconds for one machine: half of them for a proof, the rest for a search."""


class StateMachineConformance(Conformance[StateMachine]):
    """Decides whether other machines are equivalent to a model, as far as it can be decided.

    Equivalent: after every sequence of events that the model answers, the other machine answers alike. Where the model
    goes wrong (a value leaves its range, a choice point has no way out), the other machine may do anything. First a
    proof is tried, then a breadth-first search for a shortest difference, which may end because all pairs are visited.
    Needs: a deterministic model; a fork that the search meets is a UserError. Tolerances are ignored.
    """

    def __init__(self, model: StateMachine, asked: Asked) -> None:
        self.model = model
        self._depth = asked.depth
        self._seconds = _SECONDS if asked.timeout is None else asked.timeout
        self._words: list[Word] = []
        self._walks: list[Word] | None = None

    def compare(self, other: StateMachine, *, at: Place = NOWHERE) -> MachineComparison:
        """Compare one machine, whose file is ``at``; a difference is a shortest one unless a question stayed open."""
        from fullproof.analysis.machine_pairs.concrete_play import Playing, ShownDifference
        from fullproof.analysis.machine_pairs.pair_formulas import MachinePairing
        from fullproof.analysis.machine_pairs.proof import Proven, prove
        from fullproof.analysis.machine_pairs.search import Exhausted, Nondeterministic, search

        require_same_interface(self.model, other, at=at)
        pairing = MachinePairing(self.model, other)
        began = time.monotonic()
        proof = prove(pairing, seconds=self._seconds / 2)
        if isinstance(proof, Proven):
            shown = f"a bisimulation over {proof.pairs} pair{'s' * (proof.pairs > 1)} of control states"
            return MachineComparison(relation=Relation.EQUIVALENCE, difference=None, proof=shown)
        left = self._seconds - (time.monotonic() - began)
        match search(pairing, Playing(self.model, other), depth=self._depth, seconds=left):
            case ShownDifference() as found:
                self._words.append(found.word)
                return MachineComparison(relation=Relation.EQUIVALENCE, difference=_difference(found))
            case Exhausted(nodes=nodes):
                proof_text = f"all {nodes:,} pairs of symbolic states that can be reached"
                return MachineComparison(relation=Relation.EQUIVALENCE, difference=None, proof=proof_text)
            case Nondeterministic(word=word):
                text = "; ".join(map(_text, word))
                raise UserError(
                    f"{self.model.name} is nondeterministic after {text}: deterministic state machines are compared"
                )
            case searched:
                undecided = f"no difference within {counted(searched.depth, 'event')}, and no proof; {searched.reason}"
                return MachineComparison(relation=Relation.EQUIVALENCE, difference=None, undecided=undecided)

    def conforms(self, other: StateMachine) -> bool | None:
        """The same without a difference to show: words that distinguished other machines are tried first."""
        return False if self.is_distinguished(other) else self.compare(other).conforms

    def remember(self, test: Test) -> None:
        """Keep a test that distinguished some machine: it may distinguish others."""
        self._words.append(tuple(event for event in test.inputs if isinstance(event, SignalEvent)))

    def is_distinguished(self, other: StateMachine) -> bool:
        """Whether known words or random words show a difference."""
        from fullproof.analysis.machine_pairs.concrete_play import Playing
        from fullproof.analysis.machine_pairs.random_words import walks

        playing = Playing(self.model, other)
        if self._walks is None:
            self._walks = walks(self.model, random.Random(0))
        if any(playing.difference(word) is not None for word in self._words):
            return True
        found = (playing.difference(word) for word in self._walks)
        if (shown := next((one for one in found if one is not None), None)) is not None:
            self._words.append(shown.word)
        return shown is not None


def require_same_interface(model: StateMachine, other: StateMachine, *, at: Place = NOWHERE) -> None:
    """Raise a UserError where the machines cannot be given the same events, or do not show the same outputs."""
    for what, mine, theirs in (
        ("input signals", model.signals_in, other.signals_in),
        ("output signals", model.signals_out, other.signals_out),
    ):
        if set(mine) != set(theirs):
            raise UserError(f"has other {what} than {model.name}: {_names(theirs)} instead of {_names(mine)}", at=at)
    for noun, one, two in (("inputs", model.inputs, other.inputs), ("outputs", model.outputs, other.outputs)):
        names, others = [v.name for v in one], [v.name for v in two]
        if set(names) != set(others):
            raise UserError(f"has other {noun} than {model.name}: {_names(others)} instead of {_names(names)}", at=at)
        known = {v.name: v for v in two}
        for variable in one:
            _require_same_type(variable, known[variable.name], model, at)


def _require_same_type(variable: Variable, other: Variable, model: StateMachine, at: Place) -> None:
    """Types agree up to ranges."""
    same = type(variable.type) is type(other.type)
    if not same or (isinstance(variable.type, EnumType) and variable.type != other.type):
        types = f"{type_to_text(other.type)} instead of {type_to_text(variable.type)}"
        raise UserError(f"{variable.name} has another type than in {model.name}: {types}", at=at)


def _names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _difference(found: ShownDifference) -> Difference:
    return Difference(
        inputs=found.word,
        outputs=found.answers,
        observed=found.observed,
        allowed=(_text(found.expected),),
        reason=found.reason,
    )


def _text(shown: object) -> str:
    from fullproof.judge.oracle import text_of

    return text_of(shown)
