"""Runs commands of fullproof with a fault in each: one process has imported everything and forks for each command.

Reads questions from standard input, one JSON object a line, and answers each: the exit code, what was printed, and how
many points there were at which the fault could have come.
"""

import ctypes
import json
import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

from sweep import Sweep


def main() -> None:
    """Serve."""
    answers = os.fdopen(os.dup(1), "w")
    warm_up()
    for line in sys.stdin:
        print(json.dumps(serve(json.loads(line))), file=answers, flush=True)


def warm_up() -> None:
    """Import what commands import, by doing what they do."""
    import fullproof.pipeline.judgement
    import fullproof.pipeline.runs  # noqa: F401
    from fullproof.cli.entry import run

    folder = tempfile.mkdtemp()
    model = Path(folder) / "warm.yaml"
    model.write_text("machine: fsm\nname: warm\ninitial: a\nstates:\n  a: [{when: x, then: y, to: a}]\n")
    run(["run", str(model), "--sut", f"model:{model}", "--report", f"{folder}/out", "--quiet"])
    run(["judge", f"{folder}/out/run.sqlite", "--quiet"])


def serve(question: dict[str, Any]) -> dict[str, Any]:
    """Fork, run, wait."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        child = os.fork()
        if child == 0:
            become(question, folder)
        _, status = os.waitpid(child, 0)
        count, swept = folder / "count", folder / "swept"
        return {
            "swept": json.loads(swept.read_text()) if swept.exists() else [],
            "code": os.waitstatus_to_exitcode(status),
            "out": (folder / "out").read_text(errors="replace"),
            "err": (folder / "err").read_text(errors="replace"),
            "count": int(count.read_text() or 0) if count.exists() else 0,
        }


def become(question: dict[str, Any], folder: Path) -> None:
    """The command in a process of its own; it never returns."""
    for number, name in ((1, "out"), (2, "err")):
        descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT)
        os.dup2(descriptor, number)
    os.chdir(question["folder"])
    sys.argv = ["fullproof", *question["words"]]
    count = os.open(folder / "count", os.O_WRONLY | os.O_CREAT)
    end = os._exit
    try:
        from fullproof.cli import main, process

        process._exit = lambda code: finish(code, count, end)  # type: ignore[assignment]  # to count, then to end
        prepare = process.prepare

        def prepared() -> None:
            prepare()
            fault = FAULTS[question["fault"]]
            if question["sweep"]:
                Sweep(fault, interrupts=fault is interrupted, scratch=folder, end=end).begin()
            else:
                fault(question["point"])  # from here on every end is ours

        process.prepare = prepared
        main()
    except SystemExit as left:
        finish(left.code, count, end)
    except BaseException:  # noqa: BLE001  # whatever it is, the test is to see it
        traceback.print_exc()
        finish(99, count, end)


def finish(code: object, count: int, end: Any) -> None:
    """Say how many points there were, and end."""
    COUNTED["stop"]()
    os.ftruncate(count, 0)
    os.pwrite(count, str(COUNTED["count"]()).encode(), 0)
    end(code)


COUNTED: dict[str, Any] = {"count": lambda: 0, "stop": lambda: None}


def no_fault(_point: int) -> None:
    """Nothing goes wrong."""


def full_disk(point: int) -> None:
    """From the write of that number on."""
    fail_write(point, lasting=1, reason=28)


def bad_sector(point: int) -> None:
    """Only that write, with EIO."""
    fail_write(point, lasting=0, reason=5)


def fail_write(point: int, *, lasting: int, reason: int) -> None:
    library = ctypes.CDLL(None)
    library.fail_write(ctypes.c_long(point), lasting, reason)
    library.writes_seen.restype = ctypes.c_long
    seen: list[int] = []

    def stop() -> None:
        seen.append(library.writes_seen())
        library.fail_write(ctypes.c_long(-1), 0, 0)

    COUNTED.update(count=lambda: seen[0], stop=stop)


def no_memory(point: int) -> None:
    """The allocation of that number."""
    import _testcapi

    if point >= 0:
        _testcapi.set_nomemory(point, point + 1)
        COUNTED.update(stop=_testcapi.remove_mem_hooks)


def interrupted(point: int) -> None:
    """A signal at the call of that number: of a function of ours, or the first one from its place in the program."""
    calls = 0
    places = set()

    def profile(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        if event != "call":
            return
        back = frame.f_back
        place = (frame.f_code, back and back.f_code, back and back.f_lineno)
        if place not in places or "fullproof" in frame.f_code.co_filename:
            places.add(place)
            if calls == point:
                os.kill(os.getpid(), signal.SIGINT)
            calls += 1

    COUNTED.update(count=lambda: calls, stop=lambda: sys.setprofile(None))
    sys.setprofile(profile)


FAULTS = {
    "none": no_fault,
    "full disk": full_disk,
    "bad sector": bad_sector,
    "no memory": no_memory,
    "interrupted": interrupted,
}

if __name__ == "__main__":
    main()
