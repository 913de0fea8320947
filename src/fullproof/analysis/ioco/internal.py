"""Internal steps of symbolic states: the model's set is closed under them, the implementation takes them one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fullproof.analysis.ioco.asking import Asking, sign_vectors
from fullproof.analysis.ioco.coding import CodedSwitch, System
from fullproof.analysis.ioco.folding import instantiate
from fullproof.analysis.ioco.nodes import Kind, Pair, State, Step
from fullproof.analysis.ioco.ranges import Ranges
from fullproof.analysis.ioco.settling import replacements
from fullproof.language.formulas import FALSE
from fullproof.language.syntax import TRUE, Expression
from fullproof.model.sts import TAU

MOST = 200
"""So many states of the model after one trace, and so many internal steps of the implementation in a row."""


@dataclass(frozen=True, slots=True)
class Move:
    """What one state may do at a gate, and when."""

    state: State
    switch: CodedSwitch
    guard: Expression


def moves(system: System, state: State, gate: str) -> list[Move]:
    """The switches of a state for a gate, without those whose guard is plainly false."""
    known = replacements(system.variables, state)
    found = [Move(state, s, instantiate(s.guard, known)) for s in system.of(state.location, gate)]
    return [move for move in found if move.guard != FALSE]


def target(system: System, move: Move) -> State:
    """Where a move leads."""
    known = replacements(system.variables, move.state)
    return State(move.switch.target, tuple(instantiate(update, known) for update in move.switch.updates))


def closed(system: System, step: Step, asking: Asking, ranges: Ranges) -> Iterator[Step]:
    """The step with all states that the model's internal steps lead to; cases in which these differ are apart."""
    waiting = [(step, step.model)]
    while waiting:
        here, fresh = waiting.pop()
        found = [move for state in fresh for move in moves(system, state, TAU)]
        plain = [move for move in found if move.guard == TRUE]
        asked = [move for move in found if move.guard != TRUE]
        if not found:
            yield here
        elif len(here.model) > MOST:
            asking.give_up(f"internal steps of {system.model.name} lead to more than {MOST} states")
        elif not asked:
            waiting.append(_followed(system, here, plain, ranges))
        else:
            base = (*here.parent.conditions, *here.conditions)
            for leaf in sign_vectors(asking, here.variables, base, [move.guard for move in asked]):
                case = replace(here, conditions=(*here.conditions, *leaf.conditions))
                taken = [*plain, *(move for move in asked if move.guard in leaf.signs)]
                waiting.append(_followed(system, case, taken, ranges))


def _followed(system: System, step: Step, taken: list[Move], ranges: Ranges) -> tuple[Step, tuple[State, ...]]:
    """The step with the states that moves lead to, and those among them that are new."""
    for move in taken:
        ranges.require(system, move.switch, step, move.state)
    reached = dict.fromkeys(target(system, move) for move in taken)
    fresh = tuple(state for state in reached if state not in step.model)
    return replace(step, model=(*step.model, *fresh)), fresh


def internal_steps(system: System, pair: Pair, asking: Asking, ranges: Ranges) -> Iterator[Step]:
    """The internal steps of the implementation, which no trace shows."""
    for move in moves(system, pair.other, TAU):
        if not asking.possible(pair.variables, (*pair.conditions, move.guard)):
            continue
        if _in_a_row(pair) >= MOST:
            asking.give_up(f"{system.model.name} takes more than {MOST} internal steps in a row")
            return
        step = Step(
            parent=pair,
            kind=Kind.INTERNAL,
            gate=TAU,
            variables=pair.variables,
            conditions=(move.guard,),
            model=pair.model,
            other=target(system, move),
        )
        ranges.require(system, move.switch, step, move.state)
        yield step


def _in_a_row(pair: Pair) -> int:
    count = 0
    while pair.step is not None and pair.step.kind is Kind.INTERNAL:
        count += 1
        pair = pair.step.parent
    return count
