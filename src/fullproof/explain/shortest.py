"""A shortest sequence that fails, found by running the system.

Parts are dropped while the rest still fails, and values are made simpler. Then words are run in an order of which the
model is the guide: a word is the first one that led the model into some node, followed by j further inputs, for j = 1,
2, ... A single wrong transition shows in such a word with j = 1 + the length of a shortest word that tells its right
target from its wrong one, whatever the number of states. Where every word that is shorter than the best one has been
run, the best one is a shortest of all over the inputs that were tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from fullproof.artefacts.execution import Execution
from fullproof.explain.trials import NOWHERE, Trials, key_of

S = TypeVar("S")

PROBES = 3
"""How often the failing test is run again, to see whether the system answers alike."""
TRIES = 10
"""How often a sequence is run on a system that does not."""
_LONG = 16
"""Segments of more inputs are dropped in sizes that halve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortestFailure(Generic[S]):
    """The sequence, and how far it can be relied upon."""

    word: tuple[S, ...]
    execution: Execution | None
    """One that shows the failure; None where it did not come again."""
    failed: int
    of: int
    """How often it failed, of how many times that it was run."""
    is_minimal: bool
    """Whether every shorter sequence over the inputs tried was run and did not fail, on a system that answers alike."""


def shortest_failure(
    word: Sequence[S], trials: Trials[S], alphabet: Sequence[S], *, answers_alike: bool = True
) -> ShortestFailure[S]:
    """Shorten ``word``, whose last input shows a failure; ``alphabet`` are the inputs to try beside its own.

    ``answers_alike`` is False for a system that is known to answer equal inputs in different ways.

    Guarantee: the result fails on the live system, unless ``failed`` is 0, and is not longer than ``word``; where
    ``is_minimal``, no shorter sequence does, for a system that always answers alike.
    """
    runs = [execution for _ in range(PROBES) if (execution := trials.once(word)) is not None]
    is_steady = answers_alike and len({_answers(execution) for execution in runs}) == 1
    while len(runs) < TRIES and not any(map(_shows(trials), runs)):
        execution = trials.once(word)
        if execution is None:
            break
        runs.append(execution)
    if not any(map(_shows(trials), runs)):
        return ShortestFailure(word=tuple(word), execution=None, failed=0, of=len(runs), is_minimal=False)
    trials.tries = 1 if is_steady else TRIES
    search = _Search(tuple(word), trials)
    search.drop_segments()
    search.simplify()
    is_minimal = search.enumerate(alphabet)
    search.simplify()
    again = (trials.once(search.best, beyond=True) for _ in range(trials.tries))
    runs = [execution for execution in again if execution is not None]
    shown = [execution for execution in runs if trials.ground.shows(execution) is not None]
    return ShortestFailure(
        word=search.best,
        execution=shown[0] if shown else None,
        failed=len(shown),
        of=len(runs),
        is_minimal=is_minimal and is_steady,
    )


def _shows(trials: Trials[S]) -> Callable[[Execution], bool]:
    return lambda execution: trials.ground.shows(execution) is not None


def _answers(execution: Execution) -> str:
    """What a system has answered, to be compared."""
    return repr((execution.events or [(step.output, step.enabled) for step in execution.steps], execution.error))


class _Search(Generic[S]):
    def __init__(self, best: tuple[S, ...], trials: Trials[S]) -> None:
        self.best = best
        self._trials = trials

    def _accepts(self, word: tuple[S, ...]) -> bool:
        """Whether a word fails, which is then the best one, as far as it is needed."""
        length = self._trials.fails(word)
        if length is None:
            return False
        self.best = word[:length]
        return True

    def drop_segments(self) -> None:
        """Drop what is not needed, large parts first."""
        size = len(self.best)
        while size >= 1 and not self._trials.spent:
            size = min(size, len(self.best))
            places = range(len(self.best) - size + 1)
            if not any(self._accepts(self.best[:k] + self.best[k + size :]) for k in places):
                size = size // 2 if size > _LONG else size - 1

    def simplify(self) -> None:
        """Make each input as simple as it can be."""
        for place in range(len(self.best)):
            while place < len(self.best) and not self._trials.spent:
                before, after = self.best[:place], self.best[place + 1 :]
                if not any(self._accepts((*before, other, *after)) for other in self._simpler(place)):
                    break

    def _simpler(self, place: int) -> Iterator[S]:
        return iter(tuple(self._trials.ground.simpler(self.best[place])))

    def enumerate(self, alphabet: Sequence[S]) -> bool:
        """Run shorter words; whether all of them were run."""
        symbols = tuple({key_of(symbol): symbol for symbol in (*self.best, *alphabet)}.values())
        layer = self._entries(symbols)
        while layer and not self._trials.spent:
            layer = [longer for word, node in layer for longer in self._extended(word, node, symbols)]
        return not self._trials.spent

    def _extended(self, word: tuple[S, ...], node: int, symbols: Sequence[S]) -> Iterator[tuple[tuple[S, ...], int]]:
        """The words of one more input that do not fail, as long as a longer one would still be an improvement."""
        for symbol in symbols:
            if len(word) + 1 >= len(self.best) or self._trials.spent:
                return
            if node != NOWHERE and not self._trials.ground.wants(node, symbol):
                continue
            longer = (*word, symbol)
            result = self._trials.run(longer)
            if result.fails is not None:
                self.best = longer[: result.fails]
            elif result.node is not None:
                yield longer, result.node

    def _entries(self, symbols: Sequence[S]) -> list[tuple[tuple[S, ...], int]]:
        """Words that lead the model to a node that a word before them has led it to, each one input off the others.

        The others, which lead to new nodes, are extended here, breadth first.
        """
        empty = self._trials.run(())
        if empty.fails is not None:
            self.best = ()
            return []
        first: list[tuple[tuple[S, ...], int]] = [((), empty.node or 0)]
        known, entries = {empty.node}, []
        for word, node in first:
            for longer, reached in self._extended(word, node, symbols):
                if reached == NOWHERE or reached in known:
                    entries.append((longer, reached))
                else:
                    known.add(reached)
                    first.append((longer, reached))
        return sorted(entries, key=lambda entry: len(entry[0]))
