"""Typical faults of guards and output expressions, derived from those that a symbolic machine has.

Strict for non-strict comparisons and back, boundaries moved, operators swapped, constants exchanged, and, where a
transition sets several outputs, one of them taken from another transition. Whole expressions need not be exchanged
between transitions: a fault domain admits every expression of its alphabet anywhere (paper 000, section 5.1).

A boundary of whole numbers moves by one. A boundary of reals moves by a hundredth of the smallest distance between the
boundaries of the same variables, or of the boundary itself where there is one only, rounded down to a power of ten:
small enough to stay between two boundaries, large enough for a reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from fullproof.core.errors import UserError
from fullproof.language.compile import compile_expression
from fullproof.language.evaluate import evaluate
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction
from fullproof.language.syntax import Binary, Boolean, Comparison, Decimal, Expression, Integer, Name, Unary
from fullproof.language.traversal import free_names, nodes
from fullproof.language.type_inference import infer
from fullproof.language.types import BoolType, Value
from fullproof.model.chart_model import ChartModel
from fullproof.model.sfsm import Sfsm
from fullproof.model.statemachine import StateMachine
from fullproof.model.sts import Sts
from fullproof.mutate.rewrites import Rewriter, Slip, Variant
from fullproof.smt import Sat, Solver, Unknown, open_solver

DEFAULT_CAP = 20
_TIMEOUT = 1.0


class DerivedFault(NamedTuple):
    """A faulty expression that an implementation may contain, and the kind of fault."""

    expression: Expression
    why: str
    original: Expression
    """The original expression."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedFaults:
    """The derived faults in a fixed order; iterating gives pairs of an expression and its reason."""

    faults: tuple[DerivedFault, ...]
    left_out: int
    """The number of candidates that the cap left out, some of which may be equivalent to others."""

    def __iter__(self) -> Iterator[DerivedFault]:
        return iter(self.faults)

    def __len__(self) -> int:
        return len(self.faults)


def derived_guards(model: Sfsm, *, cap: int | None = DEFAULT_CAP) -> DerivedFaults:
    """Typical faults of the guards: each satisfiable, and equivalent to no guard of the model, its domain or the rest.

    The kinds of faults alternate, the most typical first, so that a cap leaves out the least typical.
    """
    known = dict.fromkeys((*(t.guard for t in model.transitions), *model.description.fault_domain.guards))
    scope = model.input_scope
    rewriter = Rewriter(
        scope=scope,
        constants=exchangeable(model, known, scope),
        epsilon=epsilon_of(known, scope),
        equations=frozenset(),
    )
    originals = dict.fromkeys(t.guard for t in model.transitions)
    found = [(slip, e, original) for original in originals for slip, e in rewriter.variants(original)]
    return chosen(found, known, scope, cap)


def guard_mistakes(model: Sfsm, guard: Expression) -> list[Variant]:
    """All well-typed conditions that differ from a guard by one typical mistake; some may be equivalent to it.

    No solver is asked: what they are for is to choose among inputs.
    """
    known = dict.fromkeys(t.guard for t in model.transitions)
    scope = model.input_scope
    rewriter = Rewriter(scope=scope, constants=exchangeable(model, known, scope), epsilon=epsilon_of(known, scope))
    return [(slip, found) for slip, found in rewriter.variants(guard) if _is_condition(found, scope)]


def derived_atoms(model: Sfsm, *, cap: int | None = DEFAULT_CAP) -> tuple[tuple[Expression, ...], DerivedFaults]:
    """The comparisons and truth values that guards consist of, and typical faults of each.

    All of them in an alphabet stand for every guard that combines them by and, or, not: far fewer expressions than the
    guards in which one place is wrong.
    """
    scope = model.input_scope
    guards = dict.fromkeys((*(t.guard for t in model.transitions), *model.description.fault_domain.guards))
    own = tuple(dict.fromkeys(atom for guard in guards for atom in _atoms(guard)))
    rewriter = Rewriter(
        scope=scope, constants=exchangeable(model, own, scope), epsilon=epsilon_of(own, scope), equations=frozenset()
    )
    found = [(slip, e, original) for original in own for slip, e in rewriter.variants(original)]
    return own, chosen(found, (*guards, *own), scope, cap)


def _atoms(guard: Expression) -> Iterator[Expression]:
    match guard:
        case Unary(operator="not", operand=operand):
            yield from _atoms(operand)
        case Binary(operator="and" | "or" | "->", left=left, right=right):
            yield from _atoms(left)
            yield from _atoms(right)
        case Comparison(operands=operands, operators=operators):
            yield from (Comparison(pair, (o,)) for pair, o in zip(pairwise(operands), operators, strict=True))
        case Boolean():
            return
        case _:
            yield guard


def derived_outputs(model: Sfsm, *, cap: int | None = DEFAULT_CAP) -> DerivedFaults:
    """Typical faults of the output expressions, as for guards; equations of outputs stay equations."""
    known = dict.fromkeys((*(t.output for t in model.transitions), *model.description.fault_domain.outputs))
    scope = model.scope
    names = frozenset(variable.name for variable in model.outputs)
    rewriter = Rewriter(
        scope=scope, constants=exchangeable(model, known, scope), epsilon=epsilon_of(known, scope), equations=names
    )
    originals = tuple(dict.fromkeys(t.output for t in model.transitions))
    found = [(slip, e, original) for original in originals for slip, e in rewriter.variants(original)]
    found += [(slip, e, original) for original in originals for slip, e in _exchanged(original, originals, names)]
    return chosen(found, known, scope, cap)


def exchangeable(
    model: Sfsm | StateMachine | Sts | ChartModel, expressions: Iterable[Expression], scope: Scope
) -> tuple[Expression, ...]:
    """The named constants and the literals of these expressions, each value once."""
    named: list[Expression] = [Name(constant.name) for constant in model.description.constants]
    literals = [n for e in expressions for n in nodes(e) if isinstance(n, Integer | Decimal)]
    by_value: dict[tuple[bool, Value], Expression] = {}
    for node in (*named, *literals):
        value = evaluate(node, scope, {})
        by_value.setdefault((isinstance(value, bool), value), node)
    return tuple(by_value.values())


def epsilon_of(expressions: Iterable[Expression], scope: Scope) -> Callable[[frozenset[str]], Fraction]:
    """By how much a boundary of some variables moves, as defined in the module's docstring."""
    variables = {variable.name for variable in scope.variables}
    boundaries: list[tuple[frozenset[str], Fraction]] = []
    for node in (n for e in expressions for n in nodes(e) if isinstance(n, Comparison)):
        fixed = [operand for operand in node.operands if not free_names(operand) & variables]
        numbers = [number for operand in fixed if (number := _number(operand, scope)) is not None]
        boundaries += [(free_names(node) & variables, number) for number in numbers]

    def epsilon(names: frozenset[str]) -> Fraction:
        own = sorted({number for about, number in boundaries if about & names})
        gaps = [b - a for a, b in pairwise(own)] or [abs(number) for number in own if number]
        return _power_of_ten(min(gaps, default=Fraction(1)) / 100)

    return epsilon


def _number(operand: Expression, scope: Scope) -> Fraction | None:
    try:
        value = evaluate(operand, scope, {})
    except UserError:
        return None
    return None if isinstance(value, bool | str) else Fraction(value)


def _power_of_ten(size: Fraction) -> Fraction:
    power = Fraction(1)
    while power > size:
        power /= 10
    while power * 10 <= size:
        power *= 10
    return power


def _exchanged(original: Expression, others: Iterable[Expression], outputs: frozenset[str]) -> Iterator[Variant]:
    """One output as another transition sets it, the others unchanged."""
    mine = _by_output(original, outputs)
    if mine is None or len(mine) < 2:
        return
    for other in others:
        theirs = _by_output(other, outputs)
        if theirs is not None and theirs.keys() == mine.keys():
            for name in mine:
                yield Slip.EXCHANGE, conjunction({**mine, name: theirs[name]}.values())


def _by_output(expression: Expression, outputs: frozenset[str]) -> dict[str, Expression] | None:
    """The conjuncts by the one output that each refers to; None where a conjunct refers to several outputs or to
    none.
    """
    found: dict[str, Expression] = {}
    stack = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, Binary) and node.operator == "and":
            stack += [node.right, node.left]
            continue
        names = free_names(node) & outputs
        if len(names) != 1:
            return None
        (name,) = names
        found[name] = Binary("and", found[name], node) if name in found else node
    return found


def chosen(
    candidates: Iterable[tuple[Slip, Expression, Expression]],
    known: Iterable[Expression],
    scope: Scope,
    cap: int | None,
) -> DerivedFaults:
    """From pairs of a condition and its original: those with a new meaning, the most typical first.

    At most ``cap`` of them, where it is given.
    """
    meanings = _Meanings(scope, open_solver(scope, timeout=_TIMEOUT))
    for expression in known:
        meanings.is_new(expression)
    seen = set(known)
    faults: list[DerivedFault] = []
    left_out = 0
    for _, expression, original in sorted(candidates, key=lambda candidate: candidate[0]):
        if expression in seen or not _is_condition(expression, scope):
            continue
        seen.add(expression)
        if cap is not None and len(faults) >= cap:
            left_out += 1
        elif meanings.is_new(expression):
            why = f"{to_text(expression)} instead of {to_text(original)}"
            faults.append(DerivedFault(expression, why, original))
    return DerivedFaults(faults=tuple(faults), left_out=left_out)


def _is_condition(expression: Expression, scope: Scope) -> bool:
    try:
        return isinstance(infer(expression, scope), BoolType)
    except UserError:
        return False


@dataclass(slots=True)
class _Meanings:
    """Conditions distinguished by the points at which they hold; the solver is asked only where all points agree."""

    scope: Scope
    solver: Solver
    points: list[dict[str, Value]] = field(default_factory=list)
    kept: list[tuple[Expression, list[bool]]] = field(default_factory=list)

    def is_new(self, expression: Expression) -> bool:
        """Keep a condition that is satisfiable and equivalent to none of those kept; undecided conditions are kept."""
        answer = self.solver.check_assuming(expression)
        if not isinstance(answer, Sat | Unknown):
            return False
        if isinstance(answer, Sat):
            self._add(dict(answer.model))
        signs = [bool(holds) for holds in self._signs(expression)]
        for other, its_signs in self.kept:
            if its_signs == signs:
                differ = Unary("not", Comparison((expression, other), ("==",)))
                answer = self.solver.check_assuming(differ)
                if isinstance(answer, Sat):
                    self._add(dict(answer.model))
                    signs = [bool(holds) for holds in self._signs(expression)]
                elif not isinstance(answer, Unknown):
                    return False
        self.kept.append((expression, signs))
        return True

    def _signs(self, expression: Expression) -> list[bool]:
        holds = compile_expression(expression, self.scope)
        return [bool(holds(point)) for point in self.points]

    def _add(self, point: dict[str, Value]) -> None:
        if point in self.points:
            return
        self.points.append(point)
        for expression, signs in self.kept:
            signs.append(bool(compile_expression(expression, self.scope)(point)))
