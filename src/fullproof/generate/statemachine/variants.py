"""Variants of values within a letter: just inside each open boundary, on each side of an excluded value, far from
zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise

from fullproof.generate.statemachine.letters import TriggerLetter
from fullproof.language.formulas import atoms, compared
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Binary, Comparison, Decimal, Expression, Integer, Name
from fullproof.language.traversal import nodes
from fullproof.language.type_inference import comparison_type, infer
from fullproof.language.types import IntType, RealType, Variable
from fullproof.model import StateMachine

FAR = 100
"""The absolute value chosen for an unbounded variable."""


def nearness(model: StateMachine) -> Fraction:
    """The distance from a boundary between real numbers: a thousandth of the smallest gap between constants of the
    model.

    A power of two, at most 1/1024: what a system computes with floats from such values is exact.
    """
    trees = [t.guard for t in model.transitions]
    numbers = {Fraction(n.value) for tree in trees for n in nodes(tree) if isinstance(n, Integer | Decimal)}
    numbers |= {Fraction(c.value) for c in model.description.constants if not isinstance(c.value, bool | str)}
    gap = min((b - a for a, b in pairwise(sorted(numbers))), default=Fraction(1))
    size = Fraction(1, 1024)
    while size > gap / 1000:
        size /= 2
    return size


def variants_of(
    letter: TriggerLetter, inputs: Iterable[Variable], scope: Scope, near: Fraction
) -> Iterator[Expression]:
    """Conditions on the values of an interior letter, each of which demands other values; some may be unsatisfiable.

    ``inputs``: those that get large values.
    """
    yield from dict.fromkeys(_beside(letter.condition, scope, near))
    for variable in inputs:
        if isinstance(variable.type, IntType | RealType):
            yield from _far(variable)


def _beside(condition: Expression, scope: Scope, near: Fraction) -> Iterator[Expression]:
    for atom in atoms(condition):
        if not isinstance(atom, Comparison) or atom.operators[0] == "==":
            continue
        if not isinstance(comparison_type(atom, scope), IntType | RealType):
            continue
        left, right = atom.operands
        whole = all(isinstance(infer(side, scope), IntType) for side in (left, right))
        if whole and atom.operators[0] != "!=":
            continue  # the neighbour of an integer boundary is a separate letter
        step = Integer(1) if whole else literal(near)
        yield compared(left, "==", Binary("-", right, step))
        yield compared(left, "==", Binary("+", right, step))
        if atom.operators[0] == "!=":
            yield compared(left, "<", Binary("-", right, step))
            yield compared(left, ">", Binary("+", right, step))


def _far(variable: Variable) -> Iterator[Expression]:
    type_ = variable.type
    assert isinstance(type_, IntType | RealType)
    name = Name(variable.name)
    for end in (type_.high, type_.low):
        if end is not None:
            yield compared(name, "==", literal(end))
    if type_.low is not None and type_.high is not None:
        eighth = Fraction(type_.high - type_.low) / 8
        low, high = type_.low + eighth, type_.high - eighth
    else:
        low = Fraction(-FAR) if type_.low is None else Fraction(type_.low) + FAR
        high = Fraction(FAR) if type_.high is None else Fraction(type_.high) - FAR
    yield compared(name, ">=", literal(high))
    yield compared(name, "<=", literal(low))
