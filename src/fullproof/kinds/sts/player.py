"""Execution of symbolic transition systems, which take inputs and emit outputs spontaneously."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from fullproof.execute.play import Emission
from fullproof.execute.play.outputs import OutputFinder
from fullproof.execute.sut import SutError
from fullproof.language.compile import compile_expression
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.types import Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model import Sts
from fullproof.model.sts import TAU, Assignment, Switch

_MOST_INTERNAL = 1000
"""The number of consecutive internal steps that is regarded as endless."""


class StsPlayer:
    """Executes any sts. Choices are random; a state in which ``propose`` finds nothing is quiescent.

    Internal steps happen during the search for an output, and where an input is undefined before them.
    """

    def __init__(self, model: Sts, random: Random) -> None:
        self._model = model
        self._random = random
        constants = {c.name: c.value for c in model.description.constants}
        self.interface = model.interface
        self._outputs = {gate.name: gate for gate in model.outputs}
        self._scopes = {gate.name: Scope((*model.variables, *gate.parameters), constants) for gate in model.gates}
        self._finders = {gate.name: OutputFinder(self._scopes[gate.name], gate.parameters) for gate in model.outputs}
        self._switches = {
            location: [
                (t, compile_expression(t.guard, self._scopes[t.gate]), _Update(t.assignments, self._scopes[t.gate]))
                for t in model.transitions
                if t.source == location
            ]
            for location in model.states
        }
        self._location = model.initial
        self._variables: dict[str, Value] = {}
        self.reset()

    def reset(self) -> None:
        """Return to the initial location and values."""
        self._location = self._model.initial
        self._variables = {v.name: coerce(v.initial, v.type) for v in self._model.variables if v.initial is not None}

    @property
    def location(self) -> str:
        """The current location."""
        return self._location

    @property
    def variables(self) -> dict[str, Value]:
        """The current values of the variables."""
        return dict(self._variables)

    def take_now(self, gate: str, values: Sequence[Value]) -> bool:
        """Take an event before any internal step; False where it is impossible here, and the state is unchanged."""
        interface = self.interface
        parameters = interface.outputs[gate] if gate in interface.outputs else interface.inputs[gate]
        given = dict(zip((p.name for p in parameters), values, strict=True))
        return self._step(gate, given)

    def take(self, gate: str, values: Sequence[Value]) -> bool:
        """Take an input, or an output with given values; False where that is impossible; only internal steps may have
        happened.
        """
        for _ in range(_MOST_INTERNAL):
            if self.take_now(gate, values):
                return True
            if not self._step(TAU, {}):
                return False
        raise self._endless()

    def propose(self) -> Emission | None:
        """A random output that is possible now, or None. It takes effect when passed to ``commit``."""
        for _ in range(_MOST_INTERNAL):
            moved, emission = self._spontaneous()
            if not moved:
                return emission
        raise self._endless()

    def _spontaneous(self) -> tuple[bool, Emission | None]:
        """Whether an internal step has happened, else an output if one is possible."""
        here = [
            (t, guard, update)
            for t, guard, update in self._switches[self._location]
            if t.gate not in self.interface.inputs
        ]
        self._random.shuffle(here)
        for switch, guard, update in here:
            if switch.gate == TAU:
                if guard(self._variables):
                    self._go(switch, update, {})
                    return True, None
                continue
            found = self._finders[switch.gate].find(switch.guard, self._variables).draw(self._random)
            if found is not None:
                variables = self._variables | update({**self._variables, **found})
                values = tuple(found[p.name] for p in self._outputs[switch.gate].parameters)
                return False, Emission(switch.gate, values, switch.target, variables)
        return False, None

    def commit(self, emission: Emission) -> None:
        """Take the transition of an output."""
        self._location, self._variables = emission.location, emission.variables

    def _step(self, gate: str, given: Mapping[str, Value]) -> bool:
        """Take one of the switches of a gate that are possible, if there is one."""
        known = {**self._variables, **given}
        here = [(t, update) for t, guard, update in self._switches[self._location] if t.gate == gate and guard(known)]
        if here:
            self._go(*self._random.choice(here), given)
        return bool(here)

    def _go(self, switch: Switch, update: _Update, given: Mapping[str, Value]) -> None:
        self._variables = self._variables | update({**self._variables, **given})
        self._location = switch.target

    def _endless(self) -> SutError:
        return SutError(f"the model goes on in internal steps without end in {self.where()}")

    def where(self) -> str:
        """The location and the values of the variables, for messages."""
        values = ", ".join(f"{name} = {value_to_text(value)}" for name, value in self._variables.items())
        return f"{self._location} ({values})" if values else self._location


class _Update:
    """The assignments of a switch, compiled: all at once, exactly, within the ranges of their variables."""

    def __init__(self, assignments: Sequence[Assignment], scope: Scope) -> None:
        self._parts: list[tuple[Variable, Callable[[Mapping[str, Value]], Value]]] = [
            (scope.variable(a.variable), compile_expression(a.expression, scope)) for a in assignments
        ]

    def __call__(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The new values."""
        return {variable.name: _within(variable, new(values)) for variable, new in self._parts}


def _within(variable: Variable, value: Value) -> Value:
    value = coerce(value, variable.type)
    if not in_range(value, variable.type):
        text = f"{variable.name} = {value_to_text(value)} leaves {type_to_text(variable.type)}"
        raise SutError(f"the model goes wrong: {text}")
    return value
