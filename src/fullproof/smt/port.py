"""The solver port: the interface between the rest of the program and any solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.types import Variable
from fullproof.smt.answers import Answer


class Solver(Protocol):
    """A stack of assertions over the variables of a scope, whose types, ranges and assumptions hold throughout."""

    @property
    def scope(self) -> Scope:
        """The variables and constants the assertions may refer to."""

    def add(self, *expressions: Expression) -> None:
        """Assert conditions until the matching ``pop``."""

    def push(self) -> None:
        """Open a level."""

    def pop(self) -> None:
        """Drop what was asserted since the last ``push``."""

    def check(self) -> Answer:
        """Decide the conjunction of all assertions. A Sat model has a value for every variable of the scope."""

    def check_assuming(self, *expressions: Expression) -> Answer:
        """Decide the assertions together with ``expressions``, which do not stay."""

    def check_exists_forall(
        self, exists: Sequence[Variable], forall: Sequence[Variable], formula: Expression
    ) -> Answer:
        """Decide whether values of ``exists`` satisfy the assertions, and ``formula`` for all values of ``forall``.

        All values of a variable means all of its type's range. Variables of either kind need not be in the scope; the
        scope's own, apart from those in ``forall``, exist as well. A Sat model has the existential ones only.
        """


SomeSolver = TypeVar("SomeSolver", bound=Solver)


@contextmanager
def pushed(solver: SomeSolver) -> Iterator[SomeSolver]:
    """Open a level for the duration of a ``with`` block."""
    solver.push()
    try:
        yield solver
    finally:
        solver.pop()
