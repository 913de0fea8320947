"""Types of data that a file does not declare: from its initial value, and from all that is assigned or compared.

Numbers are int, or real where something real is assigned. Texts are the values of an enum: all that the variable, or
one that it is assigned to or compared with, is assigned or compared with; in the order of ECMAScript's comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fullproof.core.errors import UserError
from fullproof.formats.scxml.actions import content_blocks
from fullproof.formats.scxml.elements import tag_of
from fullproof.formats.scxml.expressions import read_expression, read_list, read_statements, texts_in
from fullproof.formats.scxml.states import Outline
from fullproof.formats.scxml.tree import Attribute, Element
from fullproof.language.scope import Scope
from fullproof.language.syntax import Comparison, Conditional, Expression, Integer, Name
from fullproof.language.traversal import nodes
from fullproof.language.type_inference import infer
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Type, Value, Variable


@dataclass(slots=True)
class DataUses:
    """What is assigned to each name, what names are compared with, and which names are texts in quotes."""

    assigned: dict[str, list[Expression]] = field(default_factory=dict)
    compared: list[tuple[Expression, ...]] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)


def data_uses(outline: Outline, lists: Mapping[str, list[Expression]]) -> DataUses:
    """All uses of data in executable content and conditions."""
    found = DataUses()
    for block in content_blocks(outline):
        for element in _with_descendants(block):
            for name, value, source in _assignments(element, lists):
                found.assigned.setdefault(name, []).append(value)
                _note(found, value, source)
            condition = element.get("cond")
            if condition is not None:
                _note(found, read_expression(condition), condition)
    return found


def inferred_types(
    initial: Mapping[str, tuple[Expression, Attribute] | None],
    uses: DataUses,
    known: Iterable[Variable],
    constants: Mapping[str, Value],
) -> dict[str, Type]:
    """The types of names without declared ones, as far as they can be inferred; ``initial`` has their values."""
    for given in initial.values():
        if given is not None:
            _note(uses, *given)
    values = {
        name: [*([] if given is None else [given[0]]), *uses.assigned.get(name, [])] for name, given in initial.items()
    }
    types = _enums(values, uses)
    declared = tuple(known)
    changed = True
    while changed:
        changed = False
        scope = Scope((*declared, *(Variable(name=n, type=t) for n, t in types.items())), constants)
        for name, listed in values.items():
            new = _joined(types.get(name), [_type(value, scope) for value in listed])
            if new is not None and new != types.get(name):
                types[name], changed = new, True
    return types


def _joined(before: Type | None, found: list[Type | None]) -> Type | None:
    if isinstance(before, EnumType | BoolType | RealType):
        return before
    kinds = [type_ for type_ in found if type_ is not None]
    if any(isinstance(type_, RealType) for type_ in kinds):
        return RealType()
    first = before or (kinds[0] if kinds else None)
    return BoolType() if isinstance(first, BoolType) else IntType() if isinstance(first, IntType) else first


def _type(value: Expression, scope: Scope) -> Type | None:
    """The type of a value; None where it has a name without type, or is wrong, which is found where it is read."""
    try:
        return infer(value, scope)
    except UserError:
        return None


def _enums(values: Mapping[str, list[Expression]], uses: DataUses) -> dict[str, Type]:
    groups: dict[str, str] = {name: name for name in values}

    def root(name: str) -> str:
        while groups[name] != name:
            name = groups[name]
        return name

    together = [*uses.compared, *((Name(name), *_results(v)) for name, listed in values.items() for v in listed)]
    texts: dict[str, set[str]] = {}
    for operands in together:
        names = [node.name for node in operands if isinstance(node, Name)]
        variables = [name for name in names if name in values]
        for other in variables[1:]:
            groups[root(other)] = root(variables[0])
        if variables:
            texts.setdefault(variables[0], set()).update(n for n in names if n in uses.texts and n not in values)
    found: dict[str, set[str]] = {}
    for name, some in texts.items():
        found.setdefault(root(name), set()).update(some)
    return {name: EnumType(tuple(sorted(found[root(name)]))) for name in values if found.get(root(name))}


def _results(value: Expression) -> Iterator[Expression]:
    if isinstance(value, Conditional):
        yield from _results(value.then)
        yield from _results(value.otherwise)
    else:
        yield value


def _note(found: DataUses, expression: Expression, source: Attribute) -> None:
    found.texts |= texts_in(source)
    found.compared += [node.operands for node in nodes(expression) if isinstance(node, Comparison)]


def _assignments(
    element: Element, lists: Mapping[str, list[Expression]]
) -> Iterator[tuple[str, Expression, Attribute]]:
    """What an action assigns, as far as it is understood: the rest is reported where actions are read."""
    tag = tag_of(element)
    location, value = element.get("location"), element.get("expr")
    if tag == "assign" and location is not None and value is not None:
        yield location.text.strip(), read_expression(value), value
    elif tag == "script" and element.content is not None:
        yield from read_statements(element.content)
    elif tag == "foreach":
        array, item, index = element.get("array"), element.get("item"), element.get("index")
        if array is not None and item is not None:
            for one in lists.get(array.text.strip()) or read_list(array) or []:
                yield item.text.strip(), one, item
        if index is not None:
            yield index.text.strip(), Integer(0), index


def _with_descendants(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        if tag_of(child):
            yield from _with_descendants(child)
