"""Boundary conditions of the constraints on input parameters, where faults of guards are observable."""

from __future__ import annotations

from fullproof.language.formulas import atoms, compared
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Binary, Call, Comparison, Decimal, Expression, Integer, Name
from fullproof.language.traversal import free_names
from fullproof.language.type_inference import infer
from fullproof.language.types import IntType, ListType, RealType, StringType, Variable
from fullproof.language.values import number_from_json
from fullproof.model.sts import Sts

_NEAR = "0.001"
"""The distance of a real value from an edge that does not belong to the interval."""


def edges_of(model: Sts, number: int) -> list[Expression]:
    """Conditions at the edges of an input switch's guard: on the edge, and the nearest point inside it for integers.

    Only comparisons that refer to a parameter have edges a tester can choose; ends of a parameter's type count as well.
    """
    switch = model.transitions[number]
    gate = next((gate for gate in model.inputs if gate.name == switch.gate), None)
    if gate is None:
        return []
    scope = Scope((*model.variables, *gate.parameters), {c.name: c.value for c in model.description.constants})
    names = {parameter.name for parameter in gate.parameters}
    found: dict[Expression, None] = {}
    for atom in atoms(switch.guard):
        if isinstance(atom, Comparison) and free_names(atom) & names:
            found.update(dict.fromkeys(_edges(atom, scope)))
    for parameter in gate.parameters:
        found.update(dict.fromkeys(_ends(parameter)))
    return list(found)


def _edges(atom: Comparison, scope: Scope) -> list[Expression]:
    (left, right), operator = atom.operands, atom.operators[0]
    kinds = [infer(side, scope) for side in (left, right)]
    if not all(isinstance(kind, IntType | RealType) for kind in kinds):
        return []
    if any(isinstance(kind, StringType) for kind in kinds):
        return []  # strings have no order: "==" and "!=" say which of them are meant
    whole = all(isinstance(kind, IntType) for kind in kinds)
    on = compared(left, "==", right)
    below, above = (compared(left, "==", Binary(sign, right, Integer(1))) for sign in ("-", "+"))
    match operator:
        case "<=":
            return [on, below] if whole else [on]
        case ">=":
            return [on, above] if whole else [on]
        case "<":
            return [below] if whole else [compared(Binary("-", right, left), "<=", _near())]
        case ">":
            return [above] if whole else [compared(Binary("-", left, right), "<=", _near())]
        case "!=":
            return [below, above] if whole else []
        case _:
            return []


def _near() -> Expression:
    from fractions import Fraction

    return Decimal(Fraction(number_from_json(_NEAR) or 0))


def _ends(parameter: Variable) -> list[Expression]:
    match parameter.type:
        case IntType(low=low, high=high) | RealType(low=low, high=high):
            ends = [end for end in (low, high) if end is not None]
            return [compared(Name(parameter.name), "==", literal(end)) for end in ends]
        case ListType(most=most):
            length = Call("len", (Name(parameter.name),))
            return [compared(length, "==", Integer(end)) for end in dict.fromkeys((0, 1, most))]
        case _:
            return []
