"""Bad-prefix monitors of LTL safety formulas: minimal deterministic automata over valuations of atomic propositions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fullproof.language.compile import compile_expression
from fullproof.language.decisions import Diagram, Diagrams, TooManyNodes
from fullproof.language.obligations import NO_WAY, Demands, FormulaTooLarge, Tableau
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.types import Value

__all__ = ["MOST_STATES", "FormulaTooLarge", "Monitor", "monitor_of", "valuation_of"]

MOST_STATES = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """A complete deterministic automaton. State ``violated`` is reached exactly at the end of a bad prefix, and kept.

    ``violated`` is None where the formula has no bad prefix. ``initial`` may be ``violated``: then nothing satisfies
    the formula. No two states have the same future.
    """

    atoms: tuple[Expression, ...]
    initial: int
    violated: int | None
    _steps: tuple[Diagram, ...] = field(repr=False)
    _diagrams: Diagrams[int] = field(repr=False, compare=False)

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self._steps)

    def step(self, state: int, valuation: Sequence[bool]) -> int:
        """The state after one more letter, which says for each atom whether it holds.

        Needs: one of the possible valuations, where ``monitor_of`` was given any.
        """
        return self._diagrams.value(self._steps[state], valuation)

    def run(self, word: Iterable[Sequence[bool]]) -> int | None:
        """How many letters make a bad prefix of the word, or None where none of its prefixes is bad."""
        state = self.initial
        if state == self.violated:
            return 0
        for number, letter in enumerate(word, 1):
            state = self.step(state, letter)
            if state == self.violated:
                return number
        return None


def monitor_of(
    formula: Expression, *, possible: Sequence[tuple[bool, ...]] | None = None, most: int = MOST_STATES
) -> Monitor:
    """The bad-prefix monitor of a safety formula; its letters are valuations of ``atomic_propositions(formula)``.

    A bad prefix is a finite word all of whose infinite continuations violate the formula; here, a word and
    continuations over ``possible``, by default over all valuations. Tableau, emptiness of what is still demanded,
    subset construction, minimisation. Raises a UserError where the formula is not safety by its form, and
    FormulaTooLarge beyond ``most`` states or a multiple of them in other respects.
    """
    tableau = Tableau(formula, possible=possible, most=most)
    numbers: dict[Demands, int] = {tableau.initial: 0}
    queue = [tableau.initial]
    steps: list[Diagram] = []
    try:
        for demands in queue:  # grows while it is read
            steps.append(tableau.step(demands))
            for left in tableau.diagrams.leaves(steps[-1]):
                if left not in numbers:
                    numbers[left] = len(queue)
                    queue.append(left)
            if len(queue) > most:
                raise tableau.too_large()
    except TooManyNodes:
        raise tableau.too_large() from None
    return _minimised(tableau, steps, numbers)


def valuation_of(monitor: Monitor, scope: Scope) -> Callable[[Mapping[str, Value]], tuple[bool, ...]]:
    """A function from values of all variables to the letter that a monitor reads."""
    tests = [compile_expression(atom, scope) for atom in monitor.atoms]
    return lambda values: tuple(bool(test(values)) for test in tests)


def _minimised(tableau: Tableau, steps: Sequence[Diagram], numbers: Mapping[Demands, int]) -> Monitor:
    """Merge states with the same future: Moore's refinement on diagrams, which are equal iff their functions are."""
    block = {demands: int(demands == NO_WAY) for demands in numbers}
    count = len(set(block.values()))
    while True:
        signatures: dict[tuple[int, Diagram], int] = {}
        diagrams = Diagrams[int](most=10 * MOST_STATES**2)
        mapped = _copies(tableau.diagrams, steps, block, diagrams)
        block = {
            demands: signatures.setdefault((block[demands], step), len(signatures))
            for demands, step in zip(numbers, mapped, strict=True)
        }
        if len(signatures) == count:
            break
        count = len(signatures)
    # The last round changed no block, but may have given them other numbers.
    mapped = _copies(tableau.diagrams, steps, block, diagrams)
    of_block = dict(zip(block.values(), mapped, strict=True))
    return Monitor(
        atoms=tableau.atoms,
        initial=block[tableau.initial],
        violated=block.get(NO_WAY),
        _steps=tuple(of_block[number] for number in range(count)),
        _diagrams=diagrams,
    )


def _copies(
    source: Diagrams[Demands], steps: Sequence[Diagram], block: Mapping[Demands, int], target: Diagrams[int]
) -> list[Diagram]:
    known: dict[Diagram, Diagram] = {}
    return [source.copied(step, block.__getitem__, target, known) for step in steps]
