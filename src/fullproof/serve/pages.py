"""The pages: templates around the JSON interface, in the style of the report."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from fullproof.core.version import __version__
from fullproof.formats.suite import SUITE_ENDINGS
from fullproof.formats.table import readable_endings, single_files
from fullproof.model.named_faults import FaultName
from fullproof.report.drawing.svg import style
from fullproof.report.html import script_hash, style_sheet
from fullproof.serve.api import Api, report_files
from fullproof.serve.gate import CSRF_HEADER, Secrets

if TYPE_CHECKING:
    from jinja2 import Environment


class Page(NamedTuple):
    """A page: its address, its name in the menu, its purpose."""

    name: str
    title: str
    purpose: str


PAGES = (
    Page("model", "Model", "Edit, check and see a model"),
    Page("methods", "Methods", "What each method would cost and guarantee"),
    Page("run", "Run", "Run a suite against a system under test"),
    Page("simulate", "Simulate", "Step through the model by hand"),
    Page("compare", "Compare", "Decide whether another model conforms"),
    Page("certify", "Certify", "Decide whether a suite is complete"),
    Page("learn", "Learn", "Learn the model of a system that has none"),
)
_KINDS = {".css": "text/css", ".js": "text/javascript"}


def policy() -> str:
    """The content security policy: pages may load files of the workbench, and the style sheet inside every diagram."""
    diagram = base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()
    return (
        f"default-src 'self'; style-src 'self' 'sha256-{diagram}'; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def _report_policy() -> str:
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script_hash()}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def pages(api: Api, words: Secrets) -> APIRouter:
    """The routes of all pages."""
    router = APIRouter(include_in_schema=False)
    known = {page.name: page for page in PAGES}

    @router.get("/")
    async def first() -> HTMLResponse:
        return _page(PAGES[0], words)

    @router.get("/static/{name}")
    async def static(name: str) -> Response:
        content = _static().get(name)
        if content is None:
            raise HTTPException(404, "no such file")
        return Response(content, media_type=_KINDS[name[name.rindex(".") :]])

    @router.get("/runs/{name}/{file}")
    async def report(name: str, file: str) -> Response:
        found = report_files(api.run(name)).get(file)
        if found is None or not file.endswith((".html", ".py", ".sh", ".csv", ".json", ".jsonl", ".xml", ".sqlite")):
            raise HTTPException(404, "no such file in this report")
        with open(found, "rb") as opened:  # noqa: PTH123 - the name was found in the folder of the report
            content = opened.read()
        headers = {"Content-Security-Policy": _report_policy()}
        if file.endswith(".sqlite"):
            return Response(content, media_type="application/octet-stream", headers=headers)
        kind = "text/html" if file.endswith(".html") else "text/plain"
        return Response(content, media_type=f"{kind}; charset=utf-8", headers=headers)

    @router.get("/{name}")
    async def page(name: str) -> HTMLResponse:
        if name not in known:
            raise HTTPException(404, "no such page")
        return _page(known[name], words)

    return router


def _page(page: Page, words: Secrets) -> HTMLResponse:
    template = _environment().get_template(f"{page.name}.html.jinja")
    text = template.render(
        page=page,
        pages=PAGES,
        csrf=words.csrf,
        csrf_header=CSRF_HEADER,
        endings=readable_endings(),
        downloads=single_files(),
        suite_endings=SUITE_ENDINGS,
        version=__version__,
        fault_names=[name.value for name in FaultName],
        editor_name="codemirror" if "codemirror.js" in _static() else "plain",
    )
    return HTMLResponse(text)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    folder = _folder() / "templates"

    def load(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    return Environment(
        loader=FunctionLoader(load), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


@cache
def _static() -> dict[str, bytes]:
    """All static files, in memory: no request ever names a path."""
    found = {i.name: i.read_bytes() for i in (_folder() / "static").iterdir() if i.name.endswith(tuple(_KINDS))}
    return {**found, "report.css": style_sheet().encode()}


def _folder() -> Traversable:
    return files("fullproof.serve")
