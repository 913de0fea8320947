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


class SplitFault(NamedTuple):
    """One transition that leads to a copy of its target, which differs from it in one transition."""

    entry: Cell
    original: str
    input: str
    right: tuple[str, str]
    wrong: tuple[str, str]
    stays: bool
    """Whether the copy's loops lead to the copy itself."""

    def __str__(self) -> str:
        what = (
            f"{self.input} answers {self.wrong[0]} instead of {self.right[0]}"
            if self.wrong[0] != self.right[0]
            else f"{self.input} leads to {self.wrong[1]} instead of {self.right[1]}"
        )
        entered = f"{self.original}, entered by {self.entry[1]} in {self.entry[0]}"
        return f"an extra state: a copy of {entered}, where {what}"


def split_faults(fsm: Fsm, failing: Sequence[Trace], everything: Callable[[], Iterable[Trace]]) -> Iterator[SplitFault]:
    """All faults in a copy of one state, entered by one transition, under which each trace is as observed.

    Needs as for ``single_faults``; for systems that may have one state more than the model.
    """
    table = {(t.source, t.input): (t.output, t.target) for t in fsm.transitions}
    walks = sorted((_first_wrong(fsm, table, trace), k) for k, trace in enumerate(failing))
    telling = [(length, failing[k]) for length, k in walks if length]
    if not telling:
        return
    length, shortest = telling[0]
    for fault in _copies(fsm, table, shortest, length):
        if all(_fits_copy(fsm, table, fault, trace) for _, trace in telling) and all(
            _fits_copy(fsm, table, fault, trace) for trace in everything()
        ):
            yield fault


def _copies(fsm: Fsm, table: dict[Cell, tuple[str, str]], trace: Trace, length: int) -> Iterator[SplitFault]:
    """Copies entered on the way to the first wrong output, with a fault on an input that follows there."""
    cells: list[Cell] = []
    state = fsm.initial
    for step in trace.steps[:length]:
        cells.append((state, str(step.input)))
        state = table[cells[-1]][1]
    last = str(trace.steps[length - 1].output)
    for entry in dict.fromkeys(cells[:-1]):
        original = table[entry][1]
        for symbol in dict.fromkeys(symbol for source, symbol in cells if source == original):
            right = table[original, symbol]
            wrongs = [(last, right[1])] if last != right[0] else []
            wrongs += [(right[0], target) for target in fsm.states if target != right[1]]
            for wrong in wrongs:
                for stays in (True, False):
                    yield SplitFault(entry, original, symbol, right, wrong, stays)


def _fits_copy(fsm: Fsm, table: dict[Cell, tuple[str, str]], fault: SplitFault, trace: Trace) -> bool:
    state, copy = fsm.initial, False
    for step in trace.steps:
        cell = (state, str(step.input))
        known = fault.wrong if copy and cell[1] == fault.input else table.get(cell)
        if known is None:
            return True
        if known[0] != step.output:
            return False
        looped = copy and known[1] == fault.original and known is not fault.wrong
        copy = (not copy and cell == fault.entry) or (looped and fault.stays)
        state = known[1]
    return True


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
