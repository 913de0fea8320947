"""The process that workers are forked from: it has imported everything, so that a question starts within milliseconds.

``python -m fullproof.serve.fork_server NUMBER`` reads from the socket of that number: one byte and one descriptor for
each worker wanted. It ends when the other side does.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
from importlib import import_module
from importlib.resources import files
from multiprocessing.connection import Connection
from pathlib import Path
from pkgutil import walk_packages
from traceback import print_exc

from fullproof.core.errors import UserError

_ROOMS = ("abstract", "analysis", "certify", "check", "formats", "generate", "judge", "pipeline", "report", "smt")
_NEEDED = (
    "fullproof.execute.adapters",
    "fullproof.execute.play",
    "fullproof.execute.runner",
    "fullproof.serve.work.questions",
    "fullproof.serve.work.run",
    "fullproof.serve.work.steps",
    "fullproof.serve.worker",
    "jinja2",
    "numpy",
)


def _import() -> None:
    """Everything that questions use; a module of an extra that is not installed is none of them."""
    for room in _ROOMS:
        package = import_module(f"fullproof.{room}")
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            with contextlib.suppress(ImportError):
                import_module(found.name)
    for name in _NEEDED:
        import_module(name)


def _warm_up() -> None:
    """Read a model of each kind: grammars are compiled when they are first used."""
    from fullproof.formats import read_model_text

    for item in (files("fullproof.serve") / "models").iterdir():
        with contextlib.suppress(UserError):
            read_model_text(item.read_text(encoding="utf-8"), Path(item.name))


def main() -> None:
    """Fork workers on request until the other side ends."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the workbench, which ends this process
    _import()
    _warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no exit statuses are needed: workers report results
    while True:
        message, descriptors, *_ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        for number in descriptors:
            if os.fork() == 0:
                control.close()
                _child(number)
            os.close(number)


def _child(number: int) -> None:
    from fullproof.serve import worker

    os.set_inheritable(number, False)
    try:
        worker.work(Connection(number))
    except (OSError, EOFError, KeyboardInterrupt):
        worker.end(1)  # the other side has ended
    except BaseException:  # noqa: BLE001 - a forked process must never return into the loop above
        with contextlib.suppress(OSError):
            print_exc()
        worker.end(3)
    worker.end(0)


if __name__ == "__main__":
    main()
