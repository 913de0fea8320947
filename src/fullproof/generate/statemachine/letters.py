"""The input alphabet of paper 003, section 5: trigger conditions, interior and boundary apart, cut by intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from fullproof.artefacts.partition import ClassPartition
from fullproof.language.evaluate import evaluate
from fullproof.language.formulas import atoms, compared, conjunction, negation
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import Binary, Comparison, Expression, Integer, Name
from fullproof.language.traversal import free_names
from fullproof.language.type_inference import comparison_type, infer
from fullproof.language.types import IntType, RealType, Variable
from fullproof.model.common import Paving
from fullproof.smt import Unsat, open_solver, pushed

_STRICT = {"<": 1, ">": -1}


@dataclass(frozen=True, slots=True)
class TriggerLetter:
    """A trigger condition by number, cut down to its boundary or interior and to an interval vector."""

    trigger: int
    conditions: tuple[Expression, ...]
    is_boundary: bool

    @property
    def condition(self) -> Expression:
        """All of it as one condition."""
        return conjunction(self.conditions)


def letters_of(partition: ClassPartition, paving: Sequence[Paving], scope: Scope) -> tuple[TriggerLetter, ...]:
    """The letters that are satisfiable or undecided. A letter stands for its combination with each signal.

    The boundary of a condition is where one of its inequalities, not strict, is an equation (for whole numbers a strict
    one is its neighbour); each inequality has its own part of the boundary, so that each is tested. Equations do not
    count: within them, the boundary is that of the inequalities. Neither do the ends of a variable's range.
    """
    solver = open_solver(scope, timeout=2.0)
    # Without a paving the only box is true.
    boxes = [conjunction(box) for box in product(*(_intervals(p, scope) for p in paving))]
    found: list[TriggerLetter] = []
    for number, trigger in enumerate(partition.triggers):
        facets = list(dict.fromkeys(_tight(trigger.condition, scope)))
        inner = [negation(facet) for facet in facets]
        sides = [(inner, False), *(([*inner[:k], facet], True) for k, facet in enumerate(facets))]
        with pushed(solver):
            solver.add(trigger.condition)
            for side, is_boundary in sides:
                for box in boxes:
                    conditions = (*trigger.literals, *side, *([box] if paving else []))
                    if not isinstance(solver.check_assuming(*side, box), Unsat):
                        found.append(TriggerLetter(number, conditions, is_boundary))
    return tuple(found)


def _tight(condition: Expression, scope: Scope) -> Iterator[Expression]:
    """The boundary of an inequality; boundaries where it does not hold are excluded by the condition itself."""
    for atom in atoms(condition):
        if not isinstance(atom, Comparison) or atom.operators[0] in ("==", "!="):
            continue
        if not isinstance(comparison_type(atom, scope), IntType | RealType) or _is_end_of_range(atom, scope):
            continue
        left, right = atom.operands
        yield compared(left, "==", right)
        whole = all(isinstance(infer(side, scope), IntType) for side in (left, right))
        if whole:
            step = _STRICT.get(atom.operators[0], 0)
            if step:
                yield compared(Binary("+", left, Integer(step)), "==", right)


def _is_end_of_range(atom: Comparison, scope: Scope) -> bool:
    for one, other in (atom.operands, atom.operands[::-1]):
        if isinstance(one, Name) and not free_names(other):
            meaning = scope.lookup(one.name)
            if isinstance(meaning, Variable) and isinstance(meaning.type, IntType | RealType):
                return evaluate(other, scope, {}) in (meaning.type.low, meaning.type.high)
    return False


def _intervals(paving: Paving, scope: Scope) -> list[Expression]:
    """The intervals ``low <= z < low + width`` and so on, and the values outside of them, which form a part as well.

    The last interval is closed, unless that makes it longer than the others for whole numbers.
    """
    name, high = Name(paving.variable), paving.high
    whole = isinstance(scope.variable(paving.variable).type, IntType)
    edges = [paving.low]
    while edges[-1] + paving.width < high:
        edges.append(edges[-1] + paving.width)
    if whole and edges[-1] + paving.width <= high:
        edges.append(edges[-1] + paving.width)
    edges.append(high + whole)
    inside: list[Expression] = []
    for k, (low, end) in enumerate(pairwise(edges)):
        closed = k == len(edges) - 2 and not whole
        inside.append(
            conjunction([compared(name, ">=", literal(low)), compared(name, "<=" if closed else "<", literal(end))])
        )
    below, above = compared(name, "<", literal(paving.low)), compared(name, ">", literal(high))
    return [*inside, below, above]
