"""Transition systems with strings, with all strings listed: each becomes a value of one large enum.

Only equality can be asked of strings, so a system behaves alike for any two strings that it does not name. Traces of
some length are therefore all there with the strings that the systems name and as many others as a trace can hold.
No code of this file knows that strings are numbers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fullproof.language.scope import Scope
from fullproof.language.syntax import Binary, Comparison, Conditional, Expression, Name, Quoted, Unary
from fullproof.language.traversal import nodes
from fullproof.language.type_inference import expect_boolean
from fullproof.language.types import EnumType, StringType, Variable
from fullproof.model.sts import Gate, Sts


def strings_in(model: Sts) -> set[str]:
    """The strings that a model names."""
    trees = [tree for t in model.transitions for tree in (t.guard, *(a.expression for a in t.assignments))]
    found = {node.value.text for tree in trees for node in nodes(tree) if isinstance(node, Quoted)}
    return found | {v.initial.text for v in model.variables if isinstance(v.type, StringType)}


def names_for(strings: Iterable[str], others: int) -> dict[str, str]:
    """Names of enum values for strings, and for some that stand for all others (their keys are such strings)."""
    known = sorted(set(strings))
    fresh = [text for text in (f"other {n}" for n in range(others + len(known))) if text not in known][:others]
    return {text: f"s{number}" for number, text in enumerate([*known, *fresh])}


def listed(model: Sts, names: Mapping[str, str]) -> Sts:
    """The same system over an enum."""
    every = EnumType(tuple(names.values()))

    def variable(one: Variable) -> Variable:
        if not isinstance(one.type, StringType):
            return one
        return replace(one, type=every, initial=None if one.initial is None else names[one.initial.text])

    def gate(one: Gate) -> Gate:
        return replace(one, parameters=tuple(variable(p) for p in one.parameters))

    found = replace(
        model,
        variables=tuple(variable(v) for v in model.variables),
        inputs=tuple(map(gate, model.inputs)),
        outputs=tuple(map(gate, model.outputs)),
        transitions=tuple(
            replace(
                t,
                guard=_listed(t.guard, names),
                assignments=tuple(replace(a, expression=_listed(a.expression, names)) for a in t.assignments),
            )
            for t in model.transitions
        ),
    )
    for t in found.transitions:
        own = next((g for g in found.gates if g.name == t.gate), None)
        expect_boolean(t.guard, Scope((*found.variables, *(own.parameters if own else ())), {}))
    return found


def _listed(node: Expression, names: Mapping[str, str]) -> Expression:
    match node:
        case Quoted(value=value):
            return Name(names[value.text])
        case Unary():
            return replace(node, operand=_listed(node.operand, names))
        case Binary():
            return replace(node, left=_listed(node.left, names), right=_listed(node.right, names))
        case Comparison():
            return replace(node, operands=tuple(_listed(part, names) for part in node.operands))
        case Conditional():
            return Conditional(*(_listed(part, names) for part in (node.condition, node.then, node.otherwise)))
        case _:
            return node
