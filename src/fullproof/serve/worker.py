"""One question, answered in a process of its own with limits on memory, time and files."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import sys
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import NoReturn

from fullproof.core.errors import UserError
from fullproof.serve.answers import BUG, DONE, MEMORY, PID, PROGRESS, REFUSED, SIZE
from fullproof.serve.work import answer

_PR_SET_PDEATHSIG = 1
_NICENESS = 5
_REPORT = 20_000
_SENT = ("model", "other", "suite")


def work(connection: Connection) -> None:
    """Read the task, answer it, report the outcome."""
    os.setsid()  # stopping this process also stops its children
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as systems under test expect it
    signal.signal(signal.SIGTERM, _interrupt)
    _die_with_parent()
    connection.send_bytes(PID + str(os.getpid()).encode())
    task = json.loads(connection.recv_bytes())
    _limit(task)

    def progress(done: int, total: int | None, steps: int) -> None:
        connection.send_bytes(PROGRESS + json.dumps([done, total, steps]).encode())

    kind, body = _answered(task, progress)
    if len(body) > task["answer"]:
        kind, body = SIZE, b""
    connection.send_bytes(kind + body)


def _answered(task: dict[str, object], progress: object) -> tuple[bytes, bytes]:
    folder = Path(str(task["folder"]))
    try:
        result = answer(str(task["question"]), task["content"], folder, progress)  # type: ignore[arg-type]  # JSON
        text = json.dumps(result, ensure_ascii=True, default=_plain)
    except UserError as error:
        return REFUSED, json.dumps(_complaint(error, folder)).encode()
    except MemoryError:
        return MEMORY, b""
    except RecursionError:
        return REFUSED, json.dumps({"message": "the model is nested too deeply", "file": None}).encode()
    except KeyboardInterrupt:
        return BUG, b"interrupted"
    except Exception as error:  # noqa: BLE001 - the last line of defence: a bug is reported to the page, with its traceback
        if "out of memory" in str(error):
            return MEMORY, b""
        return BUG, traceback.format_exc()[-_REPORT:].encode("utf-8", "backslashreplace")
    return DONE, text.encode()


def _complaint(error: UserError, folder: Path) -> dict[str, object]:
    """The file is named as the question names it: ``model``, ``other``, ``suite``."""
    file = error.at.file.removeprefix(f"{folder}{os.sep}")
    if file and (name := Path(file).stem) in _SENT and Path(file).name == file:
        message = error.message.replace(f"{folder}{os.sep}", "")
        return {"message": message, "file": name, "line": error.at.line, "column": error.at.column}
    # Files of a system under test have places, too, which are not places in what the browser shows.
    return {"message": str(error).replace(f"{folder}{os.sep}", ""), "file": None}


def _plain(value: object) -> object:
    from collections.abc import Mapping
    from fractions import Fraction

    from fullproof.artefacts.suite import json_value

    if isinstance(value, Fraction):
        return json_value(value)
    if isinstance(value, Mapping):
        return dict(value)
    return sorted(value) if isinstance(value, frozenset | set) else str(value)


def _limit(task: dict[str, object]) -> None:
    for kind, name in ((resource.RLIMIT_AS, "memory"), (resource.RLIMIT_FSIZE, "file")):
        _, hard = resource.getrlimit(kind)
        wanted = int(str(task[name]))
        with contextlib.suppress(OSError, ValueError):  # not every system limits everything
            resource.setrlimit(kind, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    # No core dumps of a process that a hostile model has crashed.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)


def _die_with_parent() -> None:
    """End this process when the workbench is killed. Only Linux offers this."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() == 1:
            os._exit(1)


def _interrupt(_signum: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def end(code: int) -> NoReturn:
    """Exit without the exit handlers of the parent's interpreter."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
