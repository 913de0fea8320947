"""The attributes of a SysML v2 state machine: inputs, outputs, variables and constants.

``in attribute`` is an input, ``out attribute`` an output, others are variables if their value is initial (``:=``) and
constants if it is bound (``=``). Bounds come from asserted constraints: ``assert constraint { 0 <= x and x <= 9 }``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.document.statemachine import Data
from fullproof.formats.document.tree import Scalar
from fullproof.formats.sysml.expressions import last_name, read_expression
from fullproof.formats.sysml.tree import (
    Rule,
    all_inside,
    child,
    children,
    declared_name,
    first,
    has,
    inside,
    name_text,
    place_of,
)
from fullproof.language.declarations import check_name, declare
from fullproof.language.syntax import Binary, Comparison, Expression, Integer, Name
from fullproof.language.tree_builder import Declaration
from fullproof.language.types import EnumType

_NUMBERS = {
    "Real": Declaration(word="real"),
    "Rational": Declaration(word="real"),
    "Integer": Declaration(word="int"),
    "Natural": Declaration(word="int", low=Integer(0)),
    "Positive": Declaration(word="int", low=Integer(1)),
    "Boolean": Declaration(word="bool"),
}
_MIRRORED = {"<=": ">=", ">=": "<="}


@dataclass(frozen=True, slots=True)
class _Bound:
    low: Expression | None = None
    high: Expression | None = None


def read_attributes(root: Rule, bodies: Iterable[Rule]) -> Data:
    """Read the attributes of the bodies (of a package, a part, the outermost state) from the outside in."""
    return _Reader(root).read(list(bodies))


def body_items(body: Rule) -> list[Rule]:
    """The members of the body of a package, a definition or a state."""
    return children(body, "stateBodyItem", "definitionBodyItem", "packageBodyElement")


_REFERENCES = ("defaultReferenceUsage", "referenceUsage")
_MEMBERS = (
    *("attributeUsage", "assertConstraintUsage", *_REFERENCES),
    *("definitionElement", "annotatingElement", "structureUsageElement", "partUsage", "actionUsage"),
    *("stateUsage", "exhibitStateUsage", "transitionUsage", "targetTransitionUsage"),
    *("entryActionMember", "doActionMember", "exitActionMember"),
)
"""What a member can be: the first of these inside it says it, so that nothing inside others is taken for a member."""


class _Reader:
    def __init__(self, root: Rule) -> None:
        self.enums = {_name(rule): _enum(rule) for rule in all_inside(root, "enumerationDefinition")}
        self.aliases = dict(_aliases(root))
        self.bounds: dict[str, _Bound] = {}
        self.places: dict[str, Place] = {}
        self.found = Data()

    def read(self, bodies: list[Rule]) -> Data:
        usages: list[Rule] = []
        for body in bodies:
            for item in body_items(body):
                member = inside(item, *_MEMBERS)
                if member is None:
                    continue
                if member.name == "assertConstraintUsage":
                    self.constraint(member)
                elif member.name == "attributeUsage" or (member.name in _REFERENCES and _direction(member)):
                    usages.append(member)
        for usage in usages:
            self.attribute(usage)
        for name, bound in self.bounds.items():
            if name not in self.places:
                at = next(part.at for part in (bound.low, bound.high) if part is not None)
                raise UserError(f"unknown attribute {name[:60]!r}{did_you_mean(name[:60], self.places)}", at=at)
        return self.found

    def attribute(self, rule: Rule) -> None:
        usage = inside(rule, "usage")
        declaration = None if usage is None else child(usage, "usageDeclaration")
        token = declared_name(declaration)
        if usage is None or declaration is None or token is None:
            raise UserError("an attribute without a name is not supported", at=place_of(rule))
        name, at = name_text(token), token.at
        check_name(name[:60], at=at)
        if name in self.places:
            raise UserError(f"attribute {name[:60]!r} is defined twice", at=at)
        self.places[name] = at
        described = self._type(declaration, name, at)
        value = inside(usage, "featureValue")
        initial = None
        if value is not None:
            expression = child(value, "ownedExpression")
            initial = None if expression is None else read_expression(expression)
        self._add(name, at, _direction(rule), replace(described, initial=initial), value)

    def _add(self, name: str, at: Place, direction: str, declared: Declaration, value: Rule | None) -> None:
        found = self.found
        bound = value is not None and not has(value, ":=") and not has(value, "default")
        variable = declare(declared, name=name, constants=found.constants, at=at)
        entry = (variable, Scalar(name, at.line or 1, at.column or 1, quoted=True))
        match direction:
            case "in":
                if value is not None:
                    raise UserError(f"input {name!r} cannot have a value, its environment gives it", at=at)
                found.inputs.append(entry)
            case "out" | "":
                if value is None:
                    raise UserError(f"attribute {name!r} needs an initial value, for example := 0", at=at)
                if direction == "out" and bound:
                    raise UserError(f"output {name!r} is bound with '=', expected an initial value with ':='", at=at)
                if not bound:
                    (found.outputs if direction else found.variables).append(entry)
                elif isinstance(variable.type, EnumType) or variable.initial is None:
                    raise UserError(f"constant {name!r} should be a number or a truth value", at=at)
                else:
                    found.constants[name] = variable.initial
            case _:
                raise UserError(f"{name!r} is {direction}, expected in, out or neither", at=at)

    def _type(self, declaration: Rule, name: str, at: Place) -> Declaration:
        part = child(declaration, "featureSpecializationPart")
        typing = None if part is None else inside(part, "ownedFeatureTyping")
        if part is not None and inside(part, "multiplicityPart", "redefinitions", "subsettings", "references"):
            raise UserError(f"attribute {name!r}: expected a type and a value, nothing more", at=at)
        if typing is None:
            raise UserError(f"attribute {name!r} has no type, expected for example {name} : Real", at=at)
        word = _qualified(typing)
        word = self.aliases.get(word, word)
        bound = self.bounds.get(name, _Bound())
        if word in self.enums:
            if bound != _Bound():
                raise UserError(f"{name!r} is not a number and has no bounds", at=at)
            return self.enums[word]
        if word not in _NUMBERS:
            known = [*_NUMBERS, *self.enums]
            raise UserError(f"unknown type {word[:60]!r}{did_you_mean(word[:60], known)}", at=place_of(typing))
        described = _NUMBERS[word]
        if described.word == "bool" and bound != _Bound():
            raise UserError(f"{name!r} is not a number and has no bounds", at=at)
        return replace(described, low=bound.low or described.low, high=bound.high)

    def constraint(self, rule: Rule) -> None:
        result = inside(rule, "resultExpressionMember")
        expression = None if result is None else child(result, "ownedExpression")
        if has(rule, "not") or expression is None:
            raise UserError(_BOUNDS, at=place_of(rule))
        waiting = [read_expression(expression)]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Binary) and part.operator == "and":
                waiting += [part.right, part.left]
            else:
                self._bound(part)

    def _bound(self, part: Expression) -> None:
        if not isinstance(part, Comparison) or part.operators[0] not in ("<=", ">="):
            raise UserError(_BOUNDS, at=part.at)
        left, right = part.operands
        operator: str = part.operators[0]
        if not isinstance(left, Name):
            left, right, operator = right, left, _MIRRORED[operator]
        if not isinstance(left, Name):
            raise UserError(_BOUNDS, at=part.at)
        old = self.bounds.get(left.name, _Bound())
        if (old.low if operator == ">=" else old.high) is not None:
            raise UserError(f"{left.name[:60]!r} has this bound already", at=part.at)
        new = replace(old, low=right) if operator == ">=" else replace(old, high=right)
        self.bounds[left.name] = new


_BOUNDS = "only bounds of attributes can be asserted, expected for example assert constraint { x >= 0 and x <= 9 }"


def _direction(rule: Rule) -> str:
    direction = next(all_inside(rule, "featureDirection"), None)
    return "" if direction is None else first(direction).text


def _qualified(rule: Rule) -> str:
    name = inside(rule, "qualifiedName")
    return "" if name is None else last_name(name)


def _name(definition: Rule) -> str:
    """The name of a definition; the empty one where it has none."""
    token = declared_name(definition)
    return "" if token is None else name_text(token)


def _enum(definition: Rule) -> Declaration:
    values = []
    for member in all_inside(definition, "enumeratedValue"):
        token = declared_name(member)
        if token is None:
            raise UserError("expected the name of a value", at=place_of(member))
        check_name(name_text(token)[:60], at=token.at)
        values.append(Name(name_text(token), at=token.at))
    if not values:
        raise UserError("the enumeration has no values", at=place_of(definition))
    return Declaration(word="enum", values=tuple(values))


def _aliases(root: Rule) -> Iterable[tuple[str, str]]:
    """``attribute def Speed :> Real;``"""
    for definition in all_inside(root, "attributeDefinition"):
        part = inside(definition, "subclassificationPart")
        if part is not None:
            yield _name(definition), _qualified(part)
