"""Names that are declared and never used: often the result of a misspelling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import note, some_of
from fullproof.language.syntax import Expression
from fullproof.language.traversal import free_names
from fullproof.language.types import IntType, RealType, Value, Variable
from fullproof.model.common import Description


def names_in(description: Description, expressions: Iterable[Expression]) -> frozenset[str]:
    """All names in the expressions, the properties and the fault domain."""
    domain = description.fault_domain
    stated = [stated.formula for stated in description.properties]
    never = [part for pair in domain.excluded for part in (pair.guard, pair.output)]
    everything = [*expressions, *stated, *domain.guards, *domain.outputs, *never]
    return frozenset().union(*(free_names(expression) for expression in everything))


def unused(rule: str, plural: str, declared: Sequence[str], used: frozenset[str]) -> Iterator[Finding]:
    """A note for the declared names that occur nowhere."""
    idle = [name for name in declared if name not in used]
    if idle:
        yield note(rule, f"{plural}: {some_of(idle)}", "declared, but nothing uses it")


def unused_constants(
    description: Description, variables: Iterable[Variable], used: frozenset[str]
) -> Iterator[Finding]:
    """A note for unused constants; a bound, initial value or tolerance of the same value may come from the constant."""
    spent = {value for variable in variables for value in _numbers(variable)}
    names = [constant.name for constant in description.constants if constant.value not in spent]
    yield from unused("unused-constant", "constants", names, used)


def _numbers(variable: Variable) -> Iterator[Value]:
    if isinstance(variable.type, IntType | RealType):
        bounds = (variable.type.low, variable.type.high, variable.initial, variable.tolerance)
        yield from (bound for bound in bounds if bound is not None)
    elif variable.initial is not None:
        yield variable.initial
