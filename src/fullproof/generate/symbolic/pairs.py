"""The symbolic alphabet of paper 000, Part II: guards refined to a partition, and pairs that are not equivalent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from fullproof.artefacts.abstraction import GuardCells, SymbolicAlphabet
from fullproof.generate.symbolic.letters import LetterMachine, letter_machine
from fullproof.language.compile import compile_expression
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction, disjunction
from fullproof.language.syntax import Expression, Unary
from fullproof.model import Sfsm
from fullproof.smt import Sat, Solver, Unknown, Unsat, open_solver, pushed


class Unknowns(Enum):
    """How to treat outputs for which the solver cannot decide whether they differ under a guard.

    Treating them as different is always correct where a distinguishing function is found, since that proves it.
    Treating them as equal is an assumption, which ``PairAlphabet.undecided`` names.
    """

    DIFFER = "differ"
    ALIKE = "alike"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinedPair:
    """A refined guard with an output expression; ``outputs`` are positions of all expressions that are equivalent under
    it.
    """

    cell: int
    outputs: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAlphabet:
    """Restrictions 1 and 2, established: ``cells`` are the signs of the guards, and each pair can be satisfied.

    Paper 000, section 8.3. Cells partition the inputs, since they are what the guards' signs can be; two outputs share
    a pair where they are equivalent under a cell. ``undecided`` are formulas that must be unsatisfiable for that and
    that the solver could not decide; ``doubts`` is the number of undecided queries about outputs.
    """

    guard_cells: GuardCells
    pairs: tuple[RefinedPair, ...]
    undecided: tuple[tuple[Expression, str], ...] = ()
    doubts: int = 0

    @property
    def alphabet(self) -> SymbolicAlphabet:
        """The guards and outputs."""
        return self.guard_cells.alphabet

    @property
    def cells(self) -> tuple[tuple[bool, ...], ...]:
        """The signs of the guards that can occur."""
        return self.guard_cells.cells

    def of_cell(self, cell: int) -> tuple[int, ...]:
        """The positions of the pairs of a cell."""
        return tuple(k for k, pair in enumerate(self.pairs) if pair.cell == cell)


def pair_alphabet(
    model: Sfsm,
    cells: GuardCells,
    *,
    excluded: Collection[tuple[Expression, Expression]] = (),
    unknowns: Unknowns = Unknowns.DIFFER,
    timeout: float | None = 10.0,
) -> PairAlphabet:
    """Drop, under each refined guard, the outputs that are unsatisfiable or equivalent to another one.

    ``excluded`` are guards, which the cells refine, with outputs that no system gives under them (section 11, step 4).

    One query for each cell and output, and one for each two outputs that have the same sign at all values seen so far:
    output expressions are never combined with one another.
    """
    solver = open_solver(_scope(model), timeout=timeout)
    pairs: list[RefinedPair] = []
    undecided = list(cells.undecided)
    doubts = 0
    for number, signs in enumerate(cells.cells):
        with pushed(solver):
            solver.add(cell_condition(cells.alphabet.guards, signs))
            grouping = _Grouping(model, cells.alphabet.outputs, solver, unknowns)
            never = _never(cells.alphabet, signs, excluded)
            groups = [group for group in grouping.groups() if not never.issuperset(group)]
            pairs += [RefinedPair(cell=number, outputs=tuple(group)) for group in groups]
        undecided += grouping.open
        doubts += grouping.doubts
    return PairAlphabet(guard_cells=cells, pairs=tuple(pairs), undecided=tuple(undecided), doubts=doubts)


def _never(
    alphabet: SymbolicAlphabet, signs: Sequence[bool], excluded: Collection[tuple[Expression, Expression]]
) -> frozenset[int]:
    """The outputs that no system gives in a cell, unless an equivalent one is still possible."""
    holding = {guard for guard, sign in zip(alphabet.guards, signs, strict=True) if sign}
    gone = {output for guard, output in excluded if guard in holding}
    return frozenset(k for k, output in enumerate(alphabet.outputs) if output in gone)


def cell_condition(guards: Sequence[Expression], signs: Sequence[bool]) -> Expression:
    """The condition that the guards have these signs."""
    return conjunction(g if sign else Unary("not", g) for g, sign in zip(guards, signs, strict=True))


def _scope(model: Sfsm) -> Scope:
    return model.scope


class _Grouping:
    """Outputs grouped by equivalence under the guard that the solver asserts."""

    def __init__(self, model: Sfsm, outputs: Sequence[Expression], solver: Solver, unknowns: Unknowns) -> None:
        self.open: list[tuple[Expression, str]] = []
        self.doubts = 0
        self._outputs, self._solver, self._unknowns = outputs, solver, unknowns
        scope = _scope(model)
        self._holds = [compile_expression(output, scope) for output in outputs]
        self._met: list[tuple[bool, ...]] = []
        """The signs of all outputs at the solver's values."""

    def groups(self) -> list[list[int]]:
        """The satisfiable outputs, grouped by equivalence."""
        possible = [k for k, output in enumerate(self._outputs) if self._possible(output)]
        groups: list[list[int]] = []
        for output in possible:
            for known in groups:
                if not self._differ(output, known[0]):
                    known.append(output)
                    break
            else:
                groups.append([output])
        return groups

    def _differ(self, one: int, other: int) -> bool:
        if any(signs[one] is not signs[other] for signs in self._met):
            return True
        first, second = self._outputs[one], self._outputs[other]
        apart = (conjunction((first, Unary("not", second))), conjunction((second, Unary("not", first))))
        return self._possible(disjunction(apart))

    def _possible(self, formula: Expression) -> bool:
        match self._solver.check_assuming(formula):
            case Sat(values):
                self._met.append(tuple(holds(values) is True for holds in self._holds))
                return True
            case Unsat():
                return False
            case Unknown(reason):
                self.doubts += 1
                if self._unknowns is Unknowns.ALIKE:
                    self.open.append((formula, reason))
                return self._unknowns is Unknowns.DIFFER


def over_pairs(model: Sfsm, alphabet: PairAlphabet) -> LetterMachine:
    """The machine whose inputs are refined guards and whose letters are pairs, left uninterpreted (section 8.5).

    Needs: the guards and outputs of the model are in the alphabet.
    """
    guards = {expression: k for k, expression in enumerate(alphabet.alphabet.guards)}
    outputs = {expression: k for k, expression in enumerate(alphabet.alphabet.outputs)}
    number = {state: k for k, state in enumerate(model.states)}
    after: list[list[set[int]]] = [[set() for _ in alphabet.pairs] for _ in model.states]
    for t in model.transitions:
        guard, output = guards[t.guard], outputs[t.output]
        for letter, pair in enumerate(alphabet.pairs):
            if alphabet.cells[pair.cell][guard] and output in pair.outputs:
                after[number[t.source]][letter].add(number[t.target])
    return letter_machine(
        number[model.initial],
        [[sorted(targets) for targets in row] for row in after],
        [frozenset(alphabet.of_cell(cell)) for cell in range(len(alphabet.cells))],
    )
