"""Trials of a live system: each runs one sequence of inputs from a reset on, within a budget of steps."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.suite import TestInput
from fullproof.artefacts.verdict import Judgement
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)

Attempt = Callable[[Sequence[S]], Execution]
"""Run a sequence on the system after a reset."""

STEPS = 1_500
"""Inputs and resets of the search for a shortest sequence of one group: what decides where it ends."""
NOWHERE = -1
"""In place of a node: the model has lost the execution, and yet it does not show the failure that is looked for."""


class Ground(Protocol[S]):
    """What the search asks of a model and of the failure that it looks for."""

    def shows(self, execution: Execution, /) -> int | None:
        """How many inputs of an execution are enough to show the failure; None where it does not show it."""

    def node(self, execution: Execution, /) -> int | None:
        """Where the model is after an execution: a number, ``NOWHERE``, or None where the rest shows nothing."""

    def wants(self, node: int, symbol: S, /) -> bool:
        """Whether the model allows an input here."""

    def simpler(self, symbol: S, /) -> Iterable[S]:
        """Inputs that are simpler than this one, the simplest first; each of them has a simplest one below it."""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """What one sequence has shown: the length of the beginning that fails, or the node after it."""

    fails: int | None
    node: int | None = None


_NOTHING = TrialResult(None)


class Trials(Generic[S]):
    """Runs sequences and remembers what they have shown.

    ``steps`` bounds the inputs of all trials, a reset counts as one: it decides where the search ends. The deadline is
    a safety net for slow systems. ``tries`` is how often a sequence is run until it fails, for systems that do not
    always answer alike.
    """

    def __init__(
        self,
        attempt: Attempt[S],
        ground: Ground[S],
        *,
        steps: int,
        deadline: Deadline,
        behind: Callable[[Execution], Execution] | None = None,
    ) -> None:
        self.ground = ground
        self.seen: list[Execution] = []
        """Every execution that the model can judge."""
        self.tries = 1
        self._attempt = attempt
        self._behind = behind
        self._left = steps
        self._deadline = deadline
        self._cut = False
        self._known: dict[tuple[Hashable, ...], TrialResult] = {}

    @property
    def left(self) -> int:
        """The inputs and resets that are left of the budget."""
        return max(0, self._left)

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return self._left <= 0 or self.cut

    @property
    def cut(self) -> bool:
        """Whether the clock has ended the search, and not the budget."""
        self._cut = self._cut or (self._left > 0 and self._deadline.passed())
        return self._cut

    def made(self, words: Iterable[Sequence[S]]) -> Iterator[Sequence[S]]:
        """The words; making them is not on the clock, so that what is found does not depend on how long it takes."""
        waiting = iter(words)
        while True:
            with self._deadline.resting():
                word = next(waiting, None)
            if word is None:
                return
            yield word

    def once(self, word: Sequence[S], *, beyond: bool = False) -> Execution | None:
        """One execution; None where the model cannot judge it, or no budget is left for it and it is not needed."""
        tried = self._tried(word) if beyond or not self.spent else None
        return None if tried is None else tried[0]

    def whole(self, execution: Execution) -> Execution:
        """The last execution with what came behind its failure, where that is known."""
        return execution if self._behind is None else self._behind(execution)

    def run(self, word: Sequence[S]) -> TrialResult:
        """Run a sequence as often as it takes to see it fail, at most ``tries`` times."""
        key = tuple(map(key_of, word))
        known = self._known.get(key)
        if known is not None:
            return known
        result = _NOTHING
        for _ in range(self.tries):
            if self.spent:
                return _NOTHING
            tried = self._tried(word)
            if tried is None:
                break
            result = tried[1]
            if result.fails is not None:
                break
        self._known[key] = result
        return result

    def fails(self, word: Sequence[S]) -> int | None:
        """The length of the beginning of a sequence that fails."""
        return self.run(word).fails

    def _tried(self, word: Sequence[S]) -> tuple[Execution, TrialResult] | None:
        """One execution and what it shows; None where the model cannot judge it."""
        self._left -= 1
        try:
            execution = self._attempt(word)
            self._left -= execution.length
            fails = self.ground.shows(execution)
            result = TrialResult(fails, self.ground.node(execution) if fails is None else None)
        except UserError:  # e.g. a value that a model needs and that a shortened test does not give
            return None
        self.seen.append(execution)
        return execution, result


def key_of(symbol: object) -> Hashable:
    """An input as something that a dictionary takes."""
    if isinstance(symbol, Mapping):
        return tuple(sorted((name, repr(value)) for name, value in symbol.items()))
    return symbol if isinstance(symbol, Hashable) else repr(symbol)


@dataclass(frozen=True, slots=True)
class SystemAtHand:
    """How to ask the system, and what the model says of a failure that is looked for."""

    trying: Callable[[], AbstractContextManager[Attempt[Any]]]
    ground: Callable[[Judgement], Ground[Any]]
    word: Callable[[Execution], Sequence[Any]]
    """What was asked in an execution."""
    alphabet: Callable[[Sequence[Execution]], Sequence[Any]]
    shown: Callable[[Sequence[Any]], tuple[object, ...]]
    """The inputs of a sequence as JSON has them."""
    test: Callable[[Sequence[Any]], tuple[TestInput, ...]]
    """The sequence as the inputs of a test of a suite."""
    steps: int = STEPS
    is_simulated: bool = False
    """Whether a model plays the system, which a reset brings back for certain."""
    behind: Callable[[Execution], Execution] | None = None
    """The last execution as it went on behind its failure, where trials end with it and the system went on."""
    patience: float | None = None
    """The seconds after which a system that does not answer is given up; None: for ever."""
