"""Who sees that an unknown machine goes wrong: the model, or the monitor of a property."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from fullproof.artefacts.request import ALL_ANSWERS, GREY_BOX, Relation
from fullproof.certify.letter_encoding import LetterEncoding
from fullproof.certify.observable import TraceMachine, trace_difference

Letters = tuple[int, ...]


class Observer(Protocol):
    """A machine that reads letters."""

    @property
    def rows(self) -> Sequence[dict[int, int]]:
        """For each state the letters that it goes on after, with the state reached; state 0 is initial."""

    def wrong(self, encoding: LetterEncoding, s: int, t: int) -> Iterator[int]:
        """The literals of which one holds where a machine in state ``t`` goes wrong before the observer in ``s``."""

    def sees(self, machine: TraceMachine, inputs: Sequence[Collection[int]] = ()) -> Letters | None:
        """A shortest trace that shows that a machine goes wrong; None where there is none.

        Decided on the machine itself, without the encoding. ``inputs``: what some inputs offer, beside whole cells.
        """


class ConformanceObserver:
    """The model: a machine goes wrong where a common trace leads to a pair of states that breaks the relation."""

    def __init__(self, model: TraceMachine, relation: Relation) -> None:
        self._model, self._relation = model, relation

    @property
    def rows(self) -> Sequence[dict[int, int]]:
        """Those of the model."""
        return self._model.after

    def wrong(self, encoding: LetterEncoding, s: int, t: int) -> Iterator[int]:
        """Of grey-box relations, another set of defined cells; a letter too many; one too few where all must be; an
        input that is refused, where the fault domain says when that is so.
        """
        row, defined = self._model.after[s], self._model.defined(s)
        for k, cell in enumerate(self._model.cells):
            if self._relation in GREY_BOX:
                yield -encoding.enabled[t, k] if k in defined else encoding.enabled[t, k]
            if k in defined and (s, t, k) in encoding.refuses:
                yield encoding.refuses[s, t, k]
            for letter in cell if k in defined else ():
                if letter not in row:
                    yield encoding.has[t, letter]
                elif self._relation in ALL_ANSWERS:
                    yield -encoding.has[t, letter]

    def sees(self, machine: TraceMachine, inputs: Sequence[Collection[int]] = ()) -> Letters | None:
        """By the definition of the relation."""
        return trace_difference(self._model, machine, self._relation, inputs)


class PropertyObserver:
    """The monitor of a safety property: ``after[state][letter]``, and the state that follows a bad prefix."""

    def __init__(self, after: Sequence[dict[int, int]], violated: int) -> None:
        self._after, self._violated = after, violated

    @property
    def rows(self) -> Sequence[dict[int, int]]:
        """All steps but those that complete a bad prefix."""
        return [{letter: t for letter, t in row.items() if t != self._violated} for row in self._after]

    def wrong(self, encoding: LetterEncoding, s: int, t: int) -> Iterator[int]:
        """A letter that completes a bad prefix."""
        for letter, after in self._after[s].items():
            if after == self._violated:
                yield encoding.has[t, letter]

    def sees(self, machine: TraceMachine, inputs: Sequence[Collection[int]] = ()) -> Letters | None:  # noqa: ARG002
        """By a walk through machine and monitor."""
        traces: dict[tuple[int, int], Letters] = {(0, 0): ()}
        queue = [(0, 0)]
        for s, t in queue:  # grows while it is walked
            for letter, target in machine.after[t].items():
                pair = (self._after[s][letter], target)
                if pair[0] == self._violated:
                    return (*traces[s, t], letter)
                if pair not in traces:
                    traces[pair] = (*traces[s, t], letter)
                    queue.append(pair)
        return None


def goes_wrong(encoding: LetterEncoding, observer: Observer) -> None:
    """Demand that some trace of the machine goes wrong before an observer."""
    faults = []
    for (s, t), here in encoding.watch(observer.rows).items():
        fault = encoding.solver.new_variable()
        encoding.solver.add_clause([-fault, here])
        encoding.solver.add_clause([-fault, *observer.wrong(encoding, s, t)])
        faults.append(fault)
    encoding.solver.add_clause(faults)
