"""Runs take longer than a request, so they have names, and a thread watches them."""

from __future__ import annotations

import json
import secrets
import shutil
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from fullproof.serve.answers import BrokenAnswer, Cancelled, Crowded, DoneAnswer, Outcome, RefusedAnswer, Stopped
from fullproof.serve.complaints import complaint_of
from fullproof.serve.messages import Complaint, LearnQuestion, RunProgress, RunQuestion
from fullproof.serve.pool import Busy, Job, ServerPool
from fullproof.serve.settings import Settings


@dataclass(eq=False, slots=True, kw_only=True)
class Run:
    """One run, or the learning of a model; its numbers are written by the thread that watches the worker, and read by
    all threads.
    """

    id: str
    question: Literal["run", "learn"]
    system: str
    model: str
    folder: Path
    job: Job | None = None
    started: float | None = None
    ended: float | None = None
    heard: tuple[int, int | None, int] = (0, None, 0)
    outcome: Outcome | None = None
    asked: float = field(default_factory=time.monotonic)

    def hear(self, done: int, total: int | None, steps: int) -> None:
        """Record progress."""
        self.started = self.started or time.monotonic()
        self.heard = (done, total, steps)

    def finish(self, future: Future[Outcome]) -> None:
        """Record the end."""
        self.ended = time.monotonic()
        self.outcome = Cancelled() if future.cancelled() else future.result()

    @property
    def report(self) -> Path | None:
        """The folder of the report, once it is complete."""
        done = self.question == "run" and isinstance(self.outcome, DoneAnswer)
        return self.folder / "report" if done else None

    def state(self) -> RunProgress:
        """The progress of the run."""
        done, total, steps = self.heard
        begin = self.started or self.asked
        status, complaint, result = self._ending()
        return RunProgress(
            id=self.id,
            question=self.question,
            system=self.system,
            model=self.model,
            status=status,
            done=done,
            total=total,
            steps=steps,
            seconds=round((self.ended or time.monotonic()) - begin, 3),
            complaint=complaint,
            result=result,
            report=f"/runs/{self.id}/report.html" if self.report is not None else None,
        )

    def _ending(
        self,
    ) -> tuple[Literal["waiting", "running", "done", "failed", "stopped"], Complaint | None, dict[str, object] | None]:
        match self.outcome:
            case None:
                return ("waiting" if self.started is None else "running"), None, None
            case DoneAnswer(body=body):
                return "done", None, json.loads(body)
            case Cancelled():
                return "stopped", None, None
            case Stopped() | RefusedAnswer() | Crowded() | BrokenAnswer() as bad:
                return "failed", complaint_of(bad)[1], None


class Runs:
    """The latest runs; older ones that have ended are forgotten, with their reports."""

    def __init__(self, pool: ServerPool, settings: Settings) -> None:
        self._pool = pool
        self._settings = settings
        self._runs: dict[str, Run] = {}
        self._lock = threading.Lock()

    def start(self, question: RunQuestion | LearnQuestion) -> Run:
        """Begin a run, or to learn. Raises Busy, and KeyError for a system that the command line does not name."""
        spec = None if question.system is None else self._settings.systems[question.system]
        content = {**question.model_dump(mode="json", exclude={"system"}), "spec": spec}
        if isinstance(question, LearnQuestion):
            return self._begin("learn", content, system=question.system, model="learnt")
        return self._begin("run", content, system=question.system_name, model=question.model.name)

    def _begin(self, question: Literal["run", "learn"], content: dict[str, object], *, system: str, model: str) -> Run:
        limits = self._settings.limits
        with self._lock:
            # One worker is kept for short questions.
            if sum(run.outcome is None for run in self._runs.values()) >= max(1, limits.workers - 1):
                raise Busy
            name = secrets.token_urlsafe(9)
            run = Run(id=name, question=question, system=system, model=model, folder=self._pool.root / f"run-{name}")
            run.folder.mkdir()
            job = Job(question=question, content=content, seconds=limits.run_seconds, folder=run.folder, heard=run.hear)
            run.job = job
            try:
                future = self._pool.submit(job)
            except Busy:
                shutil.rmtree(run.folder, ignore_errors=True)
                raise
            self._runs[name] = run
            self._forget()
        future.add_done_callback(run.finish)
        return run

    def find(self, name: str) -> Run | None:
        """A run by its name."""
        return self._runs.get(name)

    def latest(self) -> list[Run]:
        """All runs that are kept, the latest first."""
        return list(self._runs.values())[::-1]

    def _forget(self) -> None:
        ended = [name for name, run in self._runs.items() if run.outcome is not None]
        for name in ended[: max(0, len(self._runs) - self._settings.limits.runs)]:
            shutil.rmtree(self._runs.pop(name).folder, ignore_errors=True)
