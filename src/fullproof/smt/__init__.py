"""The solver port and its answers; only smt/backends imports a solver."""

from __future__ import annotations

from fullproof.language.scope import Scope
from fullproof.smt.answers import Answer, Sat, Unknown, Unsat
from fullproof.smt.port import Solver, pushed

__all__ = ["Answer", "Sat", "Solver", "Unknown", "Unsat", "open_solver", "pushed"]


def open_solver(scope: Scope, *, timeout: float | None = 10.0, patience: float = 10.0) -> Solver:
    """Return a fresh solver over the variables of the scope; ``timeout`` bounds each check, in seconds that stand for
    steps.

    Steps are counted, so that a slow machine gets the same answers; the clock ends only a check that takes ``patience``
    times as long.

    The same sequence of calls gets the same answers and models, whatever other solvers did in this process.
    """
    from fullproof.smt.backends.z3_backend import Z3Solver

    return Z3Solver(scope, timeout=timeout, patience=patience)
