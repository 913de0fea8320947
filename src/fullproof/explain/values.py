"""Values that are simpler than another one: nearer to 0, or where the model draws a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from fullproof.language.lists import EMPTY, Listed, listed
from fullproof.language.strings import text_of
from fullproof.language.syntax import Decimal, Expression, Integer, Quoted
from fullproof.language.traversal import nodes
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, StringType, Value, Variable
from fullproof.language.values import in_range

Number = int | Fraction
_HALVINGS = 6
_NEARER = 20


def numbers_in(expressions: Iterable[Expression], constants: Iterable[Value]) -> tuple[Number, ...]:
    """The numbers that occur in a model, and those beside them."""
    found: set[Number] = {value for value in constants if isinstance(value, int | Fraction) and not _is_other(value)}
    for expression in expressions:
        literals = (node for node in nodes(expression) if isinstance(node, Integer | Decimal))
        found |= {node.value for node in literals if not isinstance(node, Quoted)}
    return tuple(sorted({n + d for n in found for d in (-1, 0, 1)}))


def simpler_inputs(
    given: Mapping[str, Value], variables: Mapping[str, Variable], numbers: tuple[Number, ...]
) -> Iterator[dict[str, Value]]:
    """Inputs with one value that is simpler."""
    for name, variable in variables.items():
        if name in given:
            for value in simpler_values(given[name], variable, numbers):
                yield {**given, name: value}


def simpler_values(value: Value, variable: Variable, numbers: tuple[Number, ...]) -> Iterator[Value]:
    """Values of a variable that are simpler than ``value``, the simplest first; no chain of them is endless."""
    match variable.type:
        case BoolType():
            yield from (False,) if value is True else ()
        case EnumType(values):
            yield from values[: values.index(str(value))] if value in values else ()
        case StringType():
            yield from (text_of(""),) if value != text_of("") else ()
        case ListType():
            if isinstance(value, Listed) and value.items:
                yield EMPTY
                if len(value.items) > 1:
                    yield listed(value.items[:-1])
        case IntType() | RealType() if isinstance(value, int | Fraction):
            whole = isinstance(variable.type, IntType)
            halves = [int(value / 2**k) for k in range(_HALVINGS)] + [int(value) + (1 if value > 0 else -1)]
            # From the other side: the least value that fails may be far from 0, and is found by bisection.
            halves += [int(value) - int(value / 2**k) for k in range(1, min(abs(int(value)).bit_length(), _NEARER))]
            ends = [end for end in (variable.type.low, variable.type.high) if end is not None]
            wanted = {Fraction(n) for n in (0, *halves, *ends, *numbers) if not whole or Fraction(n).denominator == 1}
            for number in sorted(wanted, key=_size):
                exact: Value = int(number) if whole else number
                if _size(number) < _size(value) and in_range(exact, variable.type):
                    yield exact


def _size(number: Number) -> tuple[int, Fraction, bool]:
    """How far a number is from being simple: its denominator, then its distance from 0, then its sign."""
    exact = Fraction(number)
    return exact.denominator, abs(exact), exact < 0


def _is_other(value: Value) -> bool:
    """Whether a value that Python takes for a number is none: a bool, or the number of a string."""
    return isinstance(value, bool) or type(value) not in (int, Fraction)
