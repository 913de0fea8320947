"""Questions as SMT-LIB texts, which any solver can answer, and a second solver that does."""

from __future__ import annotations

from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.smt.second_answers import SecondAnswer


def smt_lib(scope: Scope, formula: Expression) -> str:
    """A formula with the ranges of its variables and the assumptions of the scope, as SMT-LIB 2.6."""
    from fullproof.smt.backends.z3_backend import Z3Solver

    solver = Z3Solver(scope, timeout=None)
    solver.add(formula)
    return solver.smt_lib()


def second_answer(text: str, *, seconds: float) -> SecondAnswer:
    """What cvc5 says of an SMT-LIB text."""
    from fullproof.smt.backends.cvc5_backend import decide_text

    return decide_text(text, seconds=seconds)
