"""The symbolic alphabet of paper 000, Part II: guards refined to a partition, and pairs that are not equivalent."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.artefacts.abstraction import IoClasses
from fullproof.generate.symbolic.letters import LetterMachine, letter_machine
from fullproof.model import Sfsm


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A refined guard with an output expression; ``outputs`` are positions of all that mean the same under it."""

    cell: int
    outputs: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAlphabet:
    """Restrictions 1 and 2, established: ``cells`` are the signs of the guards, and each pair can be satisfied.

    Paper 000, section 8.3. Cells partition the inputs, since they are what the guards' signs can be; two outputs share
    a pair where they hold in the same classes of a cell.
    """

    classes: IoClasses
    cells: tuple[tuple[bool, ...], ...]
    pairs: tuple[Pair, ...]

    def of_cell(self, cell: int) -> tuple[int, ...]:
        """The positions of the pairs of a cell."""
        return tuple(k for k, pair in enumerate(self.pairs) if pair.cell == cell)


def pair_alphabet(classes: IoClasses) -> PairAlphabet:
    """Refine the guards to the cells that can occur, and drop what cannot be satisfied or means the same as another.

    Needs: the classes of the alphabet are all known, or the guarantee says which are not.
    """
    cells = tuple(sorted({c.guards for c in classes.classes}, reverse=True))
    pairs = []
    for number, cell in enumerate(cells):
        inside = [c for c in classes.classes if c.guards == cell]
        alike: dict[tuple[bool, ...], list[int]] = {}
        for output in range(len(classes.alphabet.outputs)):
            alike.setdefault(tuple(c.outputs[output] for c in inside), []).append(output)
        pairs += [Pair(cell=number, outputs=tuple(group)) for column, group in alike.items() if any(column)]
    return PairAlphabet(classes=classes, cells=cells, pairs=tuple(pairs))


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
