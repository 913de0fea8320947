"""Every point of one run: the process that runs it stops where its first file is about to be written, and forks there.

Up to that place nothing has happened outside of the process, so that an interrupt leads to the same end wherever it
comes; it comes once in each function of ours that is called. From there on the fault comes at every point there is,
each in a process of its own, which begins where the run had stopped. Needs: a run without threads.
"""

import gc
import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

Fault = Callable[[int], None]
EARLY = "before the first file"


class Sweep:
    """One run, many ends. ``report`` is where what became of them is written."""

    def __init__(self, fault: Fault, *, interrupts: object, scratch: Path, end: Callable[[int], Any]) -> None:
        self._fault = fault
        self._interrupts = bool(interrupts)
        self._scratch = scratch
        self._end = end
        self._streams = (os.dup(1), os.dup(2))
        """They lead to the files ``out`` and ``err``, and are shared by all that were forked."""
        self._seen: set[object] = set()
        self._outcomes: list[dict[str, Any]] = []
        self._states: dict[str, int] = {}
        self._here = Path.cwd()
        self._before = set(self._here.iterdir())
        self._waits = True

    def begin(self) -> None:
        """From here on."""
        gc.collect()
        gc.freeze()
        gc.disable()  # a collection writes to all objects, and what is written to is copied for each process
        sys.addaudithook(self._audit)
        if self._interrupts:
            sys.setprofile(self._profile)

    def _profile(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code not in self._seen and "fullproof" in frame.f_code.co_filename:
            self._seen.add(frame.f_code)
            if self._forked(EARLY):
                os.kill(os.getpid(), signal.SIGINT)

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        creates = event == "open" and isinstance(arguments[0], str) and arguments[2] & os.O_CREAT
        if self._waits and (creates or event in ("fcntl.flock", "os.mkdir", "sqlite3.connect")):
            self._waits = False
            sys.setprofile(None)
            self._all()

    def _all(self) -> None:
        point, count = -1, 0  # the first one has no fault, and says how many points there are
        while point < max(count, 0):
            if self._forked(point):
                self._fault(point)
                return
            if point < 0:
                count = self._outcomes[-1]["count"]
            point += 1
        (self._scratch / "swept").write_text(json.dumps(self._outcomes))
        self._end(0)

    def _forked(self, point: object) -> bool:
        """Whether this is the process in which the fault is to come; the other one waits for its end."""
        for stream in self._streams:
            os.ftruncate(stream, 0)
            os.lseek(stream, 0, os.SEEK_SET)
        child = os.fork()
        if child == 0:
            self._waits = False
            sys.setprofile(None)
            return True
        _, status = os.waitpid(child, 0)
        count = self._scratch / "count"
        self._outcomes.append(
            {
                "point": point,
                "code": os.waitstatus_to_exitcode(status),
                "out": (self._scratch / "out").read_text(errors="replace"),
                "err": (self._scratch / "err").read_text(errors="replace"),
                "count": int(count.read_text() or 0),
                "state": self._kept(),
            }
        )
        return False

    def _kept(self) -> int | None:
        """The number of the state that files were left in: a copy of the first such state is kept."""
        new = sorted(set(self._here.iterdir()) - self._before)
        if not new:
            return None
        copy = self._here / "states" / "next"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir(parents=True)
        for path in new:
            if path.name != "states":
                path.rename(copy / path.name)
        known = json.dumps([(name.name, _content(name)) for name in sorted(copy.iterdir())])
        if known not in self._states:
            self._states[known] = len(self._states)
            copy.rename(copy.with_name(str(self._states[known])))
        self._before.add(self._here / "states")
        return self._states[known]


def _content(path: Path) -> object:
    """What a journal holds, in numbers of rows: times differ. Of other files the size."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as file:
            tables = [name for (name,) in file.execute("select name from sqlite_master where type = 'table'")]
            return {name: file.execute(f"select count(*) from {name}").fetchone() for name in tables}
    except sqlite3.Error:
        return path.stat().st_size
