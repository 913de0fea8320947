"""The protocol of out-of-process systems: one JSON object per line, one answer per question."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn, Protocol

from fullproof.artefacts.suite import TestInput, json_input
from fullproof.core.deadline import Deadline
from fullproof.execute.adapters.lines import Closed, for_first_answer
from fullproof.execute.json_protocol import parse_object
from fullproof.execute.observation import read_enabled, reader_of, shown
from fullproof.execute.sut import SutError
from fullproof.model import Model
from fullproof.model.inputs import Advance
from fullproof.model.interface import answering

_RESET = b'{"reset": true}\n'
_OBSERVE = b'{"observe": true}\n'


class Connection(Protocol):
    """One connection or process of the other side."""

    @property
    def starting(self) -> float:
        """Seconds that the first answer may take at least."""

    def exchange(self, message: bytes, deadline: Deadline) -> bytes:
        """Send one line, wait for one line."""

    def unasked(self) -> bytes:
        """Unsolicited output."""

    def tail(self, patience: float = 0.0) -> str:
        """The end of its diagnostics."""

    def exit_error(self, closed: Closed) -> SutError:
        """The error that describes how it ended."""

    def close(self) -> None:
        """End it gracefully."""

    def kill(self) -> None:
        """End it at once."""


class JsonLinesSut:
    """A system behind a connection; after a failure the next reset makes a new one."""

    in_process = False

    def __init__(
        self,
        connect: Callable[[], Connection],
        first: Connection,
        model: Model,
        *,
        step_timeout: float | None,
        restart: bool = False,
        reload: bool = False,
    ) -> None:
        """With ``restart`` a new process is the reset: the system need not support the message.

        With ``reload`` each test has a new process, too, which is sent the message.
        """
        self._restart = restart or reload
        self._asks = not restart
        self._fresh = True
        self._connect = connect
        self._connection: Connection | None = first
        self._answered = False
        self._read = reader_of(answering(model))
        self._step_timeout = step_timeout
        self._enabled: frozenset[str] | None = None
        self._state: object = None
        self._messages: dict[str, bytes] = {}

    @property
    def grey_box(self) -> bool:
        """Whether the last answer carried ``enabled``."""
        return self._enabled is not None

    def reset(self) -> None:
        """``{"reset": true}`` -> ``{"ready": true}``, or a new process."""
        if self._restart and not self._fresh:
            self.finish()
            self.discard()
        if self._connection is None:
            self._connection = self._connect()
            self._answered = False
        self._fresh = True
        if not self._asks:
            return
        answer = self._ask(_RESET, '{"ready": true}')
        if answer.get("ready") is not True:
            self._fail(f'answered {shown(answer)} to a reset, expected {{"ready": true}}')

    def step(self, symbol: TestInput, /) -> object:
        """``{"input": ...}`` -> ``{"output": ...}``; ``{"advance": seconds}`` is answered in the same way."""
        return self._output(self._message(symbol), "an input")

    def observe(self) -> object:
        """``{"observe": true}`` -> ``{"output": ...}``: what is seen after a delay in real time."""
        return self._output(_OBSERVE, '{"observe": true}')

    def _output(self, message: bytes, what: str) -> object:
        self._fresh = False
        answer = self._ask(message, '{"output": ...}')
        if "output" not in answer:
            self._fail(f'answered {shown(answer)} to {what}, expected {{"output": ...}}')
        try:
            return self._read(answer["output"])
        except SutError as error:
            self._fail(error.reason)

    def enabled(self) -> frozenset[str]:
        """What the last answer said is enabled."""
        if self._enabled is None:
            self._fail("no longer says which inputs are enabled")
        return self._enabled

    def state(self) -> object:
        """What the last answer said the state is."""
        return self._state

    @property
    def can_return(self) -> bool:
        """True until the system refuses; a system that is restarted for each test cannot."""
        return not self._restart

    def snapshot(self) -> object:
        """``{"snapshot": true}`` -> ``{"snapshot": ...}``, anything that the system knows the state by."""
        answer = self._ask(b'{"snapshot": true}\n', '{"snapshot": ...}')
        if "snapshot" not in answer:
            self._fail(f'answered {shown(answer)}, expected {{"snapshot": ...}}')
        return answer["snapshot"]

    def restore(self, state: object, /) -> None:
        """``{"restore": ...}`` -> ``{"ready": true}``"""
        answer = self._ask(json.dumps({"restore": state}, default=str).encode() + b"\n", '{"ready": true}')
        if answer.get("ready") is not True:
            self._fail(f'answered {shown(answer)} to a restore, expected {{"ready": true}}')

    def finish(self) -> None:
        """Nothing may be left over."""
        if self._connection is not None and (surplus := self._connection.unasked()):
            self._fail(f"unexpected output: wrote {shown(surplus.decode('utf-8', 'replace'))} without being asked")

    def discard(self) -> None:
        """End it at once."""
        if self._connection is not None:
            self._connection.kill()
            self._connection = None
        self._enabled = None

    def close(self) -> None:
        """End it gracefully."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _message(self, symbol: TestInput) -> bytes:
        if isinstance(symbol, Advance):
            return json.dumps(json_input(symbol)).encode() + b"\n"
        if not isinstance(symbol, str):
            return json.dumps({"input": json_input(symbol)}).encode() + b"\n"
        message = self._messages.get(symbol)
        if message is None:
            message = json.dumps({"input": symbol}).encode() + b"\n"
            self._messages[symbol] = message
        return message

    def _ask(self, message: bytes, expected: str) -> dict[str, Any]:
        self.finish()
        connection = self._connection
        assert connection is not None
        try:
            line = connection.exchange(message, Deadline(self._limit(connection)))
            self._answered = True
        except Closed as closed:
            raise connection.exit_error(closed) from closed
        except SutError as error:
            self._fail(error.reason)
        try:
            answer = parse_object(line)
        except SutError:
            self._fail(
                f"unexpected output: answered {shown(line.decode('utf-8', 'replace'))}, expected {expected}; "
                "diagnostics belong on standard error"
            )
        if "error" in answer:
            self._fail(f"answered with an error: {shown(answer['error'])}")
        try:
            self._enabled = read_enabled(answer["enabled"]) if "enabled" in answer else None
        except SutError as error:
            self._fail(error.reason)
        self._state = answer.get("state")
        return answer

    def _limit(self, connection: Connection) -> float | None:
        """Seconds for the next answer."""
        if self._answered:
            return self._step_timeout
        return for_first_answer(self._step_timeout, connection.starting)

    def _fail(self, reason: str) -> NoReturn:
        evidence = self._connection.tail() if self._connection is not None else ""
        raise SutError(reason, evidence=evidence)
