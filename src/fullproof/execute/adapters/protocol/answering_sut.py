"""``tcp:``, ``exec:`` and ``serial:`` with a mapping file, for systems that answer each input."""

from __future__ import annotations

from pathlib import Path

from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.execute.adapters.mapping import spelt
from fullproof.execute.adapters.protocol.mapping import (
    Answer,
    ProtocolMapping,
    ProtocolMove,
    read_protocol_mapping,
    vocabulary_of,
)
from fullproof.execute.adapters.protocol.pattern import Message
from fullproof.execute.adapters.protocol.station import Station
from fullproof.execute.observation import reader_of, shown, written
from fullproof.execute.sut import SutError
from fullproof.model import Model
from fullproof.model.inputs import SENDS
from fullproof.model.interface import Interface, answering

_MOST = 10_000
"""Messages of one answer; more is a flood."""


class ProtocolSut:
    """A system whose answers are the messages that follow an input."""

    in_process = False
    grey_box = False

    def __init__(self, mapping: ProtocolMapping, interface: Interface, *, step_timeout: float | None) -> None:
        self._mapping = mapping
        self._interface = interface
        self._read = reader_of(interface)
        self.station = Station(mapping, step_timeout=step_timeout)
        self._given: dict[str, str] = {}

    def reset(self) -> None:
        """By the steps of the mapping file."""
        self._given = {}
        self.station.reset()

    def step(self, symbol: TestInput, /) -> object:
        """Send what stands for the input, and read the answer."""
        move = self._mapping.move(self._interface.name_of(symbol))
        if move is None:
            raise UserError("the mapping file has no 'step' that says what to send for an event without a signal")
        self.finish()
        given = {name: spelt(value) for name, value in self._interface.arguments(symbol).items()}
        self._given = {**(self._given if self._interface.has_events else {}), **given}
        self._act(move)
        return self._answer(self._collected(move))

    def observe(self) -> object:
        """The messages that have come during a delay in real time."""
        found: list[Message] = []
        while (message := self.station.arrived()) is not None:
            found.append(message)
            _check_flood(found)
        return self._answer(found)

    def enabled(self) -> frozenset[str]:
        """Messages do not show it."""
        raise SutError("does not say which inputs are enabled")

    def state(self) -> object:
        """Messages do not show it."""
        return None

    def finish(self) -> None:
        """Nothing may be left over."""
        if (surplus := self.station.arrived()) is not None:
            text = surplus.text() or surplus.name
            raise SutError(f"unexpected output: wrote {shown(text)} without being asked")

    def discard(self) -> None:
        """End it at once; the next reset starts it again."""
        self.station.stop(at_once=True)

    def close(self) -> None:
        """End it gracefully."""
        self.station.stop()

    def _act(self, move: ProtocolMove) -> None:
        station = self.station
        if move.opens:
            station.open(move.session)
        for exchange in move.first:
            station.exchange(exchange, move.session)
        if move.send:
            station.send(move.session, move.send, {"input": move.name, **self._given})
        if move.closes:
            station.shut(move.session)

    def _collected(self, move: ProtocolMove) -> list[Message]:
        """The messages of an answer; those of other sessions are of it as far as a fence or a silence shows them."""
        found: list[Message] = []
        deadline = self.station.deadline()
        if not self._is_complete(move, found) and (self._mapping.fence is None or _says(move.answer)):
            while (message := self.station.next(move.answer.silence, deadline)) is not None:
                found.append(message)
                if self._is_complete(move, found):
                    break
                _check_flood(found)
        if self._mapping.fence is not None:
            self._fence(move.session, found)
        return found

    def _is_complete(self, move: ProtocolMove, found: list[Message]) -> bool:
        own = [message for message in found if message.session == move.session]
        if own and own[-1].label in (*move.answer.until, *([self._mapping.closed] if self._mapping.closed else [])):
            return True
        return move.answer.messages is not None and len(own) >= move.answer.messages

    def _fence(self, acting: str, found: list[Message]) -> None:
        """Ask each session, and take what comes before its answer."""
        fence = self._mapping.fence
        assert fence is not None
        sessions = [acting, *(session for session in self._mapping.sessions if session != acting)]
        for session in filter(self.station.is_open, sessions):
            self.station.send(session, fence.send, {})
            deadline = self.station.deadline()
            while (message := self.station.next(None, deadline)) is not None:
                if message.session == session and message.label in fence.expect:
                    break
                found.append(message)
                _check_flood(found)
                if message.session == session and message.label == self._mapping.closed:
                    break

    def _answer(self, messages: list[Message]) -> object:
        if self._interface.outputs is None:
            return self._symbol(messages)
        values: dict[str, object] = {}
        sent = []
        for message in messages:
            if message.name is None:
                raise SutError(f"answered {shown(message.text())}, which no pattern of the mapping file matches")
            values |= message.values
            if message.name in self._interface.signals_out:
                sent.append(message.name)
        read: dict[str, object] = {
            v.name: written(value, v) if isinstance(value := values[v.name], str) else value
            for v in self._interface.outputs
            if v.name in values
        }
        if self._interface.signals_out:
            read[SENDS] = sent
        return self._read(read)

    def _symbol(self, messages: list[Message]) -> str:
        if not messages:
            if self._mapping.silent is None:
                raise SutError("sent nothing; 'silent' in the mapping file may give a symbol for that")
            return self._mapping.silent
        # Sessions have no common order: those of the same one keep theirs.
        sessions = self._mapping.sessions
        names = [self._name(message) for message in sorted(messages, key=lambda m: sessions.index(m.session))]
        if self._mapping.order != "ordered":
            names = sorted(set(names) if self._mapping.order == "set" else names)
        return self._mapping.join.join(names)

    def _name(self, message: Message) -> str:
        if message.name is None and not self._mapping.reader.patterns:
            name = message.text()  # the system says symbols itself
        else:
            name = f"unknown {shown(message.text())}" if message.name is None else message.name
        return f"{message.session}.{name}" if message.session and message.anywhere else name


def _says(answer: Answer) -> bool:
    """Whether the end of an answer is seen without a fence."""
    return answer.messages is not None or bool(answer.until) or answer.silence is not None


def _check_flood(found: list[Message]) -> None:
    if len(found) > _MOST:
        raise SutError(f"unexpected output: more than {_MOST} messages after one input")


def open_protocol(scheme: str, target: str, model: Model, *, step_timeout: float | None) -> ProtocolSut:
    """Start and connect as the mapping file says, or say in one line why not."""
    interface = answering(model)
    mapping = read_protocol_mapping(Path(target), scheme, vocabulary_of(model))
    if mapping.silent is not None and interface.outputs is not None:
        raise UserError("'silent' is a symbol of an fsm; this model always has values")
    system = ProtocolSut(mapping, interface, step_timeout=step_timeout)
    start_station(system.station)
    return system


def start_station(station: Station) -> None:
    """Start the system for the first time: an error in that is one of the command."""
    try:
        station.start()
    except SutError as error:
        station.stop(at_once=True)
        said = error.evidence.strip().splitlines()
        raise UserError(f"{error.reason}{f': {said[-1]}' if said else ''}") from error
    except BaseException:
        station.stop(at_once=True)
        raise
