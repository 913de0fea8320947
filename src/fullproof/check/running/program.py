"""One form for models with variables: locations, edges with guards and updates, and goals to be reached.

Symbolic transition systems and state machines are both translated to it, so that what can happen in a run is decided
in one place (``outcomes.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from fullproof.language.formulas import compared
from fullproof.language.scope import Scope
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Call, Conditional, Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import IntType, ListType, RealType, StringType, Value, Variable
from fullproof.model.sts import Assignment

START = "(start)"
"""The location before the first one: its edge gives values to what has no initial value."""


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """A name for the value of an expression: what an assignment assigns."""

    variable: Variable
    expression: Expression

    @property
    def equation(self) -> Expression:
        """``name == expression``"""
        return compared(Name(self.variable.name), "==", self.expression)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Goal:
    """A condition at a location: can some run get there with values that satisfy it?

    ``parameters`` are chosen freely, ``definitions`` follow from what stands before them; ``about`` names the
    place in the model, ``shown`` maps the names that a witness shows to names of the program.
    """

    location: str
    formula: Expression
    parameters: tuple[Variable, ...] = ()
    definitions: tuple[Definition, ...] = ()
    about: str = ""
    shown: Mapping[str, str] = field(default_factory=dict)

    @property
    def formulas(self) -> list[Expression]:
        """The formula with the equations it rests on."""
        return [definition.equation for definition in self.definitions] + [self.formula]

    def witness(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The values to be shown."""
        return {label: values[name] for label, name in self.shown.items()}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProgramEdge:
    """What may happen: where the goal is met, variables take the values of the names in ``updates``.

    Edges of one ``transition`` of the model (by its number) are equivalent where it only matters whether it is ever
    taken.
    """

    goal: Goal
    target: str
    updates: Mapping[str, str]
    transition: int = -1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Program:
    """``start`` leads to the initial location; variables it does not set have initial values."""

    variables: tuple[Variable, ...]
    constants: Mapping[str, Value]
    start: ProgramEdge
    edges: tuple[ProgramEdge, ...]

    def scope(self, goals: Iterable[Goal]) -> Scope:
        """All names of the program and the goals."""
        return Scope(tuple(self.names(goals)), self.constants)

    def names(self, goals: Iterable[Goal]) -> list[Variable]:
        """The variables of the program, parameters and definitions, each once."""
        known = {variable.name: variable for variable in self.variables}
        for goal in [self.start.goal, *(edge.goal for edge in self.edges), *goals]:
            for variable in [*goal.parameters, *(definition.variable for definition in goal.definitions)]:
                known.setdefault(variable.name, variable)
        return list(known.values())


def with_names(formula: Expression, names: Mapping[str, str]) -> Expression:
    """The formula with variables replaced by the names that hold their values."""
    return substitute(formula, {old: Name(new) for old, new in names.items() if old != new})


def shown_names(labels: Mapping[str, str], formulas: Iterable[Expression]) -> dict[str, str]:
    """Of the names to be shown, those whose values the formulas refer to."""
    used = frozenset().union(*(free_names(formula) for formula in formulas))
    return {label: name for label, name in labels.items() if name in used}


def unbounded(variable: Variable, name: str, expression: Expression, variables: Mapping[str, Variable]) -> Variable:
    """A variable of the same kind for the values of an expression, which may leave the range."""
    match variable.type:
        case StringType():
            return Variable(name=name, type=StringType())
        case IntType():
            return Variable(name=name, type=IntType())
        case RealType():
            return Variable(name=name, type=RealType())
        case ListType(element=element, most=most):
            wide = IntType() if isinstance(element, IntType) and not isinstance(element, StringType) else element
            return Variable(name=name, type=ListType(wide, max(most, _longest(expression, variables))))
        case _:
            return Variable(name=name, type=variable.type)


def _longest(expression: Expression, variables: Mapping[str, Variable]) -> int:
    """The greatest length of a list that an expression computes."""
    match expression:
        case Name(name=name):
            type_ = variables[name].type
            return type_.most if isinstance(type_, ListType) else 0
        case Call(function="list", arguments=arguments):
            return len(arguments)
        case Call(function=function, arguments=(items, *_)):
            return _longest(items, variables) + (function == "append")
        case Conditional(then=then, otherwise=otherwise):
            return max(_longest(then, variables), _longest(otherwise, variables))
        case _:
            return 0


def renamed(variable: Variable, name: str) -> Variable:
    """The same variable under another name, without initial value."""
    return replace(variable, name=name, initial=None)


def at_once(
    assignments: Iterable[Assignment], variables: Mapping[str, Variable], names: Mapping[str, str], *, tag: str = ""
) -> tuple[tuple[Definition, ...], dict[str, str]]:
    """Assignments that all see the old values: definitions, and the name of each variable's new value.

    ``variables`` has parameters, too, where an assignment makes a list of them.
    """
    definitions = []
    updates = {}
    renaming = {old: Name(new) for old, new in names.items()}
    for assignment in assignments:
        variable = variables[assignment.variable]
        local = unbounded(variable, f"{assignment.variable}:={tag}", assignment.expression, variables)
        definitions.append(Definition(local, substitute(assignment.expression, renaming)))
        updates[assignment.variable] = local.name
    return tuple(definitions), updates


def in_order(
    assignments: Iterable[Assignment], variables: Mapping[str, Variable], names: Mapping[str, str], *, tag: str = ""
) -> tuple[tuple[Definition, ...], dict[str, str]]:
    """Assignments each of which sees what those before it have done."""
    definitions = []
    current = dict(names)
    counts: dict[str, int] = {}
    for assignment in assignments:
        count = counts[assignment.variable] = counts.get(assignment.variable, 0) + 1
        variable = variables[assignment.variable]
        local = unbounded(variable, f"{assignment.variable}:={tag}{count}", assignment.expression, variables)
        renaming = {old: Name(new) for old, new in current.items()}
        definitions.append(Definition(local, substitute(assignment.expression, renaming)))
        current[assignment.variable] = local.name
    return tuple(definitions), {name: new for name, new in current.items() if names.get(name, name) != new}
