"""Both systems in a common notation: no constants, enum values as numbers, and shared names for gate parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fullproof.analysis.ioco.substitution import instantiate
from fullproof.core.errors import UserError
from fullproof.language.formulas import conjunction, in_bounds
from fullproof.language.lists import Listed, listed
from fullproof.language.printer import type_to_text
from fullproof.language.scope import ConstantValue, EnumValue, Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import (
    LIST_FUNCTIONS,
    Binary,
    Call,
    Comparison,
    Conditional,
    Expression,
    Integer,
    Name,
    Unary,
)
from fullproof.language.type_inference import comparison_type, list_type
from fullproof.language.types import BoolType, EnumType, IntType, ListType, Type, Value, Variable
from fullproof.language.values import coerce
from fullproof.model.sts import INTERNAL, TAU, Gate, Sts, Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedSwitch:
    """A switch; ``updates`` has one expression for each variable of the system."""

    gate: str
    guard: Expression
    updates: tuple[Expression, ...]
    target: str
    origin: Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedSystem:
    """A symbolic transition system over coded variables; parameters have the names of the joint alphabet."""

    model: Sts
    variables: tuple[Variable, ...]
    start: tuple[Expression, ...]
    switches: Mapping[tuple[str, str], tuple[CodedSwitch, ...]]
    """By location and gate."""

    def of(self, location: str, gate: str) -> tuple[CodedSwitch, ...]:
        """The switches of a location for a gate."""
        return self.switches.get((location, gate), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Alphabet:
    """The gates of both systems; each parameter is one coded variable.

    An input ranges over the model's type, since others are no inputs of it; an output over the type of the
    implementation, which may exceed the model's.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    parameters: Mapping[str, tuple[Variable, ...]]
    types: Mapping[str, tuple[Type, ...]]

    def values(self, gate: str, found: Mapping[str, Value]) -> tuple[Value, ...]:
        """The values of a gate's parameters as the models write them."""
        pairs = zip(self.parameters[gate], self.types[gate], strict=True)
        return tuple(decoded(found[variable.name], type_) for variable, type_ in pairs)


def joint_alphabet(model: Sts, other: Sts) -> Alphabet:
    """The gates of both, or a UserError where the same name means different things."""
    mine, yours = _gates(model.inputs), _gates(model.outputs)
    other_inputs, other_outputs = _gates(other.inputs), _gates(other.outputs)
    for name in [*(mine.keys() & other_outputs.keys()), *(yours.keys() & other_inputs.keys())]:
        raise UserError(f"gate {name} is an input of one system and an output of the other")
    for first, second in ((mine, other_inputs), (yours, other_outputs)):
        for name in first.keys() & second.keys():
            _require_alike(first[name], second[name])
    gates = {**other_inputs, **mine, **yours, **other_outputs}
    return Alphabet(
        inputs=tuple(mine),
        outputs=tuple({**other_outputs, **yours}),
        parameters={
            name: tuple(
                Variable(name=f"{name}.{number}", type=coded_type(parameter.type))
                for number, parameter in enumerate(gate.parameters)
            )
            for name, gate in {**gates, TAU: INTERNAL}.items()
        },
        types={name: tuple(parameter.type for parameter in gate.parameters) for name, gate in gates.items()},
    )


def system_of(model: Sts, alphabet: Alphabet) -> CodedSystem:
    """The model in the names and numbers of the joint alphabet."""
    switches: dict[tuple[str, str], list[CodedSwitch]] = {}
    gates = _gates(model.gates)
    constants = {constant.name: constant.value for constant in model.description.constants}
    for switch in model.transitions:
        gate = gates[switch.gate]
        scope = Scope((*model.variables, *gate.parameters), constants)
        switches.setdefault((switch.source, switch.gate), []).append(_switch(switch, gate, scope, alphabet))
    return CodedSystem(
        model=model,
        variables=tuple(replace(v, type=coded_type(v.type), initial=None) for v in model.variables),
        start=tuple(_start(variable) for variable in model.variables),
        switches={place: tuple(here) for place, here in switches.items()},
    )


def coded_type(type_: Type) -> Type:
    """Enum values become their ranks."""
    match type_:
        case EnumType(values=values):
            return IntType(0, len(values) - 1)
        case ListType(element=EnumType(values=values)):
            return ListType(IntType(0, len(values) - 1), type_.most)
        case _:
            return type_


def decoded(value: Value, type_: Type) -> Value:
    """The value that a coded one stands for."""
    if isinstance(type_, EnumType):
        assert isinstance(value, int)
        return type_.values[value]
    if isinstance(type_, ListType):
        assert isinstance(value, Listed)
        return listed(decoded(item, type_.element) for item in value.items)
    return coerce(value, type_)


def coded_value(value: Value, type_: Type) -> Value:
    """The number or truth value that stands for a value."""
    if isinstance(type_, ListType):
        assert isinstance(value, Listed)
        return listed(coded_value(item, type_.element) for item in value.items)
    return type_.values.index(str(value)) if isinstance(type_, EnumType) else coerce(value, type_)


def _gates(gates: Sequence[Gate]) -> dict[str, Gate]:
    return {gate.name: gate for gate in gates}


def _require_alike(one: Gate, two: Gate) -> None:
    kinds = [[_kind(parameter.type) for parameter in gate.parameters] for gate in (one, two)]
    if kinds[0] != kinds[1]:
        texts = [", ".join(type_to_text(p.type) for p in gate.parameters) or "nothing" for gate in (one, two)]
        raise UserError(f"gate {one.name} carries {texts[0]} in one system and {texts[1]} in the other")


def _kind(type_: Type) -> object:
    if isinstance(type_, ListType):
        return ListType, _kind(type_.element)
    return type_ if isinstance(type_, EnumType) else type(type_)


def _start(variable: Variable) -> Expression:
    assert variable.initial is not None
    return literal(coded_value(variable.initial, variable.type))


def _switch(switch: Switch, gate: Gate, scope: Scope, alphabet: Alphabet) -> CodedSwitch:
    names: dict[str, Expression] = {
        parameter.name: Name(variable.name)
        for parameter, variable in zip(gate.parameters, alphabet.parameters[gate.name], strict=True)
    }
    pairs = zip(gate.parameters, alphabet.parameters[gate.name], strict=True)
    bounds = [
        bound
        for parameter, variable in pairs
        if coded_type(parameter.type) != variable.type
        for bound in in_bounds(Name(variable.name), coded_type(parameter.type))
    ]
    new = {a.variable: coded(a.expression, scope, scope.variable(a.variable).type) for a in switch.assignments}
    variables = [v for v in scope.variables if v.name not in names]
    guard = instantiate(coded(switch.guard, scope, BoolType()), names)
    return CodedSwitch(
        gate=gate.name,
        guard=instantiate(conjunction([guard, *bounds]), {}),
        updates=tuple(instantiate(new.get(v.name, Name(v.name)), names) for v in variables),
        target=switch.target,
        origin=switch,
    )


def coded(node: Expression, scope: Scope, type_: Type | None) -> Expression:
    """The expression without constants and enum values; ``type_`` says which enum a value belongs to."""
    match node:
        case Name():
            meaning = scope.lookup(node.name)
            match meaning:
                case ConstantValue(value=value):
                    return literal(value)
                case EnumValue(value=value, types=types):
                    meant = type_.element if isinstance(type_, ListType) else type_
                    belongs = meant if isinstance(meant, EnumType) else types[0]
                    return Integer(belongs.values.index(value))
                case _:
                    return node
        case Comparison():
            common = comparison_type(node, scope)
            return replace(node, operands=tuple(coded(operand, scope, common) for operand in node.operands))
        case Conditional():
            return replace(
                node,
                condition=coded(node.condition, scope, None),
                then=coded(node.then, scope, type_),
                otherwise=coded(node.otherwise, scope, type_),
            )
        case Unary():
            return replace(node, operand=coded(node.operand, scope, None))
        case Binary():
            return replace(node, left=coded(node.left, scope, None), right=coded(node.right, scope, None))
        case Call(function=function):
            if function in LIST_FUNCTIONS and (type_ is None or function in ("in", "len")):
                type_ = list_type(node, scope)
            meant_here = type_ if function in LIST_FUNCTIONS else None
            return replace(node, arguments=tuple(coded(argument, scope, meant_here) for argument in node.arguments))
        case _:
            return node
