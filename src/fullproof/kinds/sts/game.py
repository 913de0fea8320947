"""Manual execution of a symbolic transition system: waiting is a move, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fullproof.core.counted import counted
from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.kinds.game import Form, GameWay, field, read_value
from fullproof.kinds.sts.player import StsPlayer
from fullproof.language.printer import value_to_text
from fullproof.language.types import Value
from fullproof.model import Sts


class StsGame:
    """A system that emits outputs spontaneously."""

    def __init__(self, model: Sts, player: StsPlayer) -> None:
        self._model = model
        self._player = player
        self.taken: tuple[int, ...] = ()

    @property
    def state(self) -> str:
        """The location."""
        return self._player.location

    @property
    def active(self) -> tuple[str, ...]:
        """The location."""
        return (self.state,)

    @property
    def values(self) -> Mapping[str, Value]:
        """The variables."""
        return self._player.variables

    @property
    def clock(self) -> str:
        """It has none."""
        return ""

    def move(self, move: Mapping[str, Any], /) -> tuple[str, str]:
        """Send an input, or wait for an output; or an event that was seen elsewhere."""
        if move.get("event"):
            return self._see(move["event"])
        before, self.taken = self.state, ()
        if not move["name"]:
            emission = self._player.propose()
            if emission is None:
                return "wait", "silence: it emits nothing here"
            self._player.commit(emission)
            self.taken = self._by(before, emission.gate)
            return "wait", _call(emission.gate, emission.values)
        name, given = move["name"], move["values"]
        values = [read_value(given.get(p.name, ""), p) for p in self._player.interface.inputs.get(name, ())]
        if (misfit := self._player.interface.misfit(name, values)) is not None:
            raise UserError(misfit)
        if not self._player.take(name, values):
            raise UserError(f"{_call(name, values)} is not specified here")
        self.taken = self._by(before, name)
        return _call(name, values), ""

    def _see(self, event: Mapping[str, Any]) -> tuple[str, str]:
        """An event as ``event_json`` writes it, where the model has it here; a UserError where not."""
        before, self.taken = self.state, ()
        interface = self._player.interface
        match dict(event):
            case {"send": raw}:
                gate, values = interface.decode(raw)
            case {"emit": [str(gate), [*raw_values]]}:
                values = self._emitted(gate, raw_values)
            case {"silence": _}:
                if self._player.propose() is not None:
                    raise UserError("the model is not silent here: it has an output to give")
                return "wait", "silence: it emits nothing here"
            case _:
                raise UserError("expected an event: send or emit with [gate, [values]], or silence")
        said = _call(gate, values)
        if not self._player.take(gate, values):
            here = " is not specified here" if gate in interface.inputs else " is no output of the model here"
            raise UserError(f"{said}{here}")
        self.taken = self._by(before, gate)
        return (said, "") if gate in interface.inputs else ("wait", said)

    def _emitted(self, gate: str, raw: Sequence[object]) -> tuple[Value, ...]:
        parameters = self._player.interface.outputs.get(gate)
        if parameters is None:
            raise UserError(
                f"unknown output gate {gate[:60]!r}{did_you_mean(gate[:60], self._player.interface.outputs)}"
            )
        if len(parameters) != len(raw):
            raise UserError(f"gate {gate} has {counted(len(parameters), 'value')}, got {len(raw)}")
        return tuple(read_value(value, parameter) for value, parameter in zip(raw, parameters, strict=True))

    def _by(self, before: str, gate: str) -> tuple[int, ...]:
        """The switches of a gate that lead from a location to this one."""
        step, ways = (before, gate, self.state), enumerate(self._model.transitions)
        return tuple(k for k, t in ways if (t.source, t.gate, t.target) == step)

    def choices(self) -> Iterator[Form]:
        """Waiting, and one form for each input gate."""
        yield {"name": "", "fields": []}
        for gate in self._model.inputs:
            yield {"name": gate.name, "fields": [field(p) for p in gate.parameters]}

    def way(self, number: int, /) -> GameWay:
        """Parameters that the guard of an input admits; an output is waited for."""
        switch, model = self._model.transitions[number], self._model
        gate = next((gate for gate in model.inputs if gate.name == switch.gate), None)
        if gate is None:
            return GameWay(name="")
        return GameWay(name=gate.name, free=gate.parameters, known=model.variables, conditions=(switch.guard,))


def _call(gate: str, values: Sequence[Value]) -> str:
    return f"{gate}({', '.join(value_to_text(v) for v in values)})"
