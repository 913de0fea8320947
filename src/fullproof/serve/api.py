"""The JSON interface: everything that the pages do. ``/api/openapi.json`` describes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

from fullproof.execute.adapters.secrets import public_spec
from fullproof.serve.answers import Crowded, DoneAnswer
from fullproof.serve.complaints import busy, complaint_of
from fullproof.serve.file_routes import file_routes
from fullproof.serve.messages import (
    CertifyQuestion,
    ClassesQuestion,
    CompareQuestion,
    Complaint,
    ConvertQuestion,
    GenerateQuestion,
    LearnQuestion,
    MethodsQuestion,
    ModelQuestion,
    MutantQuestion,
    RunProgress,
    RunQuestion,
    SimulateQuestion,
    SuiteQuestion,
    System,
)
from fullproof.serve.pool import Busy, Job, ServerPool
from fullproof.serve.replies import ANSWERS
from fullproof.serve.runs import Run, Runs
from fullproof.serve.settings import Settings

_RESPONSES: dict[int | str, dict[str, Any]] = {
    422: {"model": Complaint, "description": "The model, the suite or an option is wrong"},
    503: {"model": Complaint, "description": "Too much is being worked on: try again"},
    504: {"model": Complaint, "description": "It took too long"},
    507: {"model": Complaint, "description": "It needed too much memory, or the answer is too large"},
}
_TICK = 0.1
_SUITE_SHARE = 0.6
"""The share of the largest answer that a suite may have, since it grows when quoted in JSON."""


class Api:
    """The routes, over one pool."""

    def __init__(self, pool: ServerPool, runs: Runs, settings: Settings) -> None:
        self._pool = pool
        self._runs = runs
        self._settings = settings

    async def ask(self, request: Request, question: str, content: dict[str, Any]) -> Response:
        """Let a worker answer; where the client disconnects, the worker stops."""
        job = Job(question=question, content=content, seconds=self._settings.limits.seconds)
        try:
            future = asyncio.wrap_future(self._pool.submit(job))
        except Busy:
            return _complain(*busy(), retry=True)
        gone = asyncio.ensure_future(_gone(request))
        waited: set[asyncio.Future[Any]] = {future, gone}
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if not future.done():
                job.cancel()
            outcome = await future
        finally:
            job.cancel()
            gone.cancel()
        if isinstance(outcome, DoneAnswer):
            return _answer(outcome.body)
        return _complain(*complaint_of(outcome), retry=isinstance(outcome, Crowded))

    def start(self, question: RunQuestion | LearnQuestion) -> Response:
        """Begin a run, or to learn."""
        if question.system is not None and question.system not in self._settings.systems:
            known = ", ".join(self._settings.systems) or "none: start the workbench with --sut NAME=SUT"
            message = f"unknown system {question.system!r}; the command line names {known}"
            return _complain(422, Complaint(error="refused", message=message))
        try:
            run = self._runs.start(question)
        except Busy:
            return _complain(503, Complaint(error="busy", message=_hindrance(self._runs)), retry=True)
        return JSONResponse(run.state().model_dump(mode="json"), status_code=202)

    def run(self, name: str) -> Run:
        """A run by its name, or 404."""
        run = self._runs.find(name)
        if run is None:
            raise HTTPException(404, "no such run, or it was forgotten")
        return run

    def router(self) -> APIRouter:
        """All routes."""
        router = APIRouter(prefix="/api", responses=_RESPONSES)
        file_routes(router, self._settings)
        self._questions(router)
        self._suites(router)
        self._run_routes(router)
        return router

    def _questions(self, router: APIRouter) -> None:
        @router.post("/check", responses=_reply("check"), summary="The properties of a model, and findings on it")
        async def check(request: Request, question: ModelQuestion) -> Response:
            return await self.ask(request, "check", _plain(question))

        @router.post(
            "/draw", responses=_reply("draw"), summary="The diagram of a model as SVG, and what its parts stand for"
        )
        async def draw(request: Request, question: ModelQuestion) -> Response:
            return await self.ask(request, "draw", _plain(question))

        @router.post(
            "/classes",
            responses=_reply("classes"),
            summary="I/O equivalence classes of an sfsm, or the partition of a statemachine",
        )
        async def classes(request: Request, question: ClassesQuestion) -> Response:
            return await self.ask(request, "classes", _plain(question))

        @router.post("/convert", responses=_reply("convert"), summary="The model in another format")
        async def convert(request: Request, question: ConvertQuestion) -> Response:
            return await self.ask(request, "convert", _plain(question))

        @router.post(
            "/simulate",
            responses=_reply("simulate"),
            summary="Play a model by hand: where moves lead, and what can be done next",
        )
        async def simulate(request: Request, question: SimulateQuestion) -> Response:
            return await self.ask(request, "simulate", _plain(question))

        @router.post("/compare", responses=_reply("compare"), summary="Does another model conform to this one?")
        async def compare(request: Request, question: CompareQuestion) -> Response:
            return await self.ask(request, "compare", _plain(question))

        @router.post("/mutant", responses=_reply("mutant"), summary="A faulty variant of a model")
        async def mutant(request: Request, question: MutantQuestion) -> Response:
            return await self.ask(request, "mutant", _plain(question))

    def _suites(self, router: APIRouter) -> None:
        @router.post(
            "/methods", responses=_reply("methods"), summary="Which methods and relations there are for a model"
        )
        async def methods(request: Request, question: MethodsQuestion) -> Response:
            return await self.ask(request, "methods", _plain(question))

        @router.post("/cost", responses=_reply("cost"), summary="What the suite of a method costs and guarantees")
        async def cost(request: Request, question: SuiteQuestion) -> Response:
            return await self.ask(request, "cost", _plain(question))

        @router.post("/generate", responses=_reply("generate"), summary="A suite, with what it costs and guarantees")
        async def generate(request: Request, question: GenerateQuestion) -> Response:
            largest = int(self._settings.limits.answer * _SUITE_SHARE)
            return await self.ask(request, "generate", {**_plain(question), "largest": largest})

        @router.post("/certify", responses=_reply("certify"), summary="Is a suite complete?")
        async def certify(request: Request, question: CertifyQuestion) -> Response:
            return await self.ask(request, "certify", _plain(question))

    def _run_routes(self, router: APIRouter) -> None:
        @router.get("/systems", summary="The systems under test that the command line names")
        async def systems() -> list[System]:
            return [System(name=name, spec=public_spec(spec)) for name, spec in self._settings.systems.items()]

        @router.post("/runs", summary="Begin a run", status_code=202, response_model=RunProgress)
        async def start(question: RunQuestion) -> Response:
            return self.start(question)

        @router.post("/learn", summary="Begin to learn a model", status_code=202, response_model=RunProgress)
        async def learn(question: LearnQuestion) -> Response:
            return self.start(question)

        @router.get("/runs", summary="The latest runs")
        async def latest() -> list[RunProgress]:
            return [run.state() for run in self._runs.latest()]

        @router.get("/runs/{name}", summary="How far a run has come")
        async def state(name: str) -> RunProgress:
            return self.run(name).state()

        @router.get("/runs/{name}/events", summary="The same as server-sent events, until it ends")
        async def events(name: str) -> StreamingResponse:
            return StreamingResponse(_events(self.run(name)), media_type="text/event-stream")

        @router.delete("/runs/{name}", summary="Stop a run")
        async def stop(name: str) -> RunProgress:
            run = self.run(name)
            if run.job is not None:
                run.job.cancel()
            return run.state()

        @router.get("/runs/{name}/files", summary="The files of a report")
        async def files(name: str) -> list[str]:
            return sorted(report_files(self.run(name)))

        @router.get("/runs/{name}/files/{file}", summary="A file of a report")
        async def file(name: str, file: str) -> FileResponse:
            # The name is looked up among the existing files; it never becomes a part of a path.
            if file not in (known := report_files(self.run(name))):
                raise HTTPException(404, "no such file in this report")
            return FileResponse(known[file], filename=file, media_type="application/octet-stream")


def report_files(run: Run) -> dict[str, str]:
    """The files of a report, by name; none as long as it is incomplete."""
    if run.report is None:
        return {}
    return {path.name: str(path) for path in run.report.iterdir() if path.is_file() and not path.is_symlink()}


async def _events(run: Run) -> AsyncIterator[str]:
    last = None
    while True:
        state = run.state()
        text = state.model_dump_json()
        if text != last:
            last = text
            yield f"data: {text}\n\n"
        if state.status not in ("waiting", "running"):
            return
        await asyncio.sleep(_TICK)


def _reply(question: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"model": ANSWERS[question]}}


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _plain(question: ModelQuestion) -> dict[str, Any]:
    return question.model_dump(mode="json")


def _answer(body: bytes) -> Response:
    return Response(body, media_type="application/json")


def _hindrance(runs: Runs) -> str:
    """What is going on, and where it can be stopped."""
    going = next((run for run in runs.latest() if run.outcome is None), None)
    if going is None:
        return busy()[1].message
    what, page = ("learning", "Learn") if going.question == "learn" else ("a run", "Run")
    return f"{what} of {going.system} is going on: wait for its end, or stop it on the page {page}"


def _complain(status: int, complaint: Complaint, *, retry: bool = False) -> Response:
    headers = {"Retry-After": "2"} if retry else None
    return JSONResponse(complaint.model_dump(mode="json"), status_code=status, headers=headers)
