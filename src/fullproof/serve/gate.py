"""Access control: this machine's browser with the secret of the address is admitted, pages of other origins are not.

Every request needs the right ``Host`` (another name may point to this machine, too) and either the
cookie that the secret address gave, or the secret itself as ``Authorization: Bearer``. With a cookie, requests that do
something need the page's token as well, since browsers send cookies on behalf of other pages of this machine.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CSRF_HEADER = "X-Fullproof-CSRF"
_SAFE = ("GET", "HEAD")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Secrets:
    """Three random secrets: of the address, of the cookie, of the pages."""

    def __init__(self) -> None:
        self.token, self.session, self.csrf = (secrets.token_urlsafe(32) for _ in range(3))

    @staticmethod
    def same(given: str, wanted: str) -> bool:
        """Compare in constant time."""
        return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), wanted.encode())


class RequestGate:
    """Refuses requests without access, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, *, words: Secrets, port: int, policy: str) -> None:
        self._app = app
        self._words = words
        self._hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
        self._cookie = f"fullproof-{port}"
        self._policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Content-Security-Policy", self._policy)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(Request(scope))
        if refusal is not None and refusal.status_code >= 400:
            refusal.headers["Connection"] = "close"  # a refused connection is closed
        await (refusal or self._app)(scope, receive, sending)

    def _refusal(self, request: Request) -> Response | None:
        headers = request.headers
        if headers.getlist("host")[1:] or headers.get("host", "") not in self._hosts:
            return PlainTextResponse("This host is not served here.\n", status_code=421)
        if "origin" in headers and headers["origin"] not in {f"http://{host}" for host in self._hosts}:
            return PlainTextResponse("Pages of other origins have no business here.\n", status_code=403)
        if request.url.path == "/" and request.method == "GET" and (given := _token(request)) is not None:
            return self._welcome() if self._words.same(given, self._words.token) else _locked(request)
        if self._knows_token(headers):
            return None
        if not self._words.same(_cookie(headers, self._cookie), self._words.session):
            return _locked(request)
        if request.method not in _SAFE and not self._words.same(headers.get(CSRF_HEADER, ""), self._words.csrf):
            return _refuse(f"the header {CSRF_HEADER} with the page's token is missing", 403)
        return None

    def _knows_token(self, headers: Mapping[str, str]) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self._words.same(given.strip(), self._words.token)

    def _welcome(self) -> Response:
        """Remove the secret from the address, and so from the history and the title bar."""
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(self._cookie, self._words.session, httponly=True, samesite="strict", path="/")
        return answer


def _token(request: Request) -> str | None:
    try:
        given = parse_qs(request.url.query, max_num_fields=20).get("token")
    except ValueError:  # more fields than any link of the workbench has
        return None
    return given[0] if given else None


def _cookie(headers: Headers, name: str) -> str:
    try:
        jar = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return jar[name].value if name in jar else ""


def _locked(request: Request) -> Response:
    message = "This workbench is locked: open the address that `fullproof serve` has printed, with its token."
    if request.url.path.startswith("/api/"):
        return _refuse(message, 401)
    return PlainTextResponse(message + "\n", status_code=401)


def _refuse(message: str, status: int) -> Response:
    return JSONResponse({"error": "refused", "message": message}, status_code=status)
