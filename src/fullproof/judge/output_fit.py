"""Whether some outputs satisfy an output expression: any at all, or any within the tolerance of those observed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from fullproof.language.box import Interval, Side, box_of
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Comparison, Expression, Name
from fullproof.language.types import RealType, Value, Variable
from fullproof.smt import Sat, Unknown, Unsat, open_solver

_SOLVER_TIMEOUT = 5.0


class Fit(Enum):
    """An answer of three values, since a solver may not decide."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


def possible(expression: Expression, scope: Scope, inputs: Mapping[str, Value], outputs: tuple[Variable, ...]) -> Fit:
    """Whether any outputs within their types satisfy the expression, given the inputs."""
    box = box_of(expression, scope, inputs, outputs)
    if box is not None:
        return Fit.NO if box.is_empty() else Fit.YES
    return _ask(scope, [expression, *_known(inputs)])


def fits(expression: Expression, scope: Scope, inputs: Mapping[str, Value], observed: Mapping[Variable, Value]) -> Fit:
    """Whether outputs no farther from those observed than their tolerance satisfy the expression.

    Needs: observed values of the kinds of their types.
    """
    box = box_of(expression, scope, inputs, tuple(observed))
    if box is not None:
        near = all(_near(box.sides[variable.name], variable, value) for variable, value in observed.items())
        return Fit.YES if near and not box.is_empty() else Fit.NO
    close = [_close(variable, value) for variable, value in observed.items()]
    return _ask(scope, [expression, *_known(inputs), *close])


def almost_in_range(value: Value, variable: Variable) -> bool:
    """Whether a real is out of its range by no more than the tolerance of its variable."""
    type_, tolerance = variable.type, variable.tolerance
    if not isinstance(type_, RealType) or tolerance is None or isinstance(value, bool | str):
        return False
    above = type_.low is None or type_.low - tolerance <= value
    return above and (type_.high is None or value <= type_.high + tolerance)


def _near(side: Side, variable: Variable, value: Value) -> bool:
    tolerance = variable.tolerance
    if not isinstance(side, Interval) or tolerance is None or isinstance(value, bool | str):
        return value in side
    low, high = value - tolerance, value + tolerance
    reaches = side.low is None or high > side.low or (high == side.low and not side.low_open)
    begins = side.high is None or low < side.high or (low == side.high and not side.high_open)
    return reaches and begins and not side.is_empty()


def _known(values: Mapping[str, Value]) -> list[Expression]:
    return [Comparison((Name(name), literal(value)), ("==",)) for name, value in values.items()]


def _close(variable: Variable, value: Value) -> Expression:
    name = Name(variable.name)
    if variable.tolerance is None or isinstance(value, bool | str):
        return Comparison((name, literal(value)), ("==",))
    low, high = literal(value - variable.tolerance), literal(value + variable.tolerance)
    return Comparison((low, name, high), ("<=", "<="))


def _ask(scope: Scope, conditions: Sequence[Expression]) -> Fit:
    solver = open_solver(scope, timeout=_SOLVER_TIMEOUT)
    solver.add(*conditions)
    match solver.check():
        case Sat():
            return Fit.YES
        case Unsat():
            return Fit.NO
        case Unknown():
            return Fit.UNKNOWN
