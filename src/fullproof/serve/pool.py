"""Workers, a few at a time: each answers one question in a process that can be stopped."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

from fullproof.serve.answers import (
    BUG,
    DONE,
    MEMORY,
    PID,
    PROGRESS,
    REFUSED,
    SIZE,
    BrokenAnswer,
    Cancelled,
    Crowded,
    DoneAnswer,
    Limit,
    Outcome,
    RefusedAnswer,
    Stopped,
)
from fullproof.serve.settings import Limits

Heard: TypeAlias = Callable[[int, int | None, int], None]

_PATIENCE = 2.0
"""Seconds that a worker may take to close a system under test."""
_STARTING = 60.0
"""Seconds to wait for a worker: the first has to wait until everything is imported."""
_LOOK = 0.05


class Busy(Exception):
    """Too many questions wait already."""


@dataclass(eq=False, slots=True, kw_only=True)
class Job:
    """A question in progress; ``cancel`` may be called from any thread."""

    question: str
    content: object
    seconds: float
    folder: Path | None = None
    """Where the worker may write; a folder of its own, removed afterwards, where it is not given."""
    heard: Heard | None = None
    asked: float = field(default_factory=time.monotonic)
    _stop: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Cancel the job: its answer is not needed any more."""
        self._stop.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether the job was cancelled."""
        return self._stop.is_set()


class ServerPool:
    """At most ``limits.workers`` workers at a time, and at most ``limits.waiting`` questions that wait for one."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._threads = ThreadPoolExecutor(limits.workers, thread_name_prefix="worker")
        self._lock = threading.Lock()
        self._jobs: set[Job] = set()
        self._closed = False
        self._root = Path(tempfile.mkdtemp(prefix="fullproof-serve-"))
        self._fork_server = _ForkServer()

    @property
    def root(self) -> Path:
        """A folder that is removed when the pool is closed."""
        return self._root

    def submit(self, job: Job) -> Future[Outcome]:
        """Answer when there is a worker. Raises Busy."""
        with self._lock:
            if self._closed or len(self._jobs) >= self._limits.waiting + self._limits.workers:
                raise Busy
            self._jobs.add(job)
        return self._threads.submit(self._handle, job)

    def close(self) -> None:
        """Stop all workers, and wait for their end."""
        with self._lock:
            self._closed = True
            for job in self._jobs:
                job.cancel()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._fork_server.close()
        shutil.rmtree(self._root, ignore_errors=True)

    def _handle(self, job: Job) -> Outcome:
        folder = job.folder or Path(tempfile.mkdtemp(dir=self._root))
        try:
            if job.is_cancelled:
                return Cancelled()
            waited = time.monotonic() - job.asked
            return self._ask(job, folder) if waited <= self._limits.patience else Crowded()
        except OSError as error:
            return BrokenAnswer(f"the worker could not be asked: {error}")
        finally:
            if job.folder is None:
                shutil.rmtree(folder, ignore_errors=True)
            with self._lock:
                self._jobs.discard(job)

    def _ask(self, job: Job, folder: Path) -> Outcome:
        limits = self._limits
        task = {
            "question": job.question,
            "content": job.content,
            "folder": str(folder),
            "memory": limits.memory,
            "file": limits.file,
            "answer": limits.answer,
        }
        connection = self._fork_server.worker()
        worker = _Worker(connection)
        try:
            connection.send_bytes(json.dumps(task).encode())
            return self._listen(job, worker)
        except (BrokenPipeError, ConnectionResetError, EOFError):
            return Cancelled() if job.is_cancelled else Stopped(Limit.DEATH)
        finally:
            worker.end(gently=job.heard is not None)

    def _listen(self, job: Job, worker: _Worker) -> Outcome:
        deadline = time.monotonic() + _STARTING
        while True:
            if job.is_cancelled:
                return Cancelled()
            if time.monotonic() > deadline:
                return Stopped(Limit.TIME)
            if not worker.connection.poll(_LOOK):
                continue
            message = worker.connection.recv_bytes(self._limits.answer + 1)
            kind, body = message[:1], message[1:]
            if kind == PID:
                worker.pid = int(body)
                deadline = time.monotonic() + job.seconds
            elif kind == PROGRESS:
                if job.heard is not None:
                    job.heard(*json.loads(body))
            else:
                worker.is_done = True
                return _outcome(kind, body)


def _outcome(kind: bytes, body: bytes) -> Outcome:
    if kind == DONE:
        return DoneAnswer(body)
    if kind == REFUSED:
        return RefusedAnswer(body)
    if kind == MEMORY:
        return Stopped(Limit.MEMORY)
    if kind == SIZE:
        return Stopped(Limit.SIZE)
    assert kind == BUG
    return BrokenAnswer(body.decode("utf-8", "replace"))


@dataclass(eq=False, slots=True)
class _Worker:
    connection: Connection
    pid: int | None = None
    is_done: bool = False

    def end(self, *, gently: bool) -> None:
        """Make sure that the process and all its children have ended. It holds the connection until then."""
        try:
            if self.pid is None:
                with contextlib.suppress(OSError, EOFError, ValueError):
                    if self.connection.poll(_PATIENCE):
                        self.pid = int(self.connection.recv_bytes()[1:])
            if self.pid is None:
                return
            if gently and not self.is_done:
                self._signal(signal.SIGTERM)
            self._wait(_PATIENCE if gently or self.is_done else 0.0)
            self._signal(signal.SIGKILL)
        finally:
            self.connection.close()

    def _wait(self, seconds: float) -> None:
        """Until the process has closed its end."""
        end = time.monotonic() + seconds
        with contextlib.suppress(OSError, EOFError):
            while (left := end - time.monotonic()) > 0:
                if self.connection.poll(left):
                    self.connection.recv_bytes()

    def _signal(self, number: int) -> None:
        # The group is that of this worker: it leads it, and its number is not reused while the group has members.
        assert self.pid is not None
        with contextlib.suppress(OSError):
            os.killpg(self.pid, number)


class _ForkServer:
    """Restarts where it has ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._start()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            command = [sys.executable, "-P", "-m", "fullproof.serve.fork_server", str(number)]
            # Threads of a numerical library would not survive a fork.
            environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
            self._process = subprocess.Popen(
                command, pass_fds=[number], stdin=subprocess.DEVNULL, stdout=2, env=environment, process_group=0
            )
        self._control = ours

    def worker(self) -> Connection:
        """A new worker, which waits for its task."""
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            if self._process.poll() is not None:
                self._control.close()
                self._start()
            socket.send_fds(self._control, [b"w"], [theirs.fileno()])
        return Connection(ours.detach())

    def close(self) -> None:
        with self._lock:
            self._control.close()
            self._process.kill()  # no work is lost
            self._process.wait()
