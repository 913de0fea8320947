"""Which single fault of a deterministic machine explains everything that a run has seen?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from fullproof.artefacts.trace import Trace
from fullproof.model.fsm import Fsm

Cell = tuple[str, str]
"""A state and an input."""


class SingleFault(NamedTuple):
    """One transition with another output or another target."""

    source: str
    input: str
    right: tuple[str, str]
    wrong: tuple[str, str]

    def __str__(self) -> str:
        arrow = f"{self.source} --{self.input}/{self.right[0]}--> {self.right[1]}"
        if self.right[0] != self.wrong[0]:
            return f"output {self.wrong[0]} instead of {self.right[0]} on {arrow}"
        return f"target {self.wrong[1]} instead of {self.right[1]} on {arrow}"


def single_faults(
    fsm: Fsm, failing: Sequence[Trace], everything: Callable[[], Iterable[Trace]]
) -> Iterator[SingleFault]:
    """All output and transfer faults under which each trace is as observed, most telling trace first.

    Needs: a deterministic machine, and traces of which at least one shows an output that it does not have. A trace is
    followed as far as it went: what broke down afterwards is no output.
    """
    table = {(t.source, t.input): (t.output, t.target) for t in fsm.transitions}
    walks = sorted((_first_wrong(fsm, table, trace), k) for k, trace in enumerate(failing))
    telling = [(length, failing[k]) for length, k in walks if length]
    if not telling:
        return
    length, shortest = telling[0]
    for fault in _candidates(fsm, table, shortest, length):
        changed = ((fault.source, fault.input), fault.wrong)
        if all(_fits(fsm, table, changed, trace) for _, trace in telling) and all(
            _fits(fsm, table, changed, trace) for trace in everything()
        ):
            yield fault


def _candidates(fsm: Fsm, table: dict[Cell, tuple[str, str]], trace: Trace, length: int) -> Iterator[SingleFault]:
    """Faults on the way to the first wrong output: what lies elsewhere cannot explain it."""
    state, seen = fsm.initial, set[Cell]()
    for place, step in enumerate(trace.steps[:length], 1):
        assert isinstance(step.input, str)
        cell = (state, step.input)
        right = table[cell]
        if place == length:
            yield SingleFault(state, step.input, right, (str(step.output), right[1]))
        elif cell not in seen:
            seen.add(cell)
            for target in fsm.states:
                if target != right[1]:
                    yield SingleFault(state, step.input, right, (right[0], target))
        state = right[1]


def _first_wrong(fsm: Fsm, table: dict[Cell, tuple[str, str]], trace: Trace) -> int:
    """The number of the first step whose output is not the machine's, counted from 1; 0 where there is none."""
    state = fsm.initial
    for place, step in enumerate(trace.steps, 1):
        known = table.get((state, str(step.input)))
        if known is None:
            return 0
        if known[0] != step.output:
            return place
        state = known[1]
    return 0


def _fits(fsm: Fsm, table: dict[Cell, tuple[str, str]], changed: tuple[Cell, tuple[str, str]], trace: Trace) -> bool:
    cell, wrong = changed
    state = fsm.initial
    for step in trace.steps:
        here = (state, str(step.input))
        known = wrong if here == cell else table.get(here)
        if known is None:
            return True  # undefined: anything goes from here on
        if known[0] != step.output:
            return False
        state = known[1]
    return True
