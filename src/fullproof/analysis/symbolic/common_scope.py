"""Two symbolic machines over one scope, so that one query can refer to transitions of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from fullproof.analysis.symbolic.conditions import Conditions
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.language.printer import type_to_text
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import Comparison, Expression, Name
from fullproof.language.types import IntType, RealType, Type, Value, Variable
from fullproof.model.sfsm import Sfsm

_TIMEOUT = 10.0

Number = TypeVar("Number")


@dataclass(frozen=True, slots=True)
class NumberedTransition:
    """A transition: the numbers of its guard and of guard and output together, and where it leads."""

    guard: int
    predicate: int
    target: str
    transition: int
    """Its position in the machine."""


@dataclass(frozen=True, slots=True)
class VocabularyMachine:
    """A symbolic machine in a vocabulary."""

    initial: str
    rows: Mapping[str, tuple[NumberedTransition, ...]]

    def steps(self, states: Iterable[str]) -> list[NumberedTransition]:
        """All transitions that leave these states."""
        return [step for state in sorted(states) for step in self.rows[state]]


@dataclass(frozen=True, slots=True)
class Paired:
    """A model and another machine in one vocabulary."""

    model: VocabularyMachine
    other: VocabularyMachine
    conditions: Conditions
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]


class Pairing:
    """Pairs a model with other machines, one after the other; answers of the solver are cached."""

    def __init__(self, model: Sfsm, *, timeout: float | None = _TIMEOUT) -> None:
        self._model = model
        self._timeout = timeout
        self._constants = {constant.name: constant.value for constant in model.description.constants}
        self._known: dict[Scope, Conditions] = {}

    def paired(self, other: Sfsm, *, at: Place = NOWHERE) -> Paired:
        """Number the transitions of both machines alike.

        Needs: the same inputs and outputs, of the same kinds. Ranges may differ: inputs are those of the model, outputs
        those of either machine. Tolerances are ignored: both machines are exact.
        """
        try:
            inputs = _matched(self._model.inputs, other.inputs, "input", lambda mine, _: mine)
            outputs = _matched(self._model.outputs, other.outputs, "output", _hull)
        except UserError as error:
            raise UserError(error.message, at=at) from None
        scope = self._model.scope_with(inputs + outputs)
        if scope not in self._known:
            self._known[scope] = Conditions(scope, timeout=self._timeout)
        conditions = self._known[scope]
        return Paired(
            model=_machine(self._model, conditions, self._constants),
            other=_machine(other, conditions, self._constants),
            conditions=conditions,
            inputs=inputs,
            outputs=outputs,
        )


def _matched(
    mine: tuple[Variable, ...], theirs: tuple[Variable, ...], what: str, joined: Callable[[Type, Type], Type]
) -> tuple[Variable, ...]:
    others = {variable.name: variable for variable in theirs}
    if {variable.name for variable in mine} != others.keys():
        one, two = (", ".join(sorted(v.name for v in side)) or "none" for side in (mine, theirs))
        raise UserError(f"the machines have different {what}s: {one} and {two}")
    found = []
    for variable in mine:
        type_, other = variable.type, others[variable.name].type
        if type(type_) is not type(other) or not (isinstance(type_, IntType | RealType) or type_ == other):
            raise UserError(
                f"{what} {variable.name} is {type_to_text(type_)} in the model and {type_to_text(other)} in the other"
                " machine; they must be of one type, only ranges may differ"
            )
        found.append(Variable(name=variable.name, type=joined(type_, other)))
    return tuple(found)


def _hull(one: Type, two: Type) -> Type:
    match one, two:
        case IntType(), IntType():
            return IntType(_outer(min, one.low, two.low), _outer(max, one.high, two.high))
        case RealType(), RealType():
            return RealType(_outer(min, one.low, two.low), _outer(max, one.high, two.high))
    return one


def _outer(choose: Callable[[Number, Number], Number], one: Number | None, two: Number | None) -> Number | None:
    return None if one is None or two is None else choose(one, two)


def _machine(machine: Sfsm, conditions: Conditions, constants: Mapping[str, Value]) -> VocabularyMachine:
    own = {c.name: c.value for c in machine.description.constants}
    # A constant that the model does not have, or has with another value or type, is replaced by its value.
    foreign = {
        name: literal(value)
        for name, value in own.items()
        if name not in constants or (type(constants[name]), constants[name]) != (type(value), value)
    }
    types = {variable.name: variable.type for variable in conditions.scope.variables}
    accepted = [bound for variable in machine.inputs for bound in _tighter(variable, types[variable.name])]
    produced = [bound for variable in machine.outputs for bound in _tighter(variable, types[variable.name])]
    rows: dict[str, list[NumberedTransition]] = {state: [] for state in machine.states}
    for k, t in enumerate(machine.transitions):
        guard = conjunction([substitute(t.guard, foreign), *accepted])
        predicate = conjunction([guard, substitute(t.output, foreign), *produced])
        rows[t.source].append(NumberedTransition(conditions.number(guard), conditions.number(predicate), t.target, k))
    return VocabularyMachine(machine.initial, {state: tuple(row) for state, row in rows.items()})


def _tighter(variable: Variable, type_: Type) -> list[Expression]:
    """What a machine demands of a variable beyond its type in the scope."""
    own = variable.type
    if not isinstance(own, IntType | RealType) or not isinstance(type_, IntType | RealType):
        return []
    found: list[Expression] = []
    if own.low is not None and own.low != type_.low:
        found.append(Comparison((literal(own.low), Name(variable.name)), ("<=",)))
    if own.high is not None and own.high != type_.high:
        found.append(Comparison((Name(variable.name), literal(own.high)), ("<=",)))
    return found
