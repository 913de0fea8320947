"""Breadth-first through pairs of symbolic states: after every trace, the outputs of one are outputs of the other."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.analysis.ioco.answers import IocoConforms, IocoUndecided, Verdict
from fullproof.analysis.ioco.common_language import Alphabet, CodedSystem, joint_alphabet, system_of
from fullproof.analysis.ioco.internal import GateMove, closed, internal_steps, moves, target
from fullproof.analysis.ioco.nodes import EventKind, PairStep, StatePair, SymbolicLocation, expressions_of
from fullproof.analysis.ioco.normal_form import settled
from fullproof.analysis.ioco.questions import IocoQuestions, SignedCase, sign_vectors
from fullproof.analysis.ioco.ranges import Ranges
from fullproof.analysis.ioco.seen_pairs import Seen
from fullproof.analysis.ioco.silence import Quiescence, ever_silent, only_silent, silence
from fullproof.analysis.ioco.witness import IocoViolation, Witness
from fullproof.language.formulas import opposite
from fullproof.language.syntax import Expression
from fullproof.model.sts import TAU, Sts
from fullproof.smt.answers import Sat, Unknown, Unsat


def ioco(model: Sts, other: Sts, *, depth: int, timeout: float) -> Verdict:
    """Decide whether ``other`` is ioco-correct with respect to ``model`` (Tretmans 2008; paper 001, definition 2).

    Guarantee: a difference is a real one, replayed on the model with concrete values, and shortest unless some question
    stayed open; ``IocoConforms`` says that after no suspension trace of fewer than ``depth`` events can ``other`` do
    what ``model`` cannot. An input that ``other`` does not specify is ignored in stable states: it stays where it is.
    Silence is allowed where no output and no internal step is enabled (Tretmans 2008, definition 8).
    """
    alphabet = joint_alphabet(model, other)
    asking = IocoQuestions(timeout)
    search = _Search(system_of(model, alphabet), system_of(other, alphabet), alphabet, asking)
    seen = Seen(asking)
    level = list(search.start())
    for pair in level:
        seen.add(pair)
    for reached in range(depth):
        following: list[StatePair] = []
        for pair in level:  # the level grows during the loop: an internal step leads to a pair of the same level
            if asking.is_over:
                asking.late()
                return IocoUndecided(depth=reached, reasons=tuple(asking.reasons))
            for found in search.after(pair):
                if isinstance(found, IocoViolation):
                    return search.witness.shown(found, reached)
                if seen.add(found):
                    (level if _is_internal(found) else following).append(found)
        level = following
        if asking.reasons:
            search.first_open = min(search.first_open, reached)
        if not level:
            break
    if asking.reasons:
        return IocoUndecided(depth=search.first_open, reasons=tuple(asking.reasons))
    return IocoConforms(depth=None if not level else depth)


class _Search:
    """One comparison: the two systems, and what follows a pair."""

    def __init__(self, model: CodedSystem, other: CodedSystem, alphabet: Alphabet, asking: IocoQuestions) -> None:
        self.witness = Witness(model, alphabet)
        self.first_open = 1_000_000
        self._model = model
        self._other = other
        self._alphabet = alphabet
        self._asking = asking
        self._ranges = Ranges(asking)

    def start(self) -> Iterator[StatePair]:
        """Both systems in their initial states, the model after internal steps, too."""
        first = StatePair(
            variables=(),
            conditions=(),
            model=(SymbolicLocation(self._model.model.initial, self._model.start),),
            other=SymbolicLocation(self._other.model.initial, self._other.start),
        )
        yield from self._closed(first)

    def _closed(self, pair: StatePair) -> Iterator[StatePair]:
        return closed(self._model, pair, self._asking, self._ranges, self._settled)

    def after(self, pair: StatePair) -> Iterator[StatePair | IocoViolation]:
        """The successors of a pair by one event or an internal step; possible violations come first."""
        for gate in self._alphabet.outputs:
            yield from self._output(pair, gate)
        yield from self._silence(pair)
        for step in internal_steps(self._other, pair, self._asking, self._ranges):
            if self._ranges.fits(step):
                yield from self._settled(step)
        for gate in self._alphabet.inputs:
            yield from self._input(pair, gate)

    def _output(self, pair: StatePair, gate: str) -> Iterator[StatePair | IocoViolation]:
        allowed = [move for state in pair.model for move in moves(self._model, state, gate)]
        for move in moves(self._other, pair.other, gate):
            for leaf in self._leaves(pair, gate, (move.guard,), allowed):
                if not leaf.signs:
                    conditions = (*pair.conditions, move.guard, *leaf.conditions)
                    yield IocoViolation(pair, EventKind.OUTPUT, gate, conditions)
                else:
                    yield from self._stepped(pair, EventKind.OUTPUT, (move.guard,), leaf, allowed, move)

    def _input(self, pair: StatePair, gate: str) -> Iterator[StatePair]:
        specified = [move for state in pair.model for move in moves(self._model, state, gate)]
        if not specified:
            return
        taking = moves(self._other, pair.other, gate)
        # An input is ignored in stable states only: elsewhere an internal step leads to where it is taken or ignored.
        ignoring = tuple(opposite(move.guard) for move in (*taking, *moves(self._other, pair.other, TAU)))
        for move in (*taking, None):
            base = ignoring if move is None else (move.guard,)
            for leaf in self._leaves(pair, gate, base, specified):
                if leaf.signs:
                    yield from self._stepped(pair, EventKind.INPUT, base, leaf, specified, move)

    def _leaves(
        self, pair: StatePair, gate: str, base: tuple[Expression, ...], allowed: list[GateMove]
    ) -> Iterator[SignedCase]:
        variables = (*pair.variables, *self._alphabet.parameters[gate])
        together = (*pair.conditions, *base)
        if self._asking.possible(variables, together):
            yield from sign_vectors(self._asking, variables, together, [move.guard for move in allowed])

    def _stepped(
        self,
        pair: StatePair,
        kind: EventKind,
        base: tuple[Expression, ...],
        leaf: SignedCase,
        allowed: list[GateMove],
        move: GateMove | None,
    ) -> Iterator[StatePair]:
        """The pairs after a step in which the model's moves are those whose guards are true in the leaf."""
        gate = allowed[0].switch.gate
        step = PairStep(
            parent=pair,
            kind=kind,
            gate=gate,
            variables=(*pair.variables, *self._alphabet.parameters[gate]),
            conditions=(*base, *leaf.conditions),
            model=tuple(dict.fromkeys(target(self._model, m) for m in allowed if m.guard in leaf.signs)),
            other=pair.other if move is None else target(self._other, move),
        )
        mine = [(self._model, m) for m in allowed if m.guard in leaf.signs]
        for system, taken in [*mine, *([(self._other, move)] if move is not None else [])]:
            self._ranges.require(system, taken.switch, step, taken.state)
        if self._ranges.fits(step):
            for after in self._settled(step):
                yield from self._closed(after)

    def _settled(self, step: PairStep) -> Iterator[StatePair]:
        types = [v.type for _ in step.model for v in self._model.variables]
        types += [v.type for v in self._other.variables]
        assert len(types) == len(expressions_of(step))
        yield from settled(step, types, self._asking)

    def _silence(self, pair: StatePair) -> Iterator[StatePair | IocoViolation]:
        other = silence(self._other, self._alphabet, pair, pair.other, self._asking)
        model = [silence(self._model, self._alphabet, pair, state, self._asking) for state in pair.model]
        if other.hard or any(state.hard for state in model):
            yield from self._hard_silence(pair, model, other)
            return
        if not self._asking.possible(pair.variables, (*pair.conditions, other.plain)):
            return
        together = (*pair.conditions, other.plain)
        for leaf in sign_vectors(self._asking, pair.variables, together, [state.plain for state in model]):
            kept = tuple(s for s, quiet in zip(pair.model, model, strict=True) if quiet.plain in leaf.signs)
            if not kept:
                yield IocoViolation(pair, EventKind.SILENCE, "", (*together, *leaf.conditions))
            elif len(kept) < len(pair.model):  # otherwise the pair itself contains its successor
                step = PairStep(
                    parent=pair,
                    kind=EventKind.SILENCE,
                    gate="",
                    variables=pair.variables,
                    conditions=(other.plain, *leaf.conditions),
                    model=kept,
                    other=pair.other,
                )
                yield from self._settled(step)

    def _hard_silence(self, pair: StatePair, model: list[Quiescence], other: Quiescence) -> Iterator[IocoViolation]:
        """Guards from which parameters cannot be eliminated: silence is judged by quantified questions."""
        match ever_silent(self._asking, pair, other):
            case Unsat():
                return
            case Unknown(reason):
                self._asking.give_up(f"the solver could not decide whether silence is possible: {reason}")
                return
            case Sat():
                pass
        match only_silent(self._asking, pair, model, other):
            case Sat(values):
                yield IocoViolation(pair, EventKind.SILENCE, "", pair.conditions, values=values)
            case Unknown(reason):
                self._asking.give_up(f"the solver could not decide whether silence is allowed: {reason}")
            case Unsat():
                if len(pair.model) > 1:
                    places = ", ".join(state.location for state in pair.model)
                    text = f"which of the states {places} is silent cannot be decided without quantifiers"
                    self._asking.give_up(text)


def _is_internal(pair: StatePair) -> bool:
    """Whether a pair results from an internal step of the implementation: the model's set was closed before."""
    return pair.step is not None and pair.step.kind is EventKind.INTERNAL
