"""Single faults of a deterministic machine that explain all observations of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from fullproof.artefacts.execution import Execution
from fullproof.core.blanks import instead_of
from fullproof.model.fsm import Fsm, FsmTransition

Cell = tuple[str, str]
"""A state and an input."""
Answer = tuple[str, str]
"""An output and the state after it."""


class SingleFault(NamedTuple):
    """One transition with another output or another target."""

    cell: Cell
    right: Answer
    wrong: Answer

    def __str__(self) -> str:
        arrow = f"{self.cell[0]} --{self.cell[1]}/{self.right[0]}--> {self.right[1]}"
        if self.right[0] != self.wrong[0]:
            return f"output {instead_of(self.wrong[0], self.right[0])} on {arrow}"
        return f"target {instead_of(self.wrong[1], self.right[1])} on {arrow}"

    def fits(self, suspects: Suspects, trace: Execution, *, says_all: bool = False) -> bool:
        """Whether the machine with this fault answers as observed, as far as it is defined.

        With ``says_all`` it has to be defined to the end.
        """
        state = suspects.initial
        for step in trace.steps:
            here = (state, str(step.input))
            known = self.wrong if here == self.cell else suspects.table.get(here)
            if known is None or known[0] != step.output:
                return known is None and not says_all
            state = known[1]
        return True

    def machine(self, model: Fsm) -> Fsm:
        """The model with this fault."""
        changed = (t._replace(output=self.wrong[0], target=self.wrong[1]) if t[:2] == self.cell else t
                   for t in model.transitions)  # fmt: skip
        outputs = tuple(dict.fromkeys((*model.outputs, self.wrong[0])))
        return replace(model, outputs=outputs, transitions=tuple(changed))


class SplitFault(NamedTuple):
    """One transition that leads to a copy of its target, which differs from it in one transition."""

    entry: Cell
    original: str
    input: str
    right: Answer
    wrong: Answer
    stays: bool
    """Whether the copy's loops lead to the copy itself."""

    def __str__(self) -> str:
        what = (
            f"{self.input} answers {instead_of(self.wrong[0], self.right[0])}"
            if self.wrong[0] != self.right[0]
            else f"{self.input} leads to {instead_of(self.wrong[1], self.right[1])}"
        )
        entered = f"{self.original}, entered by {self.entry[1]} in {self.entry[0]}"
        return f"an extra state: a copy of {entered}, where {what}"

    def fits(self, suspects: Suspects, trace: Execution, *, says_all: bool = False) -> bool:
        """Whether the machine with this fault answers as observed, as far as it is defined.

        With ``says_all`` it has to be defined to the end.
        """
        state, copy = suspects.initial, False
        for step in trace.steps:
            here = (state, str(step.input))
            faulty = copy and here[1] == self.input
            known = self.wrong if faulty else suspects.table.get(here)
            if known is None or known[0] != step.output:
                return known is None and not says_all
            looped = copy and not faulty and known[1] == self.original
            copy = (not copy and here == self.entry) or (looped and self.stays)
            state = known[1]
        return True

    def machine(self, model: Fsm) -> Fsm:
        """The model with this fault."""
        copy = next(name for k in range(len(model.states) + 1) if (name := f"copy{k or ''}") not in model.states)
        rest = (t._replace(target=copy) if t[:2] == self.entry else t for t in model.transitions)
        inside = (t._replace(source=copy) for t in model.transitions if t.source == self.original)
        faulty = (self._inside(t, copy) for t in inside)
        outputs = tuple(dict.fromkeys((*model.outputs, self.wrong[0])))
        return replace(model, states=(*model.states, copy), outputs=outputs, transitions=(*rest, *faulty))

    def _inside(self, t: FsmTransition, copy: str) -> FsmTransition:
        if t.input == self.input:
            return t._replace(output=self.wrong[0], target=self.wrong[1])
        return t._replace(target=copy) if self.stays and t.target == self.original else t


class Suspects:
    """The faults on the way to the first wrong output of a failing execution: others cannot explain it.

    Needs: a deterministic machine. A trace is followed to its end: an error afterwards is not an output.
    """

    def __init__(self, fsm: Fsm, failing: Iterable[Execution]) -> None:
        self.initial = fsm.initial
        self.table: dict[Cell, Answer] = {(t.source, t.input): (t.output, t.target) for t in fsm.transitions}
        self._states = fsm.states
        ways = [(way, str(trace.steps[len(way) - 1].output)) for trace in failing if (way := self._to_wrong(trace))]
        self._way, self._output = min(ways, key=lambda found: len(found[0]), default=([], ""))

    def answers_seen(self, executions: Iterable[Execution]) -> dict[Cell, str]:
        """What a system answered to each transition on the ways of the model; the first of several answers."""
        answers: dict[Cell, str] = {}
        for trace in executions:
            state = self.initial
            for step in trace.steps:
                cell = state, str(step.input)
                if cell not in self.table:
                    break
                answers.setdefault(cell, str(step.output))
                state = self.table[cell][1]
        return answers

    def single(self) -> Iterator[SingleFault]:
        """Another target of a transition on the way, or the wrong output of the last one."""
        for cell in dict.fromkeys(self._way[:-1]):
            yield from (SingleFault(cell, self.table[cell], wrong) for wrong in self._redirected(self.table[cell]))
        for cell in self._way[-1:]:
            yield SingleFault(cell, self.table[cell], (self._output, self.table[cell][1]))

    def split(self) -> Iterator[SplitFault]:
        """A copy of a state that a transition on the way enters, with a fault on an input that follows there."""
        for entry in dict.fromkeys(self._way[:-1]):
            original = self.table[entry][1]
            for symbol in dict.fromkeys(symbol for source, symbol in self._way if source == original):
                right = self.table[original, symbol]
                wrongs = [(self._output, right[1])] if self._output != right[0] else []
                for wrong in (*wrongs, *self._redirected(right)):
                    for stays in (True, False):
                        yield SplitFault(entry, original, symbol, right, wrong, stays)

    def _redirected(self, right: Answer) -> Iterator[Answer]:
        return ((right[0], state) for state in self._states if state != right[1])

    def _to_wrong(self, trace: Execution) -> list[Cell]:
        """The cells up to the first wrong output; none where every output is the machine's, or undefined."""
        state, way = self.initial, list[Cell]()
        for step in trace.steps:
            way.append((state, str(step.input)))
            known = self.table.get(way[-1])
            if known is None:
                return []
            if known[0] != step.output:
                return way
            state = known[1]
        return []
