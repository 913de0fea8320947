"""Automata of LTL formulas over infinite words: transition-based generalised Büchi automata, built on the fly.

Couvreur 1999 (FM'99): a state is a set of formulas that must hold from here on. A step under a valuation unfolds each
of them; an eventuality (F, U) is either fulfilled in the step or postponed, and then the step carries it as a promise.
A run is accepting iff no promise is carried by all of its steps from some point on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from fullproof.language.obligations import FormulaTooLarge, plain_atoms
from fullproof.language.printer import to_text
from fullproof.language.safety import positive_normal_form
from fullproof.language.syntax import Binary, Boolean, Expression, Temporal, Unary

Obligation: TypeAlias = frozenset[int]
"""Numbers of formulas that must hold from now on."""

MOST_MOVES = 5_000


class BuchiMove(NamedTuple):
    """The formulas that remain after a step, and the numbers of the eventualities that the step postpones."""

    obligation: Obligation
    promises: frozenset[int]


_DONE = frozenset((BuchiMove(frozenset(), frozenset()),))
_NO_WAY: frozenset[BuchiMove] = frozenset()


class Buchi:
    """The automaton of one formula; a letter says for each of ``atoms`` whether it holds.

    Guarantee: an infinite word satisfies the formula iff the automaton has an accepting run over it. No restriction on
    the formula's form. ``most`` bounds the moves of one step; beyond it FormulaTooLarge is raised.
    """

    def __init__(self, formula: Expression, *, most: int = MOST_MOVES) -> None:
        self.atoms = plain_atoms(formula)
        self._most = most
        self._place = {atom: place for place, atom in enumerate(self.atoms)}
        self._formula = formula
        self._formulas: list[Expression] = []
        self._numbers: dict[Expression, int] = {}
        self._known: dict[tuple[Obligation, tuple[bool, ...]], tuple[BuchiMove, ...]] = {}
        self.initial: Obligation = frozenset((self._number(positive_normal_form(formula)),))

    def moves(self, obligation: Obligation, valuation: Sequence[bool]) -> tuple[BuchiMove, ...]:
        """The ways to meet an obligation in a step with this valuation, in a fixed order; none where it cannot be
        met.
        """
        key = (obligation, tuple(valuation))
        if key not in self._known:
            found = _DONE
            for number in sorted(obligation):
                found = self._both(found, self._unfold(self._formulas[number], key[1]))
            ordered = sorted(found, key=lambda move: (sorted(move.promises), sorted(move.obligation)))
            self._known[key] = tuple(ordered)
        return self._known[key]

    def _number(self, formula: Expression) -> int:
        number = self._numbers.setdefault(formula, len(self._formulas))
        if number == len(self._formulas):
            self._formulas.append(formula)
        return number

    def _later(self, formula: Expression) -> frozenset[BuchiMove]:
        return frozenset((BuchiMove(frozenset((self._number(formula),)), frozenset()),))

    def _put_off(self, formula: Expression) -> frozenset[BuchiMove]:
        number = frozenset((self._number(formula),))
        return frozenset((BuchiMove(number, number),))

    def _unfold(self, formula: Expression, valuation: tuple[bool, ...]) -> frozenset[BuchiMove]:
        """One step of a formula in positive normal form, by the laws that expand F, G, U, W and R."""
        match formula:
            case Temporal(operator="X", operands=(operand,)):
                return self._later(operand)
            case Temporal(operator="F", operands=(operand,)):
                return self._either(self._unfold(operand, valuation), self._put_off(formula))
            case Temporal(operator="G", operands=(operand,)):
                return self._both(self._unfold(operand, valuation), self._later(formula))
            case Temporal(operator="U", operands=(left, right)):
                on = self._both(self._unfold(left, valuation), self._put_off(formula))
                return self._either(self._unfold(right, valuation), on)
            case Temporal(operator="W", operands=(left, right)):
                on = self._both(self._unfold(left, valuation), self._later(formula))
                return self._either(self._unfold(right, valuation), on)
            case Temporal(operator="R", operands=(left, right)):
                on = self._either(self._unfold(left, valuation), self._later(formula))
                return self._both(self._unfold(right, valuation), on)
            case Binary(operator="and"):
                return self._both(self._unfold(formula.left, valuation), self._unfold(formula.right, valuation))
            case Binary(operator="or"):
                return self._either(self._unfold(formula.left, valuation), self._unfold(formula.right, valuation))
            case _:
                return _DONE if self._now(formula, valuation) else _NO_WAY

    def _now(self, formula: Expression, valuation: tuple[bool, ...]) -> bool:
        """Whether a formula without temporal operators holds."""
        match formula:
            case Boolean():
                return formula.value
            case Unary(operator="not"):
                return not self._now(formula.operand, valuation)
            case Binary(operator="and"):
                return self._now(formula.left, valuation) and self._now(formula.right, valuation)
            case Binary(operator="or"):
                return self._now(formula.left, valuation) or self._now(formula.right, valuation)
            case Binary(operator="->"):
                return not self._now(formula.left, valuation) or self._now(formula.right, valuation)
        return valuation[self._place[formula]]

    def _both(self, first: frozenset[BuchiMove], second: frozenset[BuchiMove]) -> frozenset[BuchiMove]:
        if len(first) * len(second) > self._most:
            raise FormulaTooLarge(f"the formula {to_text(self._formula)} has too many cases to be checked")
        return _easiest(BuchiMove(a.obligation | b.obligation, a.promises | b.promises) for a in first for b in second)

    @staticmethod
    def _either(first: frozenset[BuchiMove], second: frozenset[BuchiMove]) -> frozenset[BuchiMove]:
        return _easiest(first | second)


def _easiest(moves: Iterable[BuchiMove]) -> frozenset[BuchiMove]:
    """Drop a move where another one demands and promises no more.

    What meets an obligation meets every part of it, so the words that the other move accepts include those of the
    dropped one.
    """
    kept: list[BuchiMove] = []
    for move in sorted(set(moves), key=lambda m: len(m.obligation) + len(m.promises)):
        if not any(easier.obligation <= move.obligation and easier.promises <= move.promises for easier in kept):
            kept.append(move)
    return frozenset(kept)
