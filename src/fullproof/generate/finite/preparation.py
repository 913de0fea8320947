"""What the methods for deterministic machines need, established where that is possible and refused where it is not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fullproof.analysis.covers import state_cover
from fullproof.analysis.minimise import prime, restrict
from fullproof.analysis.reachability import reachable
from fullproof.analysis.separation import separation
from fullproof.analysis.table import (
    Numbering,
    RelationTable,
    Table,
    deterministic_table,
    is_deterministic,
    numbering,
    relation_table,
)
from fullproof.core.counted import counted
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.model.fsm import Fsm

_SHOWN = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prepared:
    """A minimal, connected deterministic machine, complete unless ``partial`` was allowed.

    Its inputs and outputs keep the model's numbers.

    ``names`` are the states' names in the model (of a class of equivalent states, the first); ``notes`` say what was
    done to the model.
    """

    table: Table
    names: tuple[str, ...]
    notes: tuple[str, ...]


def prepare(fsm: Fsm, *, at: Place = NOWHERE, partial: bool = False) -> Prepared:
    """Drop unreachable states and merge equivalent ones.

    Raises UserError where a reachable state is nondeterministic or has an undefined input: it names state, input and
    a shortest word that leads there. ``at`` names the file of the model. ``partial`` allows undefined inputs; states
    that differ in those alone are not equivalent.
    """
    if not fsm.inputs:
        raise UserError("the machine has no inputs, so there is nothing to test", at=at)
    names = numbering(fsm)
    whole = relation_table(fsm)
    kept = reachable(whole)
    connected = restrict(whole, kept)
    reached = Numbering(
        states=tuple(names.states[s] for s in connected.representative), inputs=names.inputs, outputs=names.outputs
    )
    _require_deterministic(fsm, connected.relation, reached, at=at)
    if not partial:
        _require_complete(connected.relation, reached, at=at)
    smallest = prime(connected.relation)
    notes = []
    if not kept.all():
        dropped = [names.states[s] for s in np.flatnonzero(~kept)]
        notes.append(f"dropped {counted(len(dropped), 'unreachable state')}: {_list(dropped)}")
    merged = connected.relation.states - smallest.relation.states
    if merged:
        notes.append(
            f"merged equivalent states, {connected.relation.states} -> {smallest.relation.states}: "
            + _list(_classes(smallest.state_of.tolist(), reached.states), separator="; ")
        )
    return Prepared(
        table=deterministic_table(smallest.relation),
        names=tuple(reached.states[s] for s in smallest.representative),
        notes=tuple(notes),
    )


def inseparable(prepared: Prepared) -> str:
    """Which states of a partial machine no defined word separates, in words; "" where all pairs are separable."""
    words = separation(prepared.table)
    count = words.inseparable
    if not count:
        return "" if bool((prepared.table.target >= 0).any()) else "no input is defined"
    one, other = (prepared.names[state] for state in words.inseparable_pairs(1)[0])
    pairs = f"{count:,} pairs of states, such as {one} and {other}, have" if count > 1 else f"{one} and {other} have"
    return f"{pairs} no common defined input sequence with different outputs (check lists them and what would help)"


def _require_deterministic(fsm: Fsm, relation: RelationTable, names: Numbering, *, at: Place) -> None:
    if is_deterministic(relation):
        return
    cell = int(np.flatnonzero(np.diff(relation.start) > 1)[0])
    state, symbol = divmod(cell, relation.inputs)
    row = range(relation.start[cell], relation.start[cell + 1])
    answers = [f"{names.outputs[relation.output[k]]} -> {names.states[relation.target[k]]}" for k in row]
    raise UserError(
        f"state {names.states[state]!r} is nondeterministic: input {names.inputs[symbol]!r} may give "
        f"{_list(answers, separator=' or ')}; this method needs a deterministic machine",
        at=_line_of(fsm, names.states[state], names.inputs[symbol], at=at),
    )


def _require_complete(relation: RelationTable, names: Numbering, *, at: Place) -> None:
    undefined = np.flatnonzero(np.diff(relation.start) == 0)
    if len(undefined) == 0:
        return
    state, symbol = divmod(int(undefined[0]), relation.inputs)
    word = state_cover(deterministic_table(relation)).word(state)
    access = f" (reached by {' '.join(names.inputs[i] for i in word)})" if word else ""
    raise UserError(
        f"state {names.states[state]!r}{access} has no transition for input {names.inputs[symbol]!r}; this method "
        f"needs a completely specified machine (add the transition, or an 'ignore' entry that makes it a self-loop)",
        at=at,
    )


def _line_of(fsm: Fsm, state: str, symbol: str, *, at: Place) -> Place:
    """The source line of the second transition of a state for an input, where lines are known."""
    found = [k for k, t in enumerate(fsm.transitions) if t.source == state and t.input == symbol]
    return Place(file=at.file, line=fsm.lines[found[1]]) if fsm.lines else at


def _classes(class_of: list[int], names: tuple[str, ...]) -> list[str]:
    """The classes of more than one state, as text."""
    members: dict[int, list[str]] = {}
    for state, number in enumerate(class_of):
        members.setdefault(number, []).append(names[state])
    return [_list(group, separator=" = ") for group in members.values() if len(group) > 1]


def _list(names: Iterable[str], *, separator: str = ", ") -> str:
    listed = list(names)
    return separator.join(listed[:_SHOWN]) + (f"{separator}..." if len(listed) > _SHOWN else "")
