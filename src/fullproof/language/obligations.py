"""The obligations of a safety formula after each step: a tableau without eventualities.

An obligation is a set of formulas that must hold from now on. The valuation of the current step decides in which ways
it can be met: each way is an obligation for what follows. Safety formulas in positive normal form have no eventualities
that could be postponed for ever, so an obligation can be met iff an infinite path of obligations starts in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from fullproof.core.errors import UserError
from fullproof.language.decisions import Diagram, Diagrams, TooManyNodes
from fullproof.language.printer import to_text
from fullproof.language.propositions import atomic_propositions
from fullproof.language.safety import offending_operator, positive_normal_form
from fullproof.language.syntax import Binary, Boolean, Expression, Temporal, Unary
from fullproof.language.traversal import nodes

Obligation: TypeAlias = frozenset[int]
"""Positions of formulas in the tableau."""

Demands: TypeAlias = frozenset[Obligation]
"""Obligations of which one has to be met, none of which contains another. The empty set of obligations cannot be
met."""

MOST_ATOMS = 200
NO_WAY: Demands = frozenset()
DONE: Demands = frozenset((frozenset(),))


class FormulaTooLarge(UserError):
    """The automaton of a formula exceeds the limit on its size."""


class Tableau:
    """The obligations of one formula. ``possible`` are the valuations of its atoms that may occur; none: all.

    Needs: a safety property by its form (``offending_operator`` is None). ``most`` bounds the number of obligations,
    and the size of diagrams by a multiple of it.
    """

    def __init__(self, formula: Expression, *, possible: Sequence[tuple[bool, ...]] | None, most: int) -> None:
        self.atoms = _safe_atoms(formula)
        self.diagrams = Diagrams[Demands](most=100 * most)
        self._possible = tuple(dict.fromkeys(map(_bits, possible))) if possible else None
        self._most = most
        self._place = {atom: place for place, atom in enumerate(self.atoms)}
        self._formulas: list[Expression] = []
        self._numbers: dict[Expression, int] = {}
        self._steps: dict[Obligation, Diagram] = {}
        self._start: Obligation = frozenset((self._number(positive_normal_form(formula)),))
        try:
            self._explore()
        except TooManyNodes:
            raise self.too_large() from None
        self._alive = self._fulfillable()
        self.initial: Demands = frozenset((self._start,)) & self._alive

    def step(self, demands: Demands) -> Diagram:
        """The obligations that remain after a step, for each valuation; those that cannot be met are left out."""
        found = self.diagrams.leaf(NO_WAY)
        for obligation in sorted(demands, key=sorted):
            found = self.diagrams.joined(found, self._steps[obligation], either)
        found = self.diagrams.mapped(found, lambda ways: ways & self._alive)
        return self._restricted(found)

    def too_large(self) -> FormulaTooLarge:
        """The error for a formula that exceeds a limit."""
        return FormulaTooLarge(f"the formula {to_text(self._formulas[0])} has too many cases to be monitored")

    def _restricted(self, diagram: Diagram) -> Diagram:
        return diagram if self._possible is None else self.diagrams.restricted(diagram, self._possible)

    def _explore(self) -> None:
        stack = [self._start]
        while stack:
            obligation = stack.pop()
            if obligation in self._steps:
                continue
            diagram = self.diagrams.leaf(DONE)
            for number in sorted(obligation):
                diagram = self.diagrams.joined(diagram, self._unfold(self._formulas[number]), self._both)
            self._steps[obligation] = self._restricted(diagram)
            stack += self._following(obligation)
            if len(self._steps) > self._most:
                raise self.too_large()

    def _following(self, obligation: Obligation) -> set[Obligation]:
        return {way for ways in self.diagrams.leaves(self._steps[obligation]) for way in ways}

    def _fulfillable(self) -> frozenset[Obligation]:
        """The greatest set of obligations each of which has a successor in the set, as a fixpoint."""
        following = {obligation: self._following(obligation) for obligation in self._steps}
        left = {obligation: len(ways) for obligation, ways in following.items()}
        into: dict[Obligation, list[Obligation]] = {obligation: [] for obligation in following}
        for obligation, ways in following.items():
            for way in ways:
                into[way].append(obligation)
        dead = [obligation for obligation, count in left.items() if not count]
        for obligation in dead:  # grows while it is read
            for before in into[obligation]:
                left[before] -= 1
                if not left[before]:
                    dead.append(before)
        return frozenset(left) - frozenset(dead)

    def _number(self, formula: Expression) -> int:
        number = self._numbers.setdefault(formula, len(self._formulas))
        if number == len(self._formulas):
            self._formulas.append(formula)
        return number

    def _later(self, formula: Expression) -> Diagram:
        return self.diagrams.leaf(frozenset((frozenset((self._number(formula),)),)))

    def _unfold(self, formula: Expression) -> Diagram:
        """One step of a formula in positive normal form, by the laws that expand G, W and R."""
        joined = self.diagrams.joined
        match formula:
            case Temporal(operator="X", operands=(operand,)):
                return self._later(operand)
            case Temporal(operator="G", operands=(operand,)):
                return joined(self._unfold(operand), self._later(formula), self._both)
            case Temporal(operator="W", operands=(left, right)):
                on = joined(self._unfold(left), self._later(formula), self._both)
                return joined(self._unfold(right), on, either)
            case Temporal(operator="R", operands=(left, right)):
                on = joined(self._unfold(left), self._later(formula), either)
                return joined(self._unfold(right), on, self._both)
            case Binary(operator="and"):
                return joined(self._unfold(formula.left), self._unfold(formula.right), self._both)
            case Binary(operator="or"):
                return joined(self._unfold(formula.left), self._unfold(formula.right), either)
            case _:
                return self._now(formula, negated=False)

    def _now(self, formula: Expression, *, negated: bool) -> Diagram:
        """A formula without temporal operators, or its negation."""
        match formula:
            case Boolean():
                return self.diagrams.leaf(DONE if formula.value != negated else NO_WAY)
            case Unary(operator="not"):
                return self._now(formula.operand, negated=not negated)
            case Binary(operator="and" | "or" | "->"):
                left = self._now(formula.left, negated=negated != (formula.operator == "->"))
                right = self._now(formula.right, negated=negated)
                together = (formula.operator == "and") != negated
                return self.diagrams.joined(left, right, self._both if together else either)
        holds, fails = (NO_WAY, DONE) if negated else (DONE, NO_WAY)
        return self.diagrams.branch(self._place[formula], self.diagrams.leaf(fails), self.diagrams.leaf(holds))

    def _both(self, first: Demands, second: Demands) -> Demands:
        if len(first) * len(second) > self._most:
            raise self.too_large()
        return _easiest({a | b for a in first for b in second})


def either(first: Demands, second: Demands) -> Demands:
    """Demands that are met where one of two is."""
    return _easiest(first | second)


def _easiest(obligations: Iterable[Obligation]) -> Demands:
    """Drop each obligation that contains another one."""
    kept: list[Obligation] = []
    for obligation in sorted(obligations, key=len):
        if not any(easier <= obligation for easier in kept):
            kept.append(obligation)
    return frozenset(kept)


def _safe_atoms(formula: Expression) -> tuple[Expression, ...]:
    operator = offending_operator(formula)
    if operator is not None:
        raise UserError(f"{to_text(operator)} keeps the formula from being a safety property", at=operator.at)
    return plain_atoms(formula)


def plain_atoms(formula: Expression) -> tuple[Expression, ...]:
    """The atomic propositions. Raises where there are too many, or where one has a temporal operator inside."""
    atoms = atomic_propositions(formula)
    if len(atoms) > MOST_ATOMS:
        raise FormulaTooLarge(f"a formula of {len(atoms)} atomic propositions is too large to be checked")
    if any(isinstance(part, Temporal) for atom in atoms for part in nodes(atom)):
        raise UserError("a temporal operator stands below an arithmetic operator, comparison or if", at=formula.at)
    return atoms


def _bits(valuation: Iterable[bool]) -> int:
    return sum(1 << place for place, holds in enumerate(valuation) if holds)
