"""Limits on connections whose request does not arrive: a time limit for each, and a limit on their number.

Any user of this machine can connect, with or without the secret. Without limits, connections that send half a request
and then nothing would use all places, and the workbench would not answer.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_MOST = 400
"""Connections that may wait for the head of a request; one more takes the place of the oldest."""


class Impatient(H11Protocol):
    """One connection; ``seconds`` is how long a head may take."""

    seconds: ClassVar[float] = 20.0
    _waiting: ClassVar[dict[Impatient, asyncio.TimerHandle]] = {}
    """In the order in which they began to wait."""

    def connection_made(self, transport: Any) -> None:
        """A new connection, which waits for its first request."""
        super().connection_made(transport)
        self._look()
        while len(self._waiting) > _MOST:
            oldest = next(iter(self._waiting))
            oldest._end()

    def data_received(self, data: bytes) -> None:
        """Data has arrived: a whole head, or a part of one."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """The next request may have come already; else ``timeout_keep_alive`` counts."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._forget()
        super().connection_lost(exc)

    def _look(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._forget()
        elif self not in self._waiting:
            self._waiting[self] = self.loop.call_later(self.seconds, self._end)

    def _forget(self) -> None:
        timer = self._waiting.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _end(self) -> None:
        self._forget()
        self.transport.abort()
