"""Values of inputs at which machines are likely to differ."""

from __future__ import annotations

from fractions import Fraction

from fullproof.language.syntax import Decimal, Integer
from fullproof.language.types import BoolType, EnumType, IntType, Value, Variable
from fullproof.language.values import in_range
from fullproof.language.walking import nodes
from fullproof.model import StateMachine

_NEAR = (Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(-1, 2))


def values_to_try(variable: Variable, model: StateMachine) -> list[Value]:
    """All values of a bool or an enum; of numbers those that the model mentions, with neighbours, and the bounds."""
    match variable.type:
        case BoolType():
            return [False, True]
        case EnumType(values=values):
            return list(values)
    type_ = variable.type
    trees = [e for t in model.transitions for e in (t.guard, *(a.expression for a in t.actions))]
    mentioned = {Fraction(n.value) for tree in trees for n in nodes(tree) if isinstance(n, Integer | Decimal)}
    mentioned |= {Fraction(c.value) for c in model.description.constants if not isinstance(c.value, bool | str)}
    mentioned |= {Fraction(bound) for bound in (type_.low, type_.high) if bound is not None}
    near = sorted({number + step for number in (mentioned or {Fraction(0)}) for step in _NEAR})
    if isinstance(type_, IntType):
        return [int(n) for n in near if n.denominator == 1 and in_range(int(n), type_)] or [type_.low or 0]
    return [n for n in near if in_range(n, type_)] or [type_.low or Fraction(0)]
