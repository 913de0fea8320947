"""Which states of a symbolic machine have the same language.

An observable machine is a deterministic automaton whose letters are pairs of an input and an output; its transitions
carry formulas over letters (D'Antoni and Veanes 2014). Letters are collected on demand: states that the letters known
so far distinguish are distinct for good; for the others the solver either finds a letter that distinguishes more, or
proves that there is none, in which case the partition is stable and its blocks are the classes of equivalent states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fullproof.check.solving.questions import Questions
from fullproof.check.symbolic.steps import GuardedStep
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import disjunction, negation
from fullproof.language.syntax import Expression
from fullproof.language.types import Value
from fullproof.smt.answers import Sat, Unknown

Letter = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class StateBlocks:
    """Blocks of states that no known letter distinguishes; ``proven`` where it is proven that no letter can."""

    blocks: tuple[tuple[str, ...], ...]
    proven: bool

    @property
    def distinct(self) -> bool | None:
        """Whether no two states are equivalent."""
        if all(len(block) == 1 for block in self.blocks):
            return True
        return False if self.proven else None


def state_classes(
    steps: Mapping[str, Sequence[GuardedStep]], letters: Iterable[Letter], questions: Questions
) -> StateBlocks:
    """The classes of states with the same language.

    Needs: observable; ``steps`` has every state, ``letters`` may be any.
    """
    return _Refinement(steps, questions).classes(list(letters))


class _Refinement:
    def __init__(self, steps: Mapping[str, Sequence[GuardedStep]], questions: Questions) -> None:
        self._steps = steps
        self._questions = questions
        self._holds: dict[Expression, Callable[[Letter], Value]] = {}
        for step in (step for here in steps.values() for step in here):
            if step.predicate not in self._holds:
                self._holds[step.predicate] = compile_expression(step.predicate, questions.scope)

    def classes(self, letters: list[Letter]) -> StateBlocks:
        rows = {state: [self._target(state, letter) for letter in letters] for state in self._steps}
        while True:
            block = _moore(rows)
            blocks = _grouped(block)
            fresh, proven = self._telling_letter(blocks, block)
            if fresh is None:
                return StateBlocks(blocks, proven)
            for state, row in rows.items():
                row.append(self._target(state, fresh))

    def _target(self, state: str, letter: Letter) -> str | None:
        targets = (step.transition.target for step in self._steps[state] if self._holds[step.predicate](letter))
        return next(targets, None)

    def _telling_letter(self, blocks: Sequence[Sequence[str]], block: Mapping[str, int]) -> tuple[Letter | None, bool]:
        """A letter that distinguishes two states of one block, or None and whether it is proven that there is none."""
        proven = True
        for first, *others in blocks:
            for other in others:
                answer = self._difference(first, other, block)
                if isinstance(answer, Sat):
                    return answer.model, True
                proven = proven and not isinstance(answer, Unknown)
        return None, proven

    def _difference(self, one: str, other: str, block: Mapping[str, int]) -> Sat | Unknown | None:
        """A letter that leads one of the states, but not the other, into some block."""
        ways = [self._by_block(state, block) for state in (one, other)]
        unknown: Unknown | None = None
        for goal in sorted(ways[0].keys() | ways[1].keys()):
            here, there = (way.get(goal, frozenset()) for way in ways)
            for mine, theirs in ((here, there), (there, here)):
                if mine <= theirs:
                    continue
                answer = self._questions.ask(
                    disjunction(_ordered(mine)),
                    *(negation(formula) for formula in _ordered(theirs)),
                    about=f"states {one} and {other}",
                )
                if isinstance(answer, Sat):
                    return answer
                unknown = answer if isinstance(answer, Unknown) else unknown
        return unknown

    def _by_block(self, state: str, block: Mapping[str, int]) -> dict[int, frozenset[Expression]]:
        found: dict[int, set[Expression]] = {}
        for step in self._steps[state]:
            found.setdefault(block[step.transition.target], set()).add(step.predicate)
        return {goal: frozenset(formulas) for goal, formulas in found.items()}


def _ordered(formulas: Iterable[Expression]) -> list[Expression]:
    """In an order that does not depend on hashes: the same model gets the same witnesses every time."""
    return sorted(formulas, key=repr)


def _moore(rows: Mapping[str, Sequence[str | None]]) -> dict[str, int]:
    """The coarsest partition in which states of a block go to the same blocks on all letters."""
    block = dict.fromkeys(rows, 0)
    count = 1
    while True:
        numbers: dict[tuple[object, ...], int] = {}
        block = {
            state: numbers.setdefault(
                (block[state], *(None if target is None else block[target] for target in row)), len(numbers)
            )
            for state, row in rows.items()
        }
        if len(numbers) == count:
            return block
        count = len(numbers)


def _grouped(block: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    groups: dict[int, list[str]] = {}
    for state, number in block.items():
        groups.setdefault(number, []).append(state)
    return tuple(tuple(group) for group in groups.values())
