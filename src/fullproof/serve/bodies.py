"""Limits on the size of request bodies, on the time for sending them, and on all of them together."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fullproof.serve.settings import Limits


class Bodies:
    """Reads the whole body before it is processed; refuses bodies that are too large, too slow, or too many."""

    def __init__(self, app: ASGIApp, *, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its body, or answer it here."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        refusal, body = None, bytearray()
        try:
            async with asyncio.timeout(self._limits.request_seconds):
                refusal = await self._read(scope, receive, body)
        except TimeoutError:
            refusal = _refuse("too slow", "the request did not arrive in time", 408)
        try:
            if refusal is not None:
                await refusal(scope, receive, send)
            else:
                await self._app(scope, _replay(bytes(body), receive), send)
        finally:
            self._held -= len(body)

    async def _read(self, scope: Scope, receive: Receive, body: bytearray) -> JSONResponse | None:
        announced = Headers(scope=scope).get("content-length", "0")
        most = self._limits.request
        if not announced.isdecimal() or len(announced) > 15 or int(announced) > most:
            return _too_large(most)
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return _refuse("gone", "the client has left", 400)
            piece = message.get("body", b"")
            if self._held + len(piece) > self._limits.requests:
                return _refuse("busy", "too much is being worked on: try again in a moment", 503, retry=True)
            self._held += len(piece)
            body += piece
            if len(body) > most:
                return _too_large(most)
            if not message.get("more_body", False):
                return None


def _replay(body: bytes, receive: Receive) -> Receive:
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return left.pop() if left else await receive()

    return replayed


def _too_large(most: int) -> JSONResponse:
    message = f"a request may have {most >> 20} MiB: larger models and suites are for the command line"
    return _refuse("too large", message, 413)


def _refuse(error: str, message: str, status: int, *, retry: bool = False) -> JSONResponse:
    headers = {"Retry-After": "2"} if retry else None
    return JSONResponse({"error": error, "message": message}, status_code=status, headers=headers)
