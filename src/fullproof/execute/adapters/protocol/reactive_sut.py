"""``tcp:``, ``exec:`` and ``serial:`` with a mapping file, for systems that give outputs at any time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fullproof.core.deadline import Deadline
from fullproof.execute.adapters.mapping import spelt
from fullproof.execute.adapters.protocol.answering_sut import start_station
from fullproof.execute.adapters.protocol.mapping import ProtocolMapping, read_protocol_mapping, vocabulary_of
from fullproof.execute.adapters.protocol.pattern import Message
from fullproof.execute.adapters.protocol.station import Station
from fullproof.execute.adapters.reactive.reading import Emissions
from fullproof.execute.observation import shown, written
from fullproof.execute.reactive import Gated
from fullproof.execute.sut import SutError
from fullproof.language.types import Value


class ReactiveProtocolSut:
    """A system whose messages are outputs: the name of a pattern is a gate, its groups are the parameters."""

    in_process = False
    synchronous = False

    def __init__(self, mapping: ProtocolMapping, model: Gated, *, step_timeout: float | None) -> None:
        self._mapping = mapping
        self._parameters = {gate.name: gate.parameters for gate in model.gates}
        self._emissions = Emissions(model)
        self._timeout = step_timeout
        self.station = Station(mapping, step_timeout=step_timeout)

    def reset(self) -> None:
        """By the steps of the mapping file."""
        self.station.reset()

    def send(self, gate: str, values: tuple[Value, ...]) -> None:
        """Send what stands for the input."""
        move = self._mapping.moves[gate]
        if move.opens:
            self.station.open(move.session)
        for exchange in move.first:
            self.station.exchange(exchange, move.session)
        if move.send:
            names = (parameter.name for parameter in self._parameters[gate])
            given = dict(zip(names, map(spelt, values), strict=True))
            self.station.send(move.session, move.send, {"input": move.name, **given})
        if move.closes:
            self.station.shut(move.session)

    def receive(self, timeout: float) -> tuple[str, tuple[Value, ...]] | None:
        """The next message as an output."""
        message = self.station.arrived() if timeout == 0 else self.station.next(timeout, self._deadline(timeout))
        return None if message is None else self._output(message)

    def discard(self) -> None:
        """End it at once; the next reset starts it again."""
        self.station.stop(at_once=True)

    def close(self) -> None:
        """End it gracefully."""
        self.station.stop()

    def _deadline(self, timeout: float) -> Deadline:
        """A message that never ends is not silence."""
        return Deadline(None if self._timeout is None else self._timeout + timeout)

    def _output(self, message: Message) -> tuple[str, tuple[Value, ...]]:
        if message.name is None:
            return self._emissions.read(f"unknown {shown(message.text())}", ())
        name = f"{message.session}.{message.name}" if message.session and message.anywhere else message.name
        parameters = self._parameters.get(name, ())
        if missing := [p.name for p in parameters if p.name not in message.values]:
            raise SutError(f"{shown(message.text())} is {name} without a value for {missing[0]}")
        values = [written(value, p) if isinstance(value := message.values[p.name], str) else value for p in parameters]
        return self._emissions.read(name, values)


def open_reactive_protocol(scheme: str, target: str, model: Any, *, step_timeout: float | None) -> ReactiveProtocolSut:
    """Start and connect as the mapping file says, or say in one line why not."""
    mapping = read_protocol_mapping(Path(target), scheme, vocabulary_of(model))
    system = ReactiveProtocolSut(mapping, model, step_timeout=step_timeout)
    start_station(system.station)
    return system
