"""Input values at the edge of a comparison, in the current state or in the state after it, found without a solver.

A comparison says whether a difference of two terms is above, below or at zero. Where the difference is linear in one
parameter, the value at which it is zero is known from two points; the values beside it are those at which a wrong
operator or a constant that is off by one shows (Clarke, Hassell and Richardson 1982, domain testing).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import atoms, conjuncts
from fullproof.language.scope import Scope
from fullproof.language.strings import StringValue
from fullproof.language.syntax import Comparison, Decimal, Expression, Integer, Quoted
from fullproof.language.traversal import free_names, nodes
from fullproof.language.type_inference import comparison_type
from fullproof.language.types import IntType, RealType, Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model.sts import Sts

_MOST = 16
"""Corners of one switch that are used, those of its own guard first."""

Known = Mapping[str, Value]


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """A parameter and a difference that a comparison is about; ``binding`` where the guard wants it to be zero."""

    parameter: Variable
    difference: Callable[[Known], Value]
    binding: bool = False

    def root(self, known: Known) -> int | Fraction | None:
        """The value of the parameter at which the difference is zero, all else being as it is."""
        name = self.parameter.name
        at_zero, at_one = (self.difference({**known, name: point}) for point in (0, 1))
        if isinstance(at_zero, str) or isinstance(at_one, str) or at_zero == at_one:
            return None
        found = Fraction(-at_zero) / Fraction(at_one - at_zero)
        if isinstance(self.parameter.type, IntType):
            return int(found) if found.denominator == 1 else found.__floor__()
        return found


def corners_of(semantics: StsSemantics, number: int) -> list[Corner]:
    """The corners of an input switch: of the guards of its gate here, then of what its updates are compared with."""
    compiled = semantics.compiled[number]
    numbers = {p.name: p for p in compiled.parameters if isinstance(p.type, IntType | RealType)}
    if not numbers:
        return []
    found = [*_own(semantics, number, numbers), *_later(semantics, number, numbers)]
    return found[:_MOST]


def _own(semantics: StsSemantics, number: int, numbers: Mapping[str, Variable]) -> Iterator[Corner]:
    compiled = semantics.compiled[number]
    mine = set(conjuncts(compiled.switch.guard))
    rivals = [c for c in semantics.taking(compiled.switch.source) if c.switch.gate == compiled.switch.gate]
    listed = [compiled, *(rival for rival in rivals if rival is not compiled)]
    for atom in _numeric((c.switch.guard for c in listed), compiled.scope):
        difference = _difference(atom, compiled.scope)
        for name in sorted(free_names(atom) & numbers.keys()):
            yield Corner(numbers[name], difference, binding=atom in mine and atom.operators == ("==",))


def _later(semantics: StsSemantics, number: int, numbers: Mapping[str, Variable]) -> Iterator[Corner]:
    """Comparisons of variables, anywhere in the model, that see what this switch assigns from its parameters."""
    compiled, model = semantics.compiled[number], semantics.model
    assigned = {a.variable: free_names(a.expression) & numbers.keys() for a in compiled.switch.assignments}
    scope = Scope(model.variables, {c.name: c.value for c in model.description.constants})
    variables = {v.name for v in model.variables}
    known = variables | {c.name for c in model.description.constants}
    guards = [switch.guard for switch in model.transitions]
    plain = (atom for guard in guards for atom in atoms(guard) if free_names(atom) <= known)
    for atom in _numeric(plain, scope):
        for name in sorted({p for v in free_names(atom) for p in assigned.get(v, ())}):
            yield Corner(numbers[name], _after(compiled.after, _difference(atom, scope)))


def _after(after: Callable[[Known], Known], difference: Callable[[Known], Value]) -> Callable[[Known], Value]:
    return lambda known: difference(after(known))


def _numeric(formulas: Iterable[Expression], scope: Scope) -> Iterator[Comparison]:
    seen: set[Expression] = set()
    for formula in formulas:
        for atom in atoms(formula):
            if atom in seen or not isinstance(atom, Comparison) or len(atom.operands) != 2:
                continue
            seen.add(atom)
            if isinstance(comparison_type(atom, scope), IntType | RealType):
                yield atom


def _difference(atom: Comparison, scope: Scope) -> Callable[[Known], Value]:
    left, right = (compile_expression(side, scope) for side in atom.operands)

    def difference(known: Known) -> Value:
        one, other = left(known), right(known)
        return one - other if not (isinstance(one, str) or isinstance(other, str)) else 0

    return difference


def repaired(corners: Iterable[Corner], known: Known, chosen: dict[str, Value]) -> dict[str, Value]:
    """The chosen values with each parameter that the guard ties to something else put there, where that is simple."""
    for corner in corners:
        if corner.binding and corner.difference({**known, **chosen}) != 0:
            root = corner.root({**known, **chosen})
            value = None if root is None else coerce(root, corner.parameter.type)
            if value is not None and in_range(value, corner.parameter.type):
                chosen = {**chosen, corner.parameter.name: value}
    return chosen


def numbers_of(model: Sts) -> list[int | Fraction]:
    """The numbers that a model refers to, in its constants, guards and updates, and those beside them."""
    found: set[int | Fraction] = {c.value for c in model.description.constants if not isinstance(c.value, bool | str)}
    literals = (node for node in _nodes(model) if isinstance(node, Integer | Decimal))
    found |= {node.value for node in literals if not isinstance(node, Quoted)}
    return sorted(found | {n + d for n in found for d in (-1, 1)})


def texts_of(model: Sts) -> list[StringValue]:
    """The strings that a model refers to, in its initial values, guards and updates."""
    found = {variable.initial for variable in model.variables if isinstance(variable.initial, StringValue)}
    found |= {node.value for node in _nodes(model) if isinstance(node, Quoted) and isinstance(node.value, StringValue)}
    return sorted(found, key=lambda text: text.text)


def _nodes(model: Sts) -> Iterator[Expression]:
    for switch in model.transitions:
        for tree in (switch.guard, *(a.expression for a in switch.assignments)):
            yield from nodes(tree)
