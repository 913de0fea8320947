"""The propositional abstraction omega of a symbolic machine (paper 000, section 4.2), once it preserves states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fullproof.artefacts.abstraction import ClassMachine
from fullproof.language.syntax import Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Why an abstraction does not preserve states: two words that lead to the same state, but not in the abstraction.

    Words are positions of letters (classes, for a symbolic machine). The abstraction of ``first`` can go on with that
    of ``suffix``, the abstraction of ``second`` cannot, although ``first`` and ``second`` lead to states of the same
    language.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    suffix: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Omega:
    """A propositional abstraction that preserves states: the precondition of paper 000, Theorem 3.

    ``machine`` is the machine asked for, whose classes carry the atomic propositions of the abstraction: those of the
    properties, then ``added``, which were needed because of ``confusion``. ``blocks`` numbers the languages of the
    abstraction: the symbolic traces that lead to a set of states ``p`` (a single one where the machine is observable)
    and those that lead to ``q`` have distinguishable abstractions, Delta(omega(alpha), omega(beta)) != {}, iff
    ``blocks[p] != blocks[q]``. Sets that no trace leads to have no number.
    """

    machine: ClassMachine
    blocks: Mapping[frozenset[int], int]
    added: tuple[Expression, ...] = ()
    smallest: bool = True
    """Whether no smaller set of additions suffices. Otherwise no single one of them can be left out."""
    confusion: Confusion | None = None

    def distinguishes(self, first: int, second: int) -> bool:
        """Whether the abstractions of traces to these states differ. Needs: observable, both states reachable."""
        return self.blocks[frozenset((first,))] != self.blocks[frozenset((second,))]
