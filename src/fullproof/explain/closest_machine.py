"""The machine that explains all observations with the fewest changes to a model, by a SAT solver.

Variables say where each transition leads and what it answers. Of each observation that the machine found last
contradicts, the states on its way are added, until no observation is contradicted: most never are. Guarantee: of all
deterministic machines with these states and some more, none that explains the observations changes fewer
transitions of the model's states. What the model leaves undefined a machine may answer in any way, which is no change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from fullproof.smt.sat import open_sat_solver
from fullproof.smt.sat_answers import Contradiction, SatAssignment

Cell = tuple[str, str]
"""A state and an input."""
Answer = tuple[str, str]
"""An output and the state after it."""
Observation = Sequence[tuple[str, str]]
"""Inputs with their outputs, from the initial state on."""

EXTRA = 2
"""States that a machine may have beside those of the model."""
_MOST_CHANGES = 8
_LARGEST = 60_000
"""Variables for targets: beyond that the question is not asked."""
_PROPAGATIONS = 3_000_000
_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ClosestMachine:
    """The machine as a table, and the cells of the model that it changes."""

    table: Mapping[Cell, Answer]
    changed: tuple[Cell, ...]
    extra: tuple[str, ...]


def closest_machine(
    initial: str, table: Mapping[Cell, Answer], observations: Sequence[Observation]
) -> ClosestMachine | None:
    """The machine with the fewest extra states, at most ``EXTRA``, and among those the fewest changes.

    Needs: a deterministic table. None where there is no such machine, or the question is too large.
    """
    states = list(dict.fromkeys((initial, *(cell[0] for cell in table), *(target for _, target in table.values()))))
    inputs = list(dict.fromkeys(symbol for _, symbol in table))
    for extra in range(EXTRA + 1):
        names = [*states, *_fresh(states, extra)]
        if len(names) ** 2 * len(inputs) > _LARGEST:
            return None
        found = _Question(names, inputs, len(states), table, observations).answer()
        if found is not None:
            return found
    return None


def _fresh(states: Sequence[str], number: int) -> list[str]:
    names: list[str] = []
    while len(names) < number:
        names.append(next(n for k in range(1, len(states) + number + 1) if (n := f"extra{k}") not in (*states, *names)))
    return names


class _Question:
    def __init__(
        self,
        names: Sequence[str],
        inputs: Sequence[str],
        own: int,
        table: Mapping[Cell, Answer],
        observations: Sequence[Observation],
    ) -> None:
        self._names, self._inputs, self._own, self._table = names, inputs, own, table
        self._observations = observations
        given = [output for output, _ in table.values()]
        seen = [output for observation in observations for _, output in observation]
        self._outputs = list(dict.fromkeys((*given, *seen)))
        self._solver = open_sat_solver()
        new = self._solver.new_variable
        self._cells = [(state, symbol) for state in names for symbol in inputs]
        self._target = {cell: {state: new() for state in names} for cell in self._cells}
        self._output = {cell: {output: new() for output in self._outputs} for cell in self._cells}
        for cell in self._cells:
            self._solver.add_clause(self._target[cell].values())
            self._solver.add_clause(self._output[cell].values())
            for group in (self._target[cell], self._output[cell]):
                for one, other in combinations(group.values(), 2):
                    self._solver.add_clause((-one, -other))
        self._changes = {cell: new() for cell in self._cells if cell in table}
        for cell, changed in self._changes.items():
            output, target = table[cell]
            self._solver.add_clause((changed, self._target[cell][target]))
            self._solver.add_clause((changed, self._output[cell][output]))
        self._at_most = self._counter(list(self._changes.values()), _MOST_CHANGES)
        self._nodes: dict[tuple[tuple[str, str], ...], dict[str, int]] = {}
        root = {state: new() for state in names}
        self._solver.add_clause((root[names[0]],))
        self._nodes[()] = root

    def answer(self) -> ClosestMachine | None:
        """The machine, or None where there is none or the solver gave up."""
        for changes in range(1, min(_MOST_CHANGES, len(self._changes) + 1)):
            found = self._with(changes)
            if found is not None:
                return found
        return None

    def _with(self, changes: int) -> ClosestMachine | None:
        while True:
            # ``_at_most[k]`` holds where more than k cells are changed, which needs more than k cells.
            bound = [-self._at_most[changes]] if changes < len(self._at_most) else []
            answer = self._solver.solve(bound, seconds=_SECONDS, steps=_PROPAGATIONS)
            if isinstance(answer, Contradiction) or not isinstance(answer, SatAssignment):
                return None
            table = {cell: self._read(answer, cell) for cell in self._cells}
            wrong = next((seen for seen in self._observations if not self._explains(table, seen)), None)
            if wrong is None:
                changed = tuple(cell for cell in self._changes if table[cell] != self._table[cell])
                return ClosestMachine(self._shown(table), changed, tuple(self._names[self._own :]))
            self._add(wrong)

    def _read(self, answer: SatAssignment, cell: Cell) -> Answer:
        output = next(name for name, variable in self._output[cell].items() if answer.holds(variable))
        return output, next(name for name, variable in self._target[cell].items() if answer.holds(variable))

    def _shown(self, table: Mapping[Cell, Answer]) -> Mapping[Cell, Answer]:
        """Of a partial machine, what it leaves undefined only where an observation has shown it."""
        if len(self._table) == self._own * len(self._inputs):
            return table
        shown = set(self._table)
        for observation in self._observations:
            state = self._names[0]
            for symbol, _ in observation:
                shown.add((state, symbol))
                state = table[state, symbol][1]
        return {cell: answer for cell, answer in table.items() if cell in shown}

    def _explains(self, table: Mapping[Cell, Answer], observation: Observation) -> bool:
        state = self._names[0]
        for symbol, seen in observation:
            output, state = table[state, symbol]
            if output != seen:
                return False
        return True

    def _add(self, observation: Observation) -> None:
        """The states on the way of an observation, which it shares with others that begin alike."""
        key: tuple[tuple[str, str], ...] = ()
        for symbol, output in observation:
            here, key = self._nodes[key], (*key, (symbol, output))
            if key in self._nodes:
                continue
            after = self._nodes[key] = {state: self._solver.new_variable() for state in self._names}
            for state, there in here.items():
                self._solver.add_clause((-there, self._output[state, symbol][output]))
                for target, leads in self._target[state, symbol].items():
                    self._solver.add_clause((-there, -leads, after[target]))

    def _counter(self, literals: Sequence[int], most: int) -> list[int]:
        """Variables of which the k-th holds where more than k of the literals do (a sequential counter)."""
        sums: list[int] = []
        for literal in literals:
            before, sums = sums, [self._solver.new_variable() for _ in range(min(most, len(sums) + 1))]
            for place, variable in enumerate(sums):
                if place < len(before):
                    self._solver.add_clause((-before[place], variable))
                if place == 0:
                    self._solver.add_clause((-literal, variable))
                elif place <= len(before):
                    self._solver.add_clause((-literal, -before[place - 1], variable))
        return sums


def observations_of(executions: Iterable[Sequence[tuple[object, object]]]) -> Iterator[Observation]:
    """What black boxes have shown, as texts, each once."""
    known: set[tuple[tuple[str, str], ...]] = set()
    for execution in executions:
        steps = tuple((str(symbol), str(output)) for symbol, output in execution)
        if steps not in known:
            known.add(steps)
            yield steps
