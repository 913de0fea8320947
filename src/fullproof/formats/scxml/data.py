"""The data of an SCXML file as constants, inputs, outputs and variables with types."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from fullproof.core.errors import UserError
from fullproof.formats.document.statemachine import Data
from fullproof.formats.scxml.elements import checked, fp, needed, one_of, scalar
from fullproof.formats.scxml.expressions import read_expression, read_list
from fullproof.formats.scxml.inference import DataUses, data_uses, inferred_types
from fullproof.formats.scxml.states import Outline
from fullproof.formats.scxml.tree import Attribute, Element
from fullproof.language.declarations import check_name
from fullproof.language.evaluate import evaluate
from fullproof.language.parser import parse_declaration, parse_expression
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression, Name
from fullproof.language.type_inference import expect_type, infer
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, StringType, Type, Value, Variable
from fullproof.language.values import coerce, in_range

_ROLES = ("input", "output", "variable", "constant")


@dataclass(slots=True)
class ScxmlData:
    """The declarations; the lists that loops run over; the variables that have no value before they are assigned."""

    declared: Data = field(default_factory=Data)
    lists: dict[str, list[Expression]] = field(default_factory=dict)
    unset: frozenset[str] = frozenset()


def read_data(outline: Outline) -> ScxmlData:
    """Read ``<data id expr fp:type fp:role>``.

    Without a role, data with a value is a variable, and so is data that the chart assigns; other data without a value
    is an input: only the environment can set it.
    """
    found = ScxmlData()
    data = found.declared
    listed: list[Element] = []
    seen: set[str] = set()
    for element in [element for _, datamodel in outline.elements("datamodel") for _, element in checked(datamodel)]:
        list(checked(element))
        name = needed(element, "id")
        check_name(name.text[:60], at=name.at)
        if name.text in seen:
            raise UserError(f"data {name.text[:60]!r} is declared twice", at=name.at)
        seen.add(name.text)
        source = element.get("expr")
        elements = None if source is None or fp(element, "expr") is not None else read_list(source)
        if elements is None:
            listed.append(element)
        else:
            found.lists[name.text] = elements
    uses = data_uses(outline, found.lists)
    roles = {needed(element, "id").text: _role(element, uses) for element in listed}
    for element in listed:  # constants first: types and values anywhere in the file may refer to them
        if roles[needed(element, "id").text] == "constant":
            _add_constant(data, element)
    types = _inferred(listed, roles, uses, data)
    unset: set[str] = set()
    for element in listed:
        name = needed(element, "id")
        role = roles[name.text]
        if role != "constant" and _add_variable(data, element, role, types.get(name.text)):
            unset.add(name.text)
    found.unset = frozenset(unset)
    return found


def _inferred(listed: list[Element], roles: dict[str, str], uses: DataUses, data: Data) -> dict[str, Type]:
    typed = [_typed(element, data) for element in listed if fp(element, "type") is not None]
    values: dict[str, tuple[Expression, Attribute] | None] = {}
    for element in listed:
        name, source = needed(element, "id").text, fp(element, "expr") or element.get("expr")
        if roles[name] in ("variable", "output") and fp(element, "type") is None:
            value = _value_of(element)
            if value is None and name not in uses.assigned:
                continue
            # What is written in our own language has no texts in quotes.
            quoted = (
                source
                if source is not None and fp(element, "expr") is None
                else Attribute("", needed(element, "id").place)
            )
            values[name] = None if value is None else (value, quoted)
    return inferred_types(values, uses, [variable for variable in typed if variable is not None], data.constants)


def _role(element: Element, uses: DataUses) -> str:
    given = fp(element, "role")
    if given is not None:
        return one_of(given, "role", _ROLES)
    has_value = _value_of(element) is not None or needed(element, "id").text in uses.assigned
    return "variable" if has_value else "input"


def _value_of(element: Element) -> Expression | None:
    exact, source = fp(element, "expr"), element.get("expr")
    if exact is not None:
        return parse_expression(exact.text, at=exact.at)
    return None if source is None else read_expression(source)


def _add_constant(data: Data, element: Element) -> None:
    name, value = needed(element, "id"), _value_of(element)
    if value is None:
        raise UserError(f"constant {name.text!r} needs an expr", at=element.at)
    given = fp(element, "type")
    if given is not None:
        raise UserError(f"constant {name.text!r} has the type of its value, not one of its own", at=given.at)
    scope = Scope((), data.constants)
    infer(value, scope)
    data.constants[name.text] = evaluate(value, scope, {})


def _add_variable(data: Data, element: Element, role: str, inferred: Type | None) -> bool:
    """Add it; whether it has no value before it is assigned."""
    name, value = needed(element, "id"), _value_of(element)
    scope = Scope((), data.constants)
    variable = _declared(element, value, data, inferred, role)
    if role == "input":
        if value is not None:
            raise UserError(f"an input such as {name.text!r} cannot have an initial value", at=value.at)
        data.inputs.append((variable, scalar(name)))
        return False
    if value is None and (role == "output" or fp(element, "role") is not None):
        raise UserError(f'{role} {name.text!r} needs an initial value, for example expr="0"', at=element.at)
    initial = _some(variable.type) if value is None else _initial(value, variable.type, name.text, scope)
    variable = replace(variable, initial=initial)
    (data.outputs if role == "output" else data.variables).append((variable, scalar(name)))
    return value is None


def _some(type_: Type) -> Value:
    """A value for a variable that is never read before it is assigned."""
    match type_:
        case BoolType():
            return False
        case EnumType():
            return type_.values[0]
        case RealType():
            return Fraction(next((bound for bound in (type_.low, type_.high) if bound is not None), 0))
        case IntType():
            return next((bound for bound in (type_.low, type_.high) if bound is not None), 0)
        case ListType():
            raise AssertionError("only an sts has lists")


def _typed(element: Element, data: Data) -> Variable | None:
    name, given = needed(element, "id"), fp(element, "type")
    if given is None:
        return None
    variable = parse_declaration(given.text, name=name.text, constants=data.constants, at=given.at)
    if isinstance(variable.type, StringType | ListType):
        word = "string" if isinstance(variable.type, StringType) else "list"
        raise UserError(f"{name.text!r} is a {word}; only a machine of kind sts has {word}s", at=given.at)
    if variable.initial is not None:
        raise UserError(f"the initial value of {name.text!r} stands in expr, not in fp:type", at=given.at)
    return variable


def _declared(element: Element, value: Expression | None, data: Data, inferred: Type | None, role: str) -> Variable:
    name = needed(element, "id")
    if (typed := _typed(element, data)) is not None:
        return typed
    if inferred is not None:
        return Variable(name=name.text, type=inferred)
    example = f'fp:type="{"enum red, green" if isinstance(value, Name) else "int 0..10"}"'
    if value is None:
        raise UserError(f"{role} {name.text!r} has no type, expected for example {example}", at=element.at)
    if isinstance(value, Name) and value.name not in data.constants:
        raise UserError(f"{name.text!r} starts with {value.name!r} and needs a type such as {example}", at=value.at)
    infer(value, Scope((), data.constants))
    raise UserError(f"{name.text!r} needs a type such as {example}", at=value.at)


def _initial(value: Expression, type_: Type, name: str, scope: Scope) -> Value:
    if isinstance(type_, EnumType):
        if isinstance(value, Name) and value.name in type_.values:
            return value.name
        raise UserError(f"the initial value of {name!r} is not in {type_to_text(type_)}", at=value.at)
    expect_type(value, scope, type_, what=name)
    found = coerce(evaluate(value, scope, {}), type_)
    if not in_range(found, type_):
        shown = value_to_text(found) if isinstance(found, bool | int | Fraction) else found
        raise UserError(f"initial value {shown} lies outside {type_to_text(type_)}", at=value.at)
    return found
