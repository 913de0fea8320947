"""The data of an SCXML file as constants, inputs, outputs and variables with types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from fullproof.core.errors import UserError
from fullproof.formats.document.statemachine import Data
from fullproof.formats.scxml.elements import checked, fp, needed, one_of, scalar
from fullproof.formats.scxml.expressions import read_expression
from fullproof.formats.scxml.tree import Element
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


def read_data(elements: Iterable[Element]) -> Data:
    """Read ``<data id expr fp:type fp:role>``.

    Without a role, data with a value is a variable, data without one an input: only the environment can set it.
    """
    data = Data()
    listed = list(elements)
    seen: set[str] = set()
    for element in listed:
        list(checked(element))
        name = needed(element, "id")
        check_name(name.text[:60], at=name.at)
        if name.text in seen:
            raise UserError(f"data {name.text[:60]!r} is declared twice", at=name.at)
        seen.add(name.text)
    for element in listed:  # constants first: types and values anywhere in the file may refer to them
        if _role(element) == "constant":
            _add_constant(data, element)
    for element in listed:
        if _role(element) != "constant":
            _add_variable(data, element)
    return data


def _role(element: Element) -> str:
    given = fp(element, "role")
    if given is not None:
        return one_of(given, "role", _ROLES)
    return "input" if _value_of(element) is None else "variable"


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


def _add_variable(data: Data, element: Element) -> None:
    name, role, value = needed(element, "id"), _role(element), _value_of(element)
    scope = Scope((), data.constants)
    variable = _declared(element, value, data)
    if role == "input":
        if value is not None:
            raise UserError(f"an input such as {name.text!r} cannot have an initial value", at=value.at)
        data.inputs.append((variable, scalar(name)))
        return
    if value is None:
        raise UserError(f'{role} {name.text!r} needs an initial value, for example expr="0"', at=element.at)
    variable = replace(variable, initial=_initial(value, variable.type, name.text, scope))
    (data.outputs if role == "output" else data.variables).append((variable, scalar(name)))


def _declared(element: Element, value: Expression | None, data: Data) -> Variable:
    name, given = needed(element, "id"), fp(element, "type")
    if given is not None:
        variable = parse_declaration(given.text, name=name.text, constants=data.constants, at=given.at)
        if isinstance(variable.type, StringType | ListType):
            word = "string" if isinstance(variable.type, StringType) else "list"
            raise UserError(f"{name.text!r} is a {word}; only a machine of kind sts has {word}s", at=given.at)
        if variable.initial is not None:
            raise UserError(f"the initial value of {name.text!r} stands in expr, not in fp:type", at=given.at)
        return variable
    example = f'fp:type="{"enum red, green" if isinstance(value, Name) else "int 0..10"}"'
    if value is None:
        raise UserError(f"input {name.text!r} has no type, expected for example {example}", at=element.at)
    if isinstance(value, Name) and value.name not in data.constants:
        raise UserError(f"{name.text!r} starts with {value.name!r} and needs a type such as {example}", at=value.at)
    match infer(value, Scope((), data.constants)):
        case BoolType():
            return Variable(name=name.text, type=BoolType())
        case IntType():
            return Variable(name=name.text, type=IntType())
        case _:
            return Variable(name=name.text, type=RealType())


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
