"""The abstract machine of paper 003, section 5: state classes, letters, and transformations as outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from fullproof.analysis.symbolic_runs import SymbolicRuns
from fullproof.artefacts.partition import Case, ClassPartition, Justification
from fullproof.generate.statemachine.letters import TriggerLetter
from fullproof.language.printer import to_text
from fullproof.model import StateMachine

AbstractLetter = tuple[int, str | None]
"""A letter by its number, with a signal or no signal."""


@dataclass(frozen=True, slots=True, eq=False)
class AbstractMachine:
    """For each class and letter that can meet, the class reached and the output: signals and transformation."""

    rows: tuple[Mapping[AbstractLetter, tuple[int, object]], ...]

    def characterisation(self) -> tuple[tuple[tuple[AbstractLetter, ...], ...], tuple[tuple[int, int], ...]]:
        """W: for each pair of classes a shortest word whose outputs differ; and the pairs that have none.

        A word counts only where both classes can meet all its letters.
        """
        pairs = list(combinations(range(len(self.rows)), 2))
        letters = dict.fromkeys(letter for row in self.rows for letter in row)
        separated = {(letter,): {pair for pair in pairs if self._separates((letter,), *pair)} for letter in letters}
        words: dict[tuple[AbstractLetter, ...], None] = {}
        left = set().union(*separated.values())
        while left:  # few letters that distinguish many pairs
            best = max(separated, key=lambda word: len(separated[word] & left))
            words[best] = None
            left -= separated[best]
        alike: list[tuple[int, int]] = []
        for pair in pairs:
            if any(self._separates(word, *pair) for word in words):
                continue
            word = self._shortest(*pair)
            if word is None:
                alike.append(pair)
            else:
                words[word] = None
        return tuple(words), tuple(alike)

    def _separates(self, word: Sequence[AbstractLetter], one: int, other: int) -> bool:
        for letter in word:
            here, there = self.rows[one].get(letter), self.rows[other].get(letter)
            if here is None or there is None:
                return False
            if here[1] != there[1]:
                return True
            one, other = here[0], there[0]
        return False

    def _shortest(self, one: int, other: int) -> tuple[AbstractLetter, ...] | None:
        waiting: list[tuple[int, int, tuple[AbstractLetter, ...]]] = [(one, other, ())]
        met = {(one, other)}
        for a, b, word in waiting:
            for letter, (after, output) in self.rows[a].items():
                there = self.rows[b].get(letter)
                if there is None:
                    continue
                if there[1] != output:
                    return (*word, letter)
                pair = after, there[0]
                if pair[0] != pair[1] and pair not in met:
                    met.add(pair)
                    waiting.append((*pair, (*word, letter)))
        return None


def abstract_machine(
    model: StateMachine, partition: ClassPartition, found: Justification, letters: Sequence[TriggerLetter]
) -> AbstractMachine:
    """Section 5, from the pairs that were justified; transformations are compared as they are written."""
    runs = SymbolicRuns(model)
    memory = [v.name for v in (*model.outputs, *model.variables)]
    shown: dict[tuple[str, str | None, tuple[int, ...]], object] = {}
    rows: list[dict[AbstractLetter, tuple[int, object]]] = [{} for _ in partition.states]
    for pair in found.pairs:
        if pair.case not in (Case.STAYS, Case.RUNS) or pair.target is None:
            continue
        key = partition.states[pair.state].state, pair.signal, pair.transitions
        if key not in shown:
            _, run = runs.condition(*key)
            shown[key] = run.sends, tuple(to_text(run.replaced[name]) for name in memory)
        for number, letter in enumerate(letters):
            if letter.trigger == pair.trigger:
                rows[pair.state][number, pair.signal] = pair.target, shown[key]
    return AbstractMachine(tuple(rows))
