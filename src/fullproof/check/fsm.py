"""Finite machines: everything is decided, on flat tables, without a solver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fullproof.analysis.equivalence import state_classes
from fullproof.analysis.reachability import reachable
from fullproof.analysis.table import Numbering, RelationTable, numbering, relation_table
from fullproof.artefacts.finding import Finding, Profile
from fullproof.check.properties import unsafe_properties
from fullproof.check.remarks import LISTED, arranged, error, first_few, note, some_of, warning, written_states_note
from fullproof.check.separability import inseparable_states
from fullproof.check.subsets import determinised
from fullproof.core.counted import counted
from fullproof.core.errors import NOWHERE, Place
from fullproof.model import Fsm

_GAPS = 3
"""How many states with missing inputs, and how many inputs of each, are spelt out in one line."""

Numbers = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class _Machine:
    """A model with its table and names; ``cells`` counts the transitions of each state and input."""

    model: Fsm
    table: RelationTable
    names: Numbering
    cells: Numbers

    def state_and_input(self, cell: int) -> tuple[str, str]:
        state, symbol = divmod(int(cell), self.table.inputs)
        return self.names.states[state], self.names.inputs[symbol]


def check_fsm(model: Fsm) -> Profile:
    """Profile of a finite machine.

    ``minimal`` means: every state can be reached and no two have the same language (where an undefined input is an
    observation of its own); None where a machine that is not observable has too many sets of states to decide that.
    """
    table = relation_table(model)
    machine = _Machine(model, table, numbering(model), np.diff(table.start))
    reached = reachable(table)
    ambiguous = _ambiguous(table)
    classes = _classes(table, observable=len(ambiguous) == 0)
    connected = bool(reached.all())
    distinct = None if classes is None else len(np.unique(classes)) == table.states
    findings = [
        *_no_transitions(model),
        *_unreachable(machine, np.flatnonzero(~reached)),
        *_equivalent(machine, classes),
        *_written_states(machine, classes, observable=len(ambiguous) == 0),
        *_nondeterministic(machine, np.flatnonzero(machine.cells > 1)),
        *_not_observable(machine, ambiguous),
        *_incomplete(machine, np.flatnonzero(machine.cells == 0)),
        *inseparable_states(table, machine.names),
        *unsafe_properties(model.description.properties),
        *_unused(machine),
        *_initial_not_reentered(machine),
    ]
    return Profile(
        kind=model.kind,
        name=model.name,
        states=len(model.states),
        transitions=len(model.transitions),
        deterministic=bool((machine.cells <= 1).all()),
        complete=bool((machine.cells >= 1).all()),
        observable=len(ambiguous) == 0,
        minimal=distinct if connected else False,
        connected=connected,
        findings=arranged(findings),
    )


def _ambiguous(table: RelationTable) -> Numbers:
    """Positions of transitions that share state, input and output with the next one, and so have different targets."""
    cell = np.repeat(np.arange(len(table.start) - 1), np.diff(table.start))
    same = (cell[1:] == cell[:-1]) & (table.output[1:] == table.output[:-1])
    return np.flatnonzero(same)


def _classes(table: RelationTable, *, observable: bool) -> Numbers | None:
    """The class of each state, by language; None where bisimilarity does not decide and there are too many subsets."""
    if observable:
        return state_classes(table)
    sets = determinised(table)
    if sets is not None:
        return state_classes(sets)[: table.states]
    # Bisimilar states have the same language: merged states are equivalent, others may be equivalent as well.
    bisimilar = state_classes(table)
    return bisimilar if len(np.unique(bisimilar)) < table.states else None


def _no_transitions(model: Fsm) -> Iterator[Finding]:
    if not model.transitions:
        yield error("no-transitions", "machine", "there is no transition: the machine never answers")


def _unreachable(machine: _Machine, states: Numbers) -> Iterator[Finding]:
    if len(states):
        names = [machine.names.states[k] for k in states[:LISTED]]
        yield warning(
            "unreachable-state",
            f"{'state' if len(states) == 1 else 'states'} {some_of(names, total=len(states))}",
            f"no input sequence leads there from {machine.model.initial}; no test can cover it",
            witness={"states": names},
        )


def _equivalent(machine: _Machine, classes: Numbers | None) -> Iterator[Finding]:
    if classes is None:
        yield note(
            "minimality-unknown",
            "machine",
            "the machine is not observable and has too many sets of states to tell which states are equivalent",
        )
        return
    order = np.argsort(classes, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(classes[order])) + 1)

    def finding(members: Numbers) -> Finding:
        names = [machine.names.states[k] for k in members[:LISTED]]
        return warning(
            "equivalent-states",
            f"states {some_of(names, total=len(members))}",
            "no input sequence distinguishes them; methods count them as one state",
            witness={"states": names},
        )

    yield from first_few([group for group in groups if len(group) > 1], finding)


def _written_states(machine: _Machine, classes: Numbers | None, *, observable: bool) -> Iterator[Finding]:
    """Of an observable machine: suites for others count the states of an observable one."""
    if classes is not None and observable:
        names = machine.names.states
        yield from written_states_note(machine.model, {names[k]: int(found) for k, found in enumerate(classes)})


def _nondeterministic(machine: _Machine, cells: Numbers) -> Iterator[Finding]:
    places = _places(machine, cells)

    def finding(cell: int) -> Finding:
        table, names = machine.table, machine.names
        state, symbol = machine.state_and_input(cell)
        entries = range(table.start[cell], table.start[cell + 1])
        results = [f"{names.outputs[table.output[k]]} -> {names.states[table.target[k]]}" for k in entries]
        return warning(
            "nondeterministic",
            f"state {state}, input {symbol}",
            f"{counted(len(results), 'transition')}: {some_of(results)}",
            witness={"state": state, "input": symbol},
            at=places.get((state, symbol), NOWHERE),
        )

    yield from first_few(cells.tolist(), finding)


def _not_observable(machine: _Machine, ambiguous: Numbers) -> Iterator[Finding]:
    table, names = machine.table, machine.names
    cell_of = np.searchsorted(table.start, ambiguous, side="right") - 1
    places = _places(machine, cell_of)

    def finding(position: int) -> Finding:
        state, symbol = machine.state_and_input(int(np.searchsorted(table.start, position, side="right")) - 1)
        output = names.outputs[table.output[position]]
        targets = [names.states[table.target[k]] for k in (position, position + 1)]
        return warning(
            "not-observable",
            f"state {state}, input {symbol}",
            f"output {output} leads to {targets[0]} as well as to {targets[1]}",
            witness={"state": state, "input": symbol, "output": output, "targets": targets},
            at=places.get((state, symbol), NOWHERE),
        )

    yield from first_few(ambiguous.tolist(), finding)


def _incomplete(machine: _Machine, cells: Numbers) -> Iterator[Finding]:
    if len(cells) == 0:
        return
    owners, firsts, counts = np.unique(cells // machine.table.inputs, return_index=True, return_counts=True)
    gaps = []
    for first, count in zip(firsts[:_GAPS].tolist(), counts[:_GAPS].tolist(), strict=True):
        pairs = [machine.state_and_input(cell) for cell in cells[first : first + min(count, _GAPS)]]
        gaps.append(f"{pairs[0][0]} ({some_of([symbol for _, symbol in pairs], total=count)})")
    state, symbol = machine.state_and_input(cells[0])
    yield warning(
        "incomplete",
        f"{len(owners):,} of {counted(machine.table.states, 'state')}",
        f"no transition for {counted(len(cells), 'pair')} of state and input: {some_of(gaps, total=len(owners))}",
        witness={"state": state, "input": symbol},
    )


def _unused(machine: _Machine) -> Iterator[Finding]:
    table, names = machine.table, machine.names
    per_input = machine.cells.reshape(table.states, table.inputs).sum(axis=0)
    inputs = [names.inputs[k] for k in np.flatnonzero(per_input == 0)]
    outputs = [names.outputs[k] for k in np.flatnonzero(np.bincount(table.output, minlength=table.outputs) == 0)]
    if inputs:
        yield note("unused-input", f"inputs: {some_of(inputs)}", "declared, but no transition takes it")
    if outputs:
        yield note("unused-output", f"outputs: {some_of(outputs)}", "declared, but no transition gives it")


def _initial_not_reentered(machine: _Machine) -> Iterator[Finding]:
    if machine.table.states > 1 and not bool((machine.table.target == 0).any()):
        yield note(
            "initial-not-reentered",
            f"state {machine.model.initial}",
            "no transition leads back to the initial state: only a reset does",
        )


def _places(machine: _Machine, cells: Numbers) -> dict[tuple[str, str], Place]:
    """The line of the first transition of each of the first few cells, where the model has line numbers."""
    wanted = {machine.state_and_input(cell) for cell in cells[:LISTED]}
    if not wanted or len(machine.model.lines) != len(machine.model.transitions):
        return {}
    pairs = zip(machine.model.transitions, machine.model.lines, strict=True)
    found = [((t.source, t.input), Place(line=line)) for t, line in pairs if (t.source, t.input) in wanted]
    return dict(reversed(found))
