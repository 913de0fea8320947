"""``exec:``, ``tcp:`` and ``torxakis:``: processes and servers that write outputs at any time.

JSON Lines: ``{"send": ["inX", [3]]}`` to the system, no reply; ``{"emit": ["outX", [3]]}`` from it;
``{"reset": true}`` is answered by ``{"ready": true}``, and what came before that answer belongs to the past.
TorXakis-style: ``inX 3`` to the system, ``outX 3`` from it. That has no reset: each test has a connection, or a
process, of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NoReturn, Protocol

from fullproof.artefacts.suite import json_value
from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.execute.adapters.address import parse_address
from fullproof.execute.adapters.command_line import command_of
from fullproof.execute.adapters.exec_sut import Process
from fullproof.execute.adapters.lines import Closed, for_first_answer
from fullproof.execute.adapters.reactive.reading import Emissions
from fullproof.execute.adapters.tcp_sut import Dialogue
from fullproof.execute.json_protocol import parse_object
from fullproof.execute.observation import shown
from fullproof.execute.reactive import Gated
from fullproof.execute.sut import SutError
from fullproof.language.printer import value_to_text
from fullproof.language.types import ListType, Value

_MOST_BEFORE_READY = 10_000
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"(?!\S)|\S+')


class Link(Protocol):
    """One connection or process of the other side."""

    @property
    def starting(self) -> float:
        """Seconds that the first answer may take at least."""

    def send(self, message: bytes, deadline: Deadline) -> None:
        """Send one line."""

    def receive(self, seconds: float) -> bytes | None:
        """The next line, None where none comes in time."""

    def tail(self, patience: float = 0.0) -> str:
        """The end of its diagnostics."""

    def exit_error(self, closed: Closed) -> SutError:
        """The error that describes how it ended."""

    def close(self) -> None:
        """End it gracefully."""

    def kill(self) -> None:
        """End it at once."""


class Speech(Protocol):
    """How inputs and outputs are written."""

    @property
    def has_reset(self) -> bool:
        """Whether a system goes on after a reset; else each test has a fresh one."""

    def write(self, gate: str, values: tuple[Value, ...]) -> bytes:
        """An input as a line."""

    def read(self, line: bytes) -> tuple[str, tuple[Value, ...]] | None:
        """A line as an output; None for the answer to a reset."""


class JsonLines:
    """One JSON object a line."""

    has_reset = True

    def __init__(self, emissions: Emissions) -> None:
        self._emissions = emissions

    def write(self, gate: str, values: tuple[Value, ...]) -> bytes:
        """``{"send": [gate, [values]]}``"""
        return json.dumps({"send": [gate, [json_value(value) for value in values]]}).encode() + b"\n"

    def read(self, line: bytes) -> tuple[str, tuple[Value, ...]] | None:
        """``{"emit": [gate, [values]]}`` or ``{"ready": true}``"""
        try:
            message = parse_object(line)
        except SutError:
            text = shown(line.decode("utf-8", "replace"))
            raise SutError(f"unexpected output: wrote {text}; diagnostics belong on standard error") from None
        if message.get("ready") is True:
            return None
        if "error" in message:
            raise SutError(f"answered with an error: {shown(message['error'])}")
        match message.get("emit"):
            case [str(gate), [*values]]:
                return self._emissions.read(gate, values)
            case _:
                raise SutError(f'wrote {shown(message)}, expected {{"emit": [gate, [values]]}}')


class Words:
    """``GATE value value``, as adapters for TorXakis speak."""

    has_reset = False

    def __init__(self, emissions: Emissions) -> None:
        self._emissions = emissions

    def write(self, gate: str, values: tuple[Value, ...]) -> bytes:
        """The gate and its values, separated by blanks; strings in double quotes."""
        words = [value if isinstance(value, str) else value_to_text(value) for value in values]
        return " ".join([gate, *words]).encode() + b"\n"

    def read(self, line: bytes) -> tuple[str, tuple[Value, ...]]:
        """The same the other way round."""
        words = _WORD.findall(line.decode("utf-8", "replace"))
        if not words:
            raise SutError("unexpected output: wrote an empty line, expected GATE value value")
        return self._emissions.read_words(words[0], words[1:])


class LinesSut:
    """A system behind a link; after a failure the next reset makes a new one."""

    in_process = False
    synchronous = False

    def __init__(
        self, connect: Callable[[], Link], first: Link, protocol: Speech, *, step_timeout: float | None
    ) -> None:
        self._connect = connect
        self._link: Link | None = first
        self._protocol = protocol
        self._step_timeout = step_timeout
        self._fresh = True
        self._answered = False

    def reset(self) -> None:
        """Begin anew, and wait until the system is ready."""
        if self._link is not None and not self._fresh and not self._protocol.has_reset:
            self._link.close()
            self._link = None
        if self._link is None:
            self._link = self._connect()
            self._answered = False
        self._fresh = False
        if self._protocol.has_reset:
            self._send(b'{"reset": true}\n')
            self._await_ready()

    def send(self, gate: str, values: tuple[Value, ...]) -> None:
        """Give an input; it has no reply."""
        self._send(self._protocol.write(gate, values))

    def receive(self, timeout: float) -> tuple[str, tuple[Value, ...]] | None:
        """The next output. A system that has ended is not silent."""
        line = self._line(timeout)
        if line is None:
            return None
        found = self._parsed(line)
        if found is None:
            self._fail('says {"ready": true} without a reset')
        return found

    def discard(self) -> None:
        """End it at once."""
        if self._link is not None:
            self._link.kill()
            self._link = None

    def close(self) -> None:
        """End it gracefully."""
        if self._link is not None:
            self._link.close()
            self._link = None

    def _await_ready(self) -> None:
        """Discard outputs that were emitted before: they belong to the previous test."""
        assert self._link is not None
        starting = 0.0 if self._answered else self._link.starting
        limit = for_first_answer(self._step_timeout, starting)
        for _ in range(_MOST_BEFORE_READY):
            deadline = limit if limit is not None else 86_400.0
            line = self._line(deadline)
            if line is None:
                self._fail(f"no answer to a reset within {deadline:g} s")
            if self._parsed(line) is None:
                self._answered = True
                return
        self._fail("goes on emitting outputs instead of answering a reset")

    def _parsed(self, line: bytes) -> tuple[str, tuple[Value, ...]] | None:
        try:
            return self._protocol.read(line)
        except SutError as error:
            self._fail(error.reason)

    def _send(self, message: bytes) -> None:
        assert self._link is not None
        try:
            self._link.send(message, Deadline(self._step_timeout))
        except Closed as closed:
            raise self._link.exit_error(closed) from closed
        except SutError as error:
            self._fail(f"does not take an input: {error.reason}")

    def _line(self, seconds: float) -> bytes | None:
        assert self._link is not None
        try:
            return self._link.receive(seconds)
        except Closed as closed:
            raise self._link.exit_error(closed) from closed
        except SutError as error:
            self._fail(error.reason)

    def _fail(self, reason: str) -> NoReturn:
        raise SutError(reason, evidence=self._link.tail() if self._link is not None else "")


def open_lines(spec: str, model: Gated, *, step_timeout: float | None) -> LinesSut:
    """Connect or start, or say in one line why not."""
    scheme, _, rest = spec.partition(":")
    with_list = [gate.name for gate in model.gates if any(isinstance(p.type, ListType) for p in gate.parameters)]
    if scheme == "torxakis" and with_list:
        raise UserError(f"gate {with_list[0]} carries a list, and lines of words have no lists; use exec: or tcp:")
    protocol: Speech = Words(Emissions(model)) if scheme == "torxakis" else JsonLines(Emissions(model))
    if scheme == "torxakis" and rest.startswith("exec:"):
        connect = _starting(rest.removeprefix("exec:"))
    elif scheme == "exec":
        connect = _starting(rest)
    else:
        connect = _connecting(rest, what=f"--sut {scheme}:", step_timeout=step_timeout)
    try:
        first = connect()
    except SutError as error:
        raise UserError(error.reason) from error
    return LinesSut(connect, first, protocol, step_timeout=step_timeout)


def _starting(command_line: str) -> Callable[[], Link]:
    command = command_of(command_line)

    def start() -> Link:
        try:
            return Process(command)
        except OSError as error:
            raise SutError(f"cannot start {command[0]!r}: {error.strerror}") from error

    return start


def _connecting(target: str, *, what: str, step_timeout: float | None) -> Callable[[], Link]:
    address = parse_address(target, what=what)

    def connect() -> Link:
        try:
            return Dialogue(address, timeout=step_timeout)
        except OSError as error:
            raise SutError(f"cannot connect to {address}: {error.strerror or error}") from error

    return connect
