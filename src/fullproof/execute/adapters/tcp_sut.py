"""``tcp:``: a server that speaks JSON Lines."""

from __future__ import annotations

import contextlib
import socket

from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.execute.adapters.address import Address, parse_address
from fullproof.execute.adapters.json_lines import JsonLinesSut
from fullproof.execute.adapters.lines import Closed, Lines
from fullproof.execute.sut import SutError
from fullproof.model import Model

_CONNECT_TIMEOUT = 10.0
_LONGEST = 86_400.0


class Dialogue:
    """One connection."""

    starting = 0.0
    """The server is already running."""

    def __init__(self, address: Address, *, timeout: float | None, nodelay: bool = True) -> None:
        self._socket = socket.create_connection(
            (address.host, address.port), timeout=min(timeout or _CONNECT_TIMEOUT, _LONGEST)
        )
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, int(nodelay))
        self.lines = Lines(self._socket.fileno(), self._socket.fileno())

    def exchange(self, message: bytes, deadline: Deadline) -> bytes:
        """Send one line, wait for one line."""
        return self.lines.exchange(message, deadline)

    def send(self, message: bytes, deadline: Deadline) -> None:
        """Send one line."""
        self.lines.send(message, deadline)

    def receive(self, seconds: float) -> bytes | None:
        """The next line, None where none comes in time."""
        return self.lines.receive(seconds)

    def unasked(self) -> bytes:
        """Unsolicited output."""
        return self.lines.unasked()

    def tail(self, patience: float = 0.0) -> str:
        """The other side has no standard error here."""
        return self.lines.tail(patience)

    def exit_error(self, closed: Closed) -> SutError:
        """Nothing more is known."""
        return SutError(f"died: {closed.reason}")

    def close(self) -> None:
        """Close the connection gracefully."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def kill(self) -> None:
        """Close the connection at once."""
        self._socket.close()


def open_tcp(target: str, model: Model, *, step_timeout: float | None) -> JsonLinesSut:
    """Connect, or say in one line why not."""
    address = parse_address(target, what="--sut tcp:")
    try:
        first = Dialogue(address, timeout=step_timeout)
    except OSError as error:
        raise UserError(_unreachable(address, error)) from error

    def connect() -> Dialogue:
        try:
            return Dialogue(address, timeout=step_timeout)
        except OSError as error:
            raise SutError(_unreachable(address, error)) from error

    return JsonLinesSut(connect, first, model, step_timeout=step_timeout)


def _unreachable(address: Address, error: OSError) -> str:
    return f"cannot connect to {address}: {error.strerror or error}"
