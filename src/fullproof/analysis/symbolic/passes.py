"""Whether a symbolic machine passes a test, exactly: over all its behaviours, not a sample of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.analysis.conformance import ANYTHING_GOES
from fullproof.analysis.symbolic.common_scope import Paired, VocabularyMachine
from fullproof.analysis.symbolic.conditions import OpenQuestion
from fullproof.analysis.symbolic.product import States, after
from fullproof.artefacts.request import Relation
from fullproof.language.types import Value
from fullproof.smt import Sat, Unknown

Input: TypeAlias = Mapping[str, Value]
_Pair: TypeAlias = tuple[States, States]


@dataclass(frozen=True, slots=True)
class Passed:
    """No behaviour is refused, and none is missing."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The step, from 0, at which a behaviour is refused or missing."""

    step: int


Judged: TypeAlias = Passed | Failed | OpenQuestion


@dataclass(slots=True)
class _Outcome:
    """One input to a pair of sets of states."""

    fails: bool = False
    open: OpenQuestion | None = None
    following: tuple[_Pair, ...] = ()


class Passing:
    """The tests of one machine, with results of earlier tests cached.

    Outputs must be allowed; for equivalence all those that the model allows must occur (Definition 4 of paper 000 for
    the finest alphabet); for quasi-reduction and strong reduction there must be one where the model has one. Where a
    state that the model may be in admits the input by no guard, the test is over for equivalence and quasi-reduction.
    Needs: the complete testing assumption, which makes all behaviours visible.
    """

    def __init__(self, paired: Paired, relation: Relation) -> None:
        self._paired = paired
        self._relation = relation
        self._conditions = paired.conditions
        self._known: dict[tuple[States, States, int], _Outcome] = {}

    def judge(self, word: Sequence[Input]) -> Judged:
        """Judge a test. It fails where some step certainly does, even if another stays open."""
        pairs: set[_Pair] = {(frozenset({self._paired.model.initial}), frozenset({self._paired.other.initial}))}
        doubt: OpenQuestion | None = None
        for step, inputs in enumerate(word):
            following: set[_Pair] = set()
            for pair in sorted(pairs, key=_order):
                outcome = self._outcome(pair, inputs)
                if outcome.fails:
                    return Failed(step)
                doubt = doubt or outcome.open
                following.update(outcome.following)
            pairs = following
        return doubt or Passed()

    def _outcome(self, pair: _Pair, inputs: Input) -> _Outcome:
        given = self._conditions.values(inputs)
        key = (*pair, given)
        if key not in self._known:
            self._known[key] = self._first_outcome(pair, inputs, given)
        return self._known[key]

    def _first_outcome(self, pair: _Pair, inputs: Input, given: int) -> _Outcome:
        mine, theirs = pair
        model, other = self._paired.model, self._paired.other
        if self._relation in ANYTHING_GOES and not all(self._admits(model, state, inputs) for state in mine):
            return _Outcome()
        own, their = self._enabled(model, mine, inputs), self._enabled(other, theirs, inputs)
        questions = [(frozenset({given, predicate}), own) for predicate in sorted(their - own)]
        if self._relation is Relation.EQUIVALENCE:
            questions += [(frozenset({given, predicate}), their) for predicate in sorted(own - their)]
        doubt = None
        for true, false in questions:
            match self._conditions.ask(true, false):
                case Sat():
                    return _Outcome(fails=True)
                case Unknown(reason):
                    doubt = self._conditions.open_question(true, false, reason)
        if self._relation in (Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION):
            silent = self._silent(own, their, given)
            if silent is True:
                return _Outcome(fails=True)
            doubt = doubt or (silent if isinstance(silent, OpenQuestion) else None)
        cells = self._conditions.cells(frozenset({given}), own, their)
        reached = {(after(model, mine, c.holding), after(other, theirs, c.holding)) for c in cells.cells}
        return _Outcome(open=doubt or cells.open, following=tuple(reached))

    def _silent(self, own: frozenset[int], their: frozenset[int], given: int) -> bool | OpenQuestion:
        """Whether the model answers the input and the other machine does not."""
        theirs = [self._conditions.ask(frozenset({given, predicate}), frozenset()) for predicate in sorted(their)]
        if any(isinstance(answer, Sat) for answer in theirs):
            return False
        mine = [self._conditions.ask(frozenset({given, predicate}), frozenset()) for predicate in sorted(own)]
        for answer in (*theirs, *mine):
            if isinstance(answer, Unknown):
                return self._conditions.open_question(own | their | {given}, (), answer.reason)
        return any(isinstance(answer, Sat) for answer in mine)

    def _admits(self, machine: VocabularyMachine, state: str, inputs: Input) -> bool:
        return any(self._conditions.holds(step.guard, inputs) for step in machine.rows[state])

    def _enabled(self, machine: VocabularyMachine, states: States, inputs: Input) -> frozenset[int]:
        steps = machine.steps(states)
        return frozenset(step.predicate for step in steps if self._conditions.holds(step.guard, inputs))


def _order(pair: _Pair) -> tuple[list[str], list[str]]:
    return sorted(pair[0]), sorted(pair[1])
