"""model -> abstraction: input/output equivalence classes of symbolic machines (paper 000, section 2 and chapter 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fullproof.language.syntax import Expression
from fullproof.language.types import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolicAlphabet:
    """Sigma: the expressions by which a model and its possible faults distinguish inputs and outputs, each once."""

    guards: tuple[Expression, ...]
    outputs: tuple[Expression, ...]
    propositions: tuple[Expression, ...] = ()
    """The atomic propositions of the properties in question."""

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Guards, then outputs, then atomic propositions."""
        return self.guards + self.outputs + self.propositions


@dataclass(frozen=True, slots=True, kw_only=True)
class IoClass:
    """All valuations of inputs and outputs that agree on every expression of an alphabet; there is at least one.

    The three tuples run parallel to those of the alphabet and say which expressions hold.
    """

    id: str
    guards: tuple[bool, ...]
    outputs: tuple[bool, ...]
    propositions: tuple[bool, ...]
    witness: Mapping[str, Value]
    """Values of all inputs and outputs in the class, checked by exact evaluation."""

    @property
    def signs(self) -> tuple[bool, ...]:
        """Parallel to ``SymbolicAlphabet.expressions``."""
        return self.guards + self.outputs + self.propositions


@dataclass(frozen=True, slots=True, kw_only=True)
class Representative:
    """An input valuation, and the positions of the classes that some output completes it to."""

    input: Mapping[str, Value]
    covers: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IoClasses:
    """All classes of an alphabet, and a smallest set of inputs that covers them.

    ``undecided`` are conjunctions for which the solver could not decide whether they contain a class, with its reason.
    Where there is any, a guarantee that rests on these classes must say so.
    """

    alphabet: SymbolicAlphabet
    classes: tuple[IoClass, ...]
    representatives: tuple[Representative, ...]
    undecided: tuple[tuple[Expression, str], ...] = ()
    smallest: bool = True
    """Whether it is proven that no fewer inputs cover these classes; False where the solver gave up or time ran out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardCells:
    """The signs that the guards of an alphabet can have together: the cells of a partition of the inputs.

    ``points[k]`` are a few inputs of cell ``k``, at least one. ``undecided`` is as for ``IoClasses``.
    """

    alphabet: SymbolicAlphabet
    cells: tuple[tuple[bool, ...], ...]
    points: tuple[tuple[Mapping[str, Value], ...], ...]
    undecided: tuple[tuple[Expression, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassMachine:
    """The finite machine behind a symbolic one: ``after[s][c]`` are the states that class ``c`` may lead to from ``s``.

    States are positions in ``states``, classes positions in ``classes.classes``. An empty tuple: no transition of the
    state admits the class.
    """

    states: tuple[str, ...]
    initial: int
    classes: IoClasses
    after: tuple[tuple[tuple[int, ...], ...], ...]
