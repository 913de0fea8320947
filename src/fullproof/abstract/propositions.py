"""Which sets of atomic propositions can hold together with some conditions: omega of a transition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fullproof.abstract.budget import PathSolver
from fullproof.language.compile import compile_expression
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction
from fullproof.language.syntax import Expression, Unary
from fullproof.language.types import Value
from fullproof.smt import Sat, Unknown, Unsat

MOST_DOUBTS = 64


class Valuation(NamedTuple):
    """The propositions that hold, values for which they hold, and why a solver could not decide whether there are
    any.
    """

    signs: tuple[bool, ...]
    witness: Mapping[str, Value]
    doubt: str = ""


@dataclass(slots=True)
class PropositionValuations:
    """All valuations that can occur, those in doubt included; ``lost`` says why some may be missing even so."""

    found: list[Valuation] = field(default_factory=list)
    lost: str = ""

    @property
    def certain(self) -> list[tuple[bool, ...]] | None:
        """The valuations, or None where anything is in doubt."""
        if self.lost or any(valuation.doubt for valuation in self.found):
            return None
        return [valuation.signs for valuation in self.found]


def valuations_within(
    conditions: Sequence[Expression], atoms: Sequence[Expression], scope: Scope, asking: PathSolver
) -> PropositionValuations:
    """Search a tree with one level per atom; values found so far decide one branch of each node without a query."""
    search = _Search(
        asking=asking,
        literals=[(Unary("not", atom), atom) for atom in atoms],
        holds=[compile_expression(atom, scope) for atom in atoms],
    )
    search.visit(tuple(conditions), (), None)
    return search.result


@dataclass(slots=True)
class _Search:
    asking: PathSolver
    literals: list[tuple[Expression, Expression]]
    holds: list[Callable[[Mapping[str, Value]], object]]
    result: PropositionValuations = field(default_factory=PropositionValuations)
    doubts: int = 0

    def visit(self, path: tuple[Expression, ...], signs: tuple[bool, ...], model: Mapping[str, Value] | None) -> None:
        """Look for all valuations below a node; ``model`` are values in it, where they are known."""
        doubt = ""
        if model is None:
            self.asking.move(path)
            match self.asking.check():
                case Sat(found):
                    model = found
                case Unsat():
                    return
                case Unknown(reason):
                    doubt = f"whether {to_text(conjunction(path))} can be satisfied: {reason}"
        if len(signs) == len(self.literals):
            self._note(Valuation(signs, model or {}, doubt))
        elif self.doubts < MOST_DOUBTS:
            sign = model is not None and self.holds[len(signs)](model) is True
            for next_sign, values in ((sign, model), (not sign, None)):
                self.visit((*path, self.literals[len(signs)][next_sign]), (*signs, next_sign), values)
        else:
            self.result.lost = self.result.lost or doubt or "too much is in doubt"

    def _note(self, valuation: Valuation) -> None:
        self.result.found.append(valuation)
        self.doubts += bool(valuation.doubt)
