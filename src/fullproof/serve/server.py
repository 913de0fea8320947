"""Listen on this machine, and only for it, until interrupted."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from fullproof.core.errors import UserError
from fullproof.serve.app import application
from fullproof.serve.connections import Impatient
from fullproof.serve.gate import Secrets
from fullproof.serve.settings import Settings

_HOST = "127.0.0.1"
_CONNECTIONS = 1000


def serve(settings: Settings, *, port: int, announce: Callable[[str], object]) -> None:
    """Serve until interrupted; ``announce`` is called with the address, including its secret, once it can be opened.

    Raises UserError where the port is taken.
    """
    with _listening(port) as listener:
        words = Secrets()
        number = int(listener.getsockname()[1])
        config = uvicorn.Config(
            application(settings, words, port=number),
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=False,
            http=type("Connection", (Impatient,), {"seconds": settings.limits.request_seconds}),
            ws="none",
            limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=2,
            proxy_headers=False,
        )
        server = _Server(config, lambda: announce(f"http://{_HOST}:{number}/?token={words.token}"))
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that reports when it is reachable."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], object]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # A port that was just released may be reused; one with a listener may not.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((_HOST, port))
        listener.listen(512)
    except OSError as error:
        listener.close()
        raise UserError(f"cannot listen on port {port}: {error.strerror}; --port 0 takes a free one") from None
    except OverflowError:
        listener.close()
        raise UserError(f"--port {port}: expected a number from 0 to 65535") from None
    return listener
