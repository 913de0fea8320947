"""Concrete places of a state machine, and inputs that satisfy trigger conditions there.

The effect of an event depends on the control state, on the attributes other than inputs (the memory), and on the new
inputs; the old inputs are irrelevant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from fullproof.analysis.run_to_completion import (
    CompiledClasses,
    CompletedRun,
    Configuration,
    RunGoesWrong,
    RunToCompletion,
)
from fullproof.artefacts.partition import ClassPartition
from fullproof.language.formulas import has_values, negation
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.types import Value
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent
from fullproof.smt import Sat, Unknown, open_solver, pushed

Memory: TypeAlias = tuple[Value, ...]
Inputs: TypeAlias = tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class MachinePlace:
    """A control state with the values of the attributes other than inputs."""

    state: str
    memory: Memory


Word: TypeAlias = tuple[SignalEvent, ...]


@dataclass(frozen=True, slots=True)
class Reaction:
    """The target of an event, its transitions, and its output."""

    place: MachinePlace
    transitions: tuple[int, ...]
    seen: tuple[object, ...]
    state_class: int | None


class Places:
    """Executes the model and asks the solver for inputs; answers are cached."""

    def __init__(self, model: StateMachine, partition: ClassPartition) -> None:
        self.model = model
        self.partition = partition
        self.calls = 0
        self.open = 0
        """The number of undecided queries."""
        self.machine = RunToCompletion(model)
        self._inputs = tuple(v.name for v in model.inputs)
        self.memory_names = tuple(v.name for v in (*model.outputs, *model.variables))
        variables = (*model.inputs, *model.outputs, *model.variables)
        scope = Scope(variables, {c.name: c.value for c in model.description.constants})
        self._solver = open_solver(scope, timeout=2.0)
        self._classes = CompiledClasses(partition.states, scope)
        self._start: tuple[MachinePlace, int | None] | None = None
        self._solved: dict[tuple[Memory, Expression, int], tuple[Inputs, ...]] = {}
        self._reactions: dict[tuple[MachinePlace, SignalEvent], Reaction | None] = {}

    def start(self) -> tuple[MachinePlace, int | None]:
        """The initial place and its class: one in which it would rest with some inputs; None where it never rests.

        The effect of an event does not depend on the inputs before it, so Definition 1 applies to the first event, too.
        """
        if self._start is None:
            configuration = self.machine.start
            values = self.machine.values(configuration)
            place = MachinePlace(configuration.state, tuple(values[name] for name in self.memory_names))
            mine = [(k, c) for k, c in enumerate(self.partition.states) if c.state == place.state]
            resting = (k for k, c in mine if self.inputs_for(place.memory, c.condition))
            self._start = place, next(resting, None)
        return self._start

    def inputs_for(self, memory: Memory, condition: Expression, *, most: int = 1) -> tuple[Inputs, ...]:
        """Up to ``most`` different inputs that satisfy a condition with this memory; fewer where there are no more."""
        key = memory, condition, most
        if key not in self._solved:
            self._solved[key] = tuple(self._solve(memory, condition, most))
        return self._solved[key]

    def _solve(self, memory: Memory, condition: Expression, most: int) -> list[Inputs]:
        found: list[Inputs] = []
        with pushed(self._solver) as solver:
            solver.add(has_values(zip(self.memory_names, memory, strict=True)), condition)
            while len(found) < most:
                self.calls += 1
                answer = solver.check()
                if not isinstance(answer, Sat):
                    self.open += isinstance(answer, Unknown)
                    break
                found.append(tuple((name, answer.model[name]) for name in self._inputs))
                if not self._inputs:
                    break
                solver.add(negation(has_values(found[-1])))
        return found

    def react(self, place: MachinePlace, event: SignalEvent) -> Reaction | None:
        """Execute an event; None where the model goes wrong or is nondeterministic."""
        key = place, event
        if key not in self._reactions:
            self._reactions[key] = self._played(place, event)
        return self._reactions[key]

    def _played(self, place: MachinePlace, event: SignalEvent) -> Reaction | None:
        before = self.configuration(place)
        return self.only(lambda: self.machine.runs(before, event.signal, event.values))

    def configuration(self, place: MachinePlace) -> Configuration:
        """A place as a configuration of the machine, without values of the inputs."""
        return Configuration(place.state, (*(None for _ in self._inputs), *place.memory))

    def only(self, play: Callable[[], list[CompletedRun]]) -> Reaction | None:
        """The only run that is possible, as a reaction; None where the machine goes wrong or is nondeterministic."""
        try:
            runs = play()
        except RunGoesWrong:
            return None
        if len(runs) != 1:
            return None
        values = self.machine.values(runs[0].end)
        seen = (*runs[0].sent, *(values[v.name] for v in self.model.outputs))
        after = MachinePlace(runs[0].end.state, tuple(values[name] for name in self.memory_names))
        number = self._classes.of(after.state, values)
        return Reaction(after, runs[0].transitions, seen, number)
