"""A TCP server for one client at a time."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import BinaryIO, TextIO

from fullproof.core.errors import UserError
from fullproof.execute.adapters.address import Address, parse_address


def listen(
    address: str,
    converse: Callable[[BinaryIO, TextIO], object],
    *,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Hand each client's streams to ``converse``, one client after the other, until interrupted.

    Port 0 is any free port; ``announce`` is called with it.
    """
    wanted = parse_address(address, what="--listen ")
    try:
        family = socket.getaddrinfo(wanted.host, wanted.port, type=socket.SOCK_STREAM)[0][0]
        server = socket.create_server((wanted.host, wanted.port), family=family)
    except OSError as error:
        raise UserError(f"cannot listen on {wanted}: {error.strerror or error}") from error
    with server:
        if announce is not None:
            announce(str(Address(wanted.host, server.getsockname()[1])))
        while True:
            client, _ = server.accept()
            # A client that disconnects in the middle of a line does not end the server.
            with contextlib.suppress(ConnectionError), client:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with client.makefile("rb") as reader, client.makefile("w", encoding="utf-8", newline="\n") as writer:
                    converse(reader, writer)
