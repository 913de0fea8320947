"""The application: pages and interface behind the gate."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from fullproof.core.version import __version__
from fullproof.serve.api import Api
from fullproof.serve.bodies import Bodies
from fullproof.serve.gate import RequestGate, Secrets
from fullproof.serve.pages import pages, policy
from fullproof.serve.pool import ServerPool
from fullproof.serve.runs import Runs
from fullproof.serve.settings import Settings

_ABOUT = (
    "Everything that the pages of the workbench do. Authenticate with `Authorization: Bearer TOKEN`, the token of the "
    "address that `fullproof serve` prints."
)


def application(settings: Settings, words: Secrets, *, port: int) -> ASGIApp:
    """Build the application; workers start with the server and end with it."""
    pool = ServerPool(settings.limits)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await run_in_threadpool(pool.close)

    # The usual documentation pages load scripts from other servers: only the description itself is served.
    app = FastAPI(
        title="fullproof workbench",
        version=__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
        redirect_slashes=False,
    )
    api = Api(pool, Runs(pool, settings), settings)
    app.include_router(api.router())
    app.include_router(pages(api, words))
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    return RequestGate(Bodies(app, limits=settings.limits), words=words, port=port, policy=policy())


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    message = f"{where}: {first['msg']}" if where and first["type"] != "option" else str(first["msg"])
    return JSONResponse({"error": "refused", "message": message[:500]}, status_code=422)


async def _http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": "refused", "message": error.detail}, status_code=error.status_code)
