"""A symbolic transition system in motion: it takes inputs, and emits outputs of its own accord."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fullproof.core.suggest import did_you_mean
from fullproof.execute.play.assigning import Assigning
from fullproof.execute.play.outputs import OutputFinder
from fullproof.execute.sut import SutError
from fullproof.language.compile import compile_expression
from fullproof.language.printing import type_to_text, value_to_text
from fullproof.language.scope import Scope
from fullproof.language.types import Value
from fullproof.language.values import coerce, in_range
from fullproof.model import Sts
from fullproof.model.sts import Gate


@dataclass(frozen=True, slots=True)
class Emission:
    """An output that the system may emit now, and what becomes of it then."""

    gate: str
    values: tuple[Value, ...]
    location: str
    variables: dict[str, Value]


class StsPlayer:
    """Plays any sts. Choices are random; a state in which ``propose`` finds nothing is quiescent."""

    def __init__(self, model: Sts, random: Random) -> None:
        self._model = model
        self._random = random
        constants = {c.name: c.value for c in model.description.constants}
        self.inputs = {gate.name: gate for gate in model.inputs}
        self._outputs = {gate.name: gate for gate in model.outputs}
        self._scopes = {
            gate.name: Scope((*model.variables, *gate.parameters), constants)
            for gate in (*model.inputs, *model.outputs)
        }
        self._finders = {gate.name: OutputFinder(self._scopes[gate.name], gate.parameters) for gate in model.outputs}
        self._switches = {
            location: [
                (t, compile_expression(t.guard, self._scopes[t.gate]), Assigning(t.assignments, self._scopes[t.gate]))
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

    def take(self, gate: str, values: Sequence[Value]) -> bool:
        """Take an input; False where it is undefined here, and nothing has happened."""
        known = self._variables | dict(zip((p.name for p in self._gate(gate).parameters), values, strict=True))
        here = [(t, update) for t, guard, update in self._switches[self._location] if t.gate == gate and guard(known)]
        if not here:
            return False
        switch, update = self._random.choice(here)
        self._variables = self._variables | update.at_once(known)
        self._location = switch.target
        return True

    def propose(self) -> Emission | None:
        """A random output that is possible now, or None. It happens when it is handed to ``commit``."""
        here = [(t, update) for t, _, update in self._switches[self._location] if t.gate in self._outputs]
        self._random.shuffle(here)
        for switch, update in here:
            found = self._finders[switch.gate].find(switch.guard, self._variables).draw(self._random)
            if found is not None:
                variables = self._variables | update.at_once({**self._variables, **found})
                values = tuple(found[p.name] for p in self._outputs[switch.gate].parameters)
                return Emission(switch.gate, values, switch.target, variables)
        return None

    def commit(self, emission: Emission) -> None:
        """Go where an output leads."""
        self._location, self._variables = emission.location, emission.variables

    def where(self) -> str:
        """The location and the values of the variables, for messages."""
        values = ", ".join(f"{name} = {value_to_text(value)}" for name, value in self._variables.items())
        return f"{self._location} ({values})" if values else self._location

    def check(self, gate: str, values: Sequence[Value]) -> None:
        """SutError where an input does not fit its gate."""
        parameters = self._gate(gate).parameters
        if len(values) != len(parameters):
            raise SutError(f"gate {gate} takes {len(parameters)} values, got {len(values)}")
        for parameter, value in zip(parameters, values, strict=True):
            if not in_range(value, parameter.type):
                text = f"{parameter.name} = {value_to_text(value)} is outside {type_to_text(parameter.type)}"
                raise SutError(f"gate {gate}: {text}")

    def _gate(self, name: str) -> Gate:
        if name not in self.inputs:
            raise SutError(f"unknown input gate {name!r}{did_you_mean(name, self.inputs)}")
        return self.inputs[name]
