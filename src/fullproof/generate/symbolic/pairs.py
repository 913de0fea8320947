"""The symbolic alphabet of paper 000, Part II: guards refined to a partition, and pairs that are not equivalent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from fullproof.artefacts.abstraction import IoClasses
from fullproof.generate.symbolic.letters import LetterMachine, letter_machine
from fullproof.language.compile import compile_expression
from fullproof.language.joining import conjunction, disjunction
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression, Unary
from fullproof.model import Sfsm
from fullproof.smt import Sat, Unknown, Unsat, open_solver


class Unknowns(Enum):
    """What to make of outputs of which the solver cannot tell whether they differ under a guard.

    To take them to be different is always right where a distinguishing function is found, since that proves it. To take
    them to be alike is a doubt, which ``PairAlphabet.undecided`` names.
    """

    DIFFER = "differ"
    ALIKE = "alike"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A refined guard with an output expression; ``outputs`` are positions of all that mean the same under it."""

    cell: int
    outputs: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAlphabet:
    """Restrictions 1 and 2, established: ``cells`` are the signs of the guards, and each pair can be satisfied.

    Paper 000, section 8.3. Cells partition the inputs, since they are what the guards' signs can be; two outputs share
    a pair where they hold in the same classes of a cell. ``undecided`` are formulas that would have to be without
    solution for that, and of which the solver could not tell.
    """

    classes: IoClasses
    cells: tuple[tuple[bool, ...], ...]
    pairs: tuple[Pair, ...]
    undecided: tuple[tuple[Expression, str], ...] = ()

    def of_cell(self, cell: int) -> tuple[int, ...]:
        """The positions of the pairs of a cell."""
        return tuple(k for k, pair in enumerate(self.pairs) if pair.cell == cell)


def pair_alphabet(
    model: Sfsm, classes: IoClasses, *, unknowns: Unknowns = Unknowns.DIFFER, timeout: float | None = 10.0
) -> PairAlphabet:
    """Refine the guards to the cells that can occur, and drop what cannot be satisfied or means the same as another.

    The classes tell all of that. Where some of them could not be decided, the solver is asked the little that is needed
    here: whether there are more cells, and whether outputs that hold in the same known classes of a cell differ.
    """
    cells = tuple(sorted({c.guards for c in classes.classes}, reverse=True))
    doubts = _Doubts(model, classes, unknowns, timeout) if classes.undecided else None
    if doubts is not None:
        cells += doubts.more_cells(cells)
    pairs = []
    for number, cell in enumerate(cells):
        inside = [c for c in classes.classes if c.guards == cell]
        alike: dict[tuple[bool, ...], list[int]] = {}
        for output in range(len(classes.alphabet.outputs)):
            alike.setdefault(tuple(c.outputs[output] for c in inside), []).append(output)
        for column, group in alike.items():
            groups = [group] if doubts is None else doubts.split(cell, group, satisfiable=any(column))
            pairs += [Pair(cell=number, outputs=tuple(own)) for own in groups if any(column) or doubts is not None]
    undecided = tuple(doubts.open) if doubts is not None else ()
    return PairAlphabet(classes=classes, cells=cells, pairs=tuple(pairs), undecided=undecided)


class _Doubts:
    """Questions that known classes leave open."""

    def __init__(self, model: Sfsm, classes: IoClasses, unknowns: Unknowns, timeout: float | None) -> None:
        self._unknowns = unknowns
        self.open: list[tuple[Expression, str]] = []
        self._guards, self._outputs = classes.alphabet.guards, classes.alphabet.outputs
        constants = {c.name: c.value for c in model.description.constants}
        scope = Scope((*model.inputs, *model.outputs), constants)
        self._solver = open_solver(scope, timeout=timeout)
        self._holds = [compile_expression(guard, scope) for guard in self._guards]

    def more_cells(self, cells: Sequence[tuple[bool, ...]]) -> tuple[tuple[bool, ...], ...]:
        """Signs of the guards that no known class has."""
        found: list[tuple[bool, ...]] = []
        while True:
            missed = conjunction(Unary("not", self._cell(cell)) for cell in (*cells, *found))
            match self._solver.check_assuming(missed):
                case Sat(values):
                    found.append(tuple(bool(holds(values)) for holds in self._holds))
                case Unknown(reason):
                    self.open.append((missed, reason))
                    return tuple(found)
                case Unsat():
                    return tuple(found)

    def split(self, cell: tuple[bool, ...], group: Sequence[int], *, satisfiable: bool) -> list[list[int]]:
        """A group of outputs that no known class tells apart, by what the solver says of them."""
        here = self._cell(cell)
        groups: list[list[int]] = []
        for output in group:
            own = self._outputs[output]
            if not satisfiable and not self._possible(conjunction((here, own))):
                continue
            for known in groups:
                other = self._outputs[known[0]]
                differ = disjunction((conjunction((own, Unary("not", other))), conjunction((other, Unary("not", own)))))
                if not self._possible(conjunction((here, differ))):
                    known.append(output)
                    break
            else:
                groups.append([output])
        return groups

    def _cell(self, cell: tuple[bool, ...]) -> Expression:
        return conjunction(g if sign else Unary("not", g) for g, sign in zip(self._guards, cell, strict=True))

    def _possible(self, formula: Expression) -> bool:
        match self._solver.check_assuming(formula):
            case Sat():
                return True
            case Unsat():
                return False
            case Unknown(reason):
                if self._unknowns is Unknowns.ALIKE:
                    self.open.append((formula, reason))
                return self._unknowns is Unknowns.DIFFER


def over_pairs(model: Sfsm, alphabet: PairAlphabet) -> LetterMachine:
    """The machine whose inputs are refined guards and whose letters are pairs, left uninterpreted (section 8.5).

    Needs: the guards and outputs of the model are in the alphabet.
    """
    guards = {expression: k for k, expression in enumerate(alphabet.classes.alphabet.guards)}
    outputs = {expression: k for k, expression in enumerate(alphabet.classes.alphabet.outputs)}
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
