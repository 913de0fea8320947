"""Internal steps of symbolic states: the model's set is closed under them, the implementation takes them one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fullproof.analysis.ioco.common_language import CodedSwitch, CodedSystem
from fullproof.analysis.ioco.nodes import HIDDEN, EventKind, PairStep, StatePair, SymbolicLocation
from fullproof.analysis.ioco.normal_form import replacements
from fullproof.analysis.ioco.questions import IocoQuestions, sign_vectors
from fullproof.analysis.ioco.ranges import Ranges
from fullproof.analysis.ioco.substitution import instantiate
from fullproof.language.formulas import FALSE
from fullproof.language.syntax import Expression
from fullproof.model.sts import TAU

MOST = 200
"""The limit for states of the model after one trace, and for consecutive internal steps of the implementation."""


@dataclass(frozen=True, slots=True)
class GateMove:
    """What one state may do at a gate, and when."""

    state: SymbolicLocation
    switch: CodedSwitch
    guard: Expression


def moves(system: CodedSystem, state: SymbolicLocation, gate: str) -> list[GateMove]:
    """The switches of a state for a gate, without those whose guard is syntactically false."""
    known = replacements(system.variables, state)
    found = [GateMove(state, s, instantiate(s.guard, known)) for s in system.of(state.location, gate)]
    return [move for move in found if move.guard != FALSE]


def target(system: CodedSystem, move: GateMove) -> SymbolicLocation:
    """Where a move leads."""
    known = replacements(system.variables, move.state)
    return SymbolicLocation(move.switch.target, tuple(instantiate(update, known) for update in move.switch.updates))


def closed(
    system: CodedSystem,
    first: StatePair,
    asking: IocoQuestions,
    ranges: Ranges,
    settle: Callable[[PairStep], Iterator[StatePair]],
) -> Iterator[StatePair]:
    """The pair with all states that the model's internal steps lead to; cases in which these differ are apart.

    Each step is brought to normal form before the next one is taken, so that equal states with few values are
    recognised.
    """
    waiting = [first]
    while waiting:
        pair = waiting.pop()
        found = [move for state in pair.model for move in moves(system, state, TAU)]
        fresh = [move for move in found if target(system, move) not in pair.model]
        possible = [m for m in fresh if asking.possible(pair.variables, (*pair.conditions, m.guard)) is not False]
        if not possible:
            yield pair
        elif len(pair.model) > MOST:
            asking.give_up(f"internal steps of {system.model.name} lead to more than {MOST} states")
        else:
            guards = [move.guard for move in possible]
            for leaf in sign_vectors(asking, pair.variables, pair.conditions, guards):
                taken = [move for move in possible if move.guard in leaf.signs]
                step = _closing(system, pair, leaf.conditions, taken)
                for move in taken:
                    ranges.require(system, move.switch, step, move.state)
                if ranges.fits(step):
                    waiting += settle(step)


def _closing(
    system: CodedSystem, pair: StatePair, conditions: tuple[Expression, ...], taken: list[GateMove]
) -> PairStep:
    return PairStep(
        parent=pair,
        kind=EventKind.CLOSING,
        gate=TAU,
        variables=pair.variables,
        conditions=conditions,
        model=tuple(dict.fromkeys((*pair.model, *(target(system, move) for move in taken)))),
        other=pair.other,
    )


def internal_steps(system: CodedSystem, pair: StatePair, asking: IocoQuestions, ranges: Ranges) -> Iterator[PairStep]:
    """The internal steps of the implementation, which no trace shows."""
    for move in moves(system, pair.other, TAU):
        if not asking.possible(pair.variables, (*pair.conditions, move.guard)):
            continue
        if _in_a_row(pair) >= MOST:
            asking.give_up(f"{system.model.name} takes more than {MOST} internal steps in a row")
            return
        step = PairStep(
            parent=pair,
            kind=EventKind.INTERNAL,
            gate=TAU,
            variables=pair.variables,
            conditions=(move.guard,),
            model=pair.model,
            other=target(system, move),
        )
        ranges.require(system, move.switch, step, move.state)
        yield step


def _in_a_row(pair: StatePair) -> int:
    count = 0
    while pair.step is not None and pair.step.kind in HIDDEN:
        count += pair.step.kind is EventKind.INTERNAL
        pair = pair.step.parent
    return count
