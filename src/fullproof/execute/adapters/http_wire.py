"""One exchange over HTTP within one deadline: from the connection over every interim answer to the last trailer.

``http.client`` limits each read only: a server that sends single bytes, or one ``100 Continue`` after the other, would
block it for ever. And it accepts a truncated body.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult

from fullproof.execute.sut import SutError

_LONGEST = 1 << 20
"""Bytes of an answer; more is a flood."""
_PIECE = 1 << 16
_EXTRA = 1 << 18
"""Bytes of heads and trailers."""


@dataclass(frozen=True, slots=True)
class Response:
    """Status, headers and body of one answer."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Wire:
    """A connection that is kept as long as the server keeps it."""

    def __init__(self, url: SplitResult, timeout: float | None) -> None:
        self._url = url
        self._timeout = timeout
        self._connection: http.client.HTTPConnection | None = None
        self._socket: _TimedSocket | None = None

    def close(self) -> None:
        """Close the connection; may be called twice."""
        if self._connection is not None:
            self._connection.close()
        self._connection = self._socket = None

    def connect(self) -> None:
        """Make sure that there is a connection."""
        if self._connection is None or self._connection.sock is None:
            kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
            assert self._url.hostname is not None
            self._connection = kind(self._url.hostname, self._url.port, timeout=self._timeout)
            self._connection.connect()
            self._socket = _TimedSocket(self._connection.sock)
            self._connection.sock = self._socket

    def exchange(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Response:
        """Send a request and read all of its answer. TimeoutError, OSError and HTTPException as they come."""
        end = None if self._timeout is None else time.monotonic() + self._timeout
        self.connect()
        connection, timed = self._connection, self._socket
        assert connection is not None
        assert timed is not None
        timed.begin(end)
        connection.request(method, path, body=body, headers=dict(headers))
        response = connection.getresponse()
        pieces = self._pieces(response)
        if response.length:
            raise SutError(f"the answer ended {response.length} bytes before its end: the body is too short")
        response.close()
        if response.will_close:
            self.close()
        return Response(response.status, response.headers, pieces)

    def _pieces(self, response: http.client.HTTPResponse) -> bytes:
        pieces, size = [], 0
        while piece := response.read1(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > _LONGEST:
                raise SutError(f"unexpected output: an answer of more than {_LONGEST} bytes")
        if response.chunked and not response.isclosed():
            raise SutError("the answer ended before its last chunk: the body is too short")
        return b"".join(pieces)


class _TimedSocket:
    """What ``http.client`` needs of a socket, each call within what is left until one moment."""

    def __init__(self, inner: socket.socket) -> None:
        self._inner = inner
        self._end: float | None = None
        self._left = 0
        self._readers = 0
        self._closed = False

    def begin(self, end: float | None) -> None:
        """A new exchange, which must be over at ``end``."""
        self._end = end
        self._left = _LONGEST + _EXTRA

    def sendall(self, data: Any) -> None:
        rest = memoryview(data).cast("B")
        while rest:
            self._wait()
            rest = rest[self._inner.send(rest) :]

    def recv_into(self, buffer: Any) -> int:
        self._wait()
        count = self._inner.recv_into(buffer)
        self._left -= count
        if self._left < 0:
            raise SutError(f"unexpected output: an answer of more than {_LONGEST} bytes")
        return count

    def makefile(self, mode: str) -> io.BufferedReader:
        assert mode == "rb"
        self._readers += 1
        return io.BufferedReader(_TimedReader(self))

    def close(self) -> None:
        """As a socket does it: what is being read stays open until it has been read, as from an HTTP/1.0 server."""
        self._closed = True
        if not self._readers:
            self._inner.close()

    def left(self) -> None:
        """A reader has been closed."""
        self._readers -= 1
        if self._closed and not self._readers:
            self._inner.close()

    def _wait(self) -> None:
        left = None if self._end is None else self._end - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError
        self._inner.settimeout(left)


class _TimedReader(io.RawIOBase):
    """The reading side as a file; closing it leaves the socket open, which may serve the next exchange."""

    def __init__(self, timed: _TimedSocket) -> None:
        self._timed = timed

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._timed.left()

    def readinto(self, buffer: Any) -> int:
        return self._timed.recv_into(buffer)
