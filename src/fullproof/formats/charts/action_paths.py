"""The ways through actions with conditions: for each, what must hold before and the plain actions that follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fullproof.core.errors import UserError
from fullproof.language.formulas import opposite
from fullproof.language.limits import MAX_DEPTH
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.substitute import substitute
from fullproof.language.syntax import TRUE, Boolean, Conditional, Expression, Name
from fullproof.language.traversal import depth, free_names
from fullproof.language.types import BoolType, Value, Variable
from fullproof.model.chart import (
    Action,
    ConditionalActions,
    RaisedEvent,
    SentSignal,
    StartedTimer,
    StoppedTimer,
    is_active,
)
from fullproof.model.sts import Assignment

MOST_PATHS = 2_000


@dataclass(frozen=True, slots=True)
class ActionPath:
    """``conditions`` are about the values before; the rest happens in order."""

    conditions: tuple[Expression, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    sends: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    """Timers that run at the end, since they were started, and those that were stopped, perhaps before that."""


class PathConditions:
    """Conditions and values of a chart, where it is known which states are active."""

    def __init__(self, scope: Scope | None, states: Sequence[str]) -> None:
        asked = [Variable(name=is_active(state), type=BoolType()) for state in states]
        self._scope = None if scope is None else scope.with_variables(asked)

    def known(self, expression: Expression, active: frozenset[str]) -> Expression:
        """The expression without ``in(...)``."""
        asked = [name for name in free_names(expression) if name.startswith("in(")]
        if not asked or self._scope is None:
            return expression
        values: dict[str, Value] = {name: name[3:-1] in active for name in asked}
        return residual(expression, self._scope, values)

    def after(self, expression: Expression, values: dict[str, Expression]) -> Expression:
        """The condition before some assignments that says what it says after them."""
        found = substitute(expression, values)
        if depth(found) > MAX_DEPTH:
            raise UserError("a conditional action depends on too many assignments before it", at=expression.at)
        return found if self._scope is None else residual(found, self._scope, {})


def action_paths(actions: Sequence[tuple[Action, frozenset[str]]], conditions: PathConditions) -> Iterator[ActionPath]:
    """All ways through the actions. UserError: there are more than ``MOST_PATHS``."""
    has_cases = any(isinstance(action, ConditionalActions) for action, _ in actions)
    waiting: list[tuple[ActionPath, dict[str, Expression], Sequence[tuple[Action, frozenset[str]]]]] = []
    waiting.append((ActionPath(), {}, actions))
    count = 0
    while waiting:
        path, values, rest = waiting.pop()
        split: list[tuple[ActionPath, dict[str, Expression], Sequence[tuple[Action, frozenset[str]]]]] = []
        for position, (action, active) in enumerate(rest):
            if isinstance(action, ConditionalActions):
                plain = _as_assignment(action, active, conditions)
                if plain is None:
                    split = list(_split(path, values, action, active, rest[position + 1 :], conditions))
                    break
                action = plain
            path = _extended(path, action, active, values if has_cases else None, conditions)
        if split:
            waiting += reversed(split)
            continue
        count += 1
        if count + len(waiting) > MOST_PATHS:
            raise UserError(f"conditional actions have more than {MOST_PATHS} ways through them in one step")
        yield path


def _extended(
    path: ActionPath,
    action: Action,
    active: frozenset[str],
    values: dict[str, Expression] | None,
    conditions: PathConditions,
) -> ActionPath:
    match action:
        case Assignment():
            expression = conditions.known(action.expression, active)
            if values is not None:
                values[action.variable] = conditions.after(expression, values)
            one = action if expression is action.expression else replace(action, expression=expression)
            return replace(path, assignments=(*path.assignments, one))
        case SentSignal():
            return replace(path, sends=(*path.sends, action.signal))
        case RaisedEvent():
            return replace(path, raised=(*path.raised, action.event))
        case StartedTimer(state=str(state)) if state not in active:
            return path
        case StartedTimer() | StoppedTimer():
            starts = tuple(name for name in path.starts if name != action.timer)
            if isinstance(action, StartedTimer):
                return replace(path, starts=(*starts, action.timer))
            others = tuple(name for name in path.stops if name != action.timer)
            return replace(path, starts=starts, stops=(*others, action.timer))
        case ConditionalActions():
            raise AssertionError("split before")


def _split(
    path: ActionPath,
    values: dict[str, Expression],
    action: ConditionalActions,
    active: frozenset[str],
    rest: Sequence[tuple[Action, frozenset[str]]],
    conditions: PathConditions,
) -> Iterator[tuple[ActionPath, dict[str, Expression], Sequence[tuple[Action, frozenset[str]]]]]:
    before = path
    for condition, inner in (*action.cases, (TRUE, ())):
        found = conditions.after(conditions.known(condition, active), values)
        if found == Boolean(False) or opposite(found) in before.conditions:
            continue
        mine = before if found == TRUE or found in before.conditions else _with(before, found)
        yield mine, dict(values), [*((one, active) for one in inner), *rest]
        if mine is before:
            return
        before = _with(before, opposite(found))


def _with(path: ActionPath, condition: Expression) -> ActionPath:
    return replace(path, conditions=(*path.conditions, condition))


def _as_assignment(action: ConditionalActions, active: frozenset[str], conditions: PathConditions) -> Assignment | None:
    """One assignment that does the same, where every case assigns the same variable, once, and does nothing else."""
    variable: str | None = None
    parts: list[tuple[Expression, Expression | None]] = []
    for condition, inner in action.cases:
        if len(inner) > 1:
            return None
        one = inner[0] if inner else None
        if isinstance(one, ConditionalActions):
            one = _as_assignment(one, active, conditions)
            if one is None:
                return None
        if one is not None and (not isinstance(one, Assignment) or variable not in (None, one.variable)):
            return None
        variable = variable if one is None else one.variable
        parts.append((condition, None if one is None else one.expression))
    if variable is None:
        return None
    value: Expression = Name(variable)
    for condition, expression in reversed(parts):
        value = Conditional(condition, Name(variable) if expression is None else expression, value, at=condition.at)
    return Assignment(variable=variable, expression=value)
