"""The process that workers are forked from: it has imported everything, so that a question starts within milliseconds.

``python -m fullproof.serve.nursery NUMBER`` reads from the socket of that number: one byte and one descriptor for each
worker wanted. It ends when the other side does.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
from importlib import import_module
from multiprocessing.connection import Connection
from traceback import print_exc

_NEEDED = (
    "fullproof.check",
    "fullproof.formats.documents",
    "fullproof.pipeline.certification",
    "fullproof.pipeline.classes",
    "fullproof.pipeline.comparison",
    "fullproof.pipeline.models",
    "fullproof.pipeline.purposes",
    "fullproof.pipeline.runs",
    "fullproof.pipeline.statemachine_suites",
    "fullproof.pipeline.suites",
    "fullproof.pipeline.symbolic_suites",
    "fullproof.report.diagram",
    "fullproof.report.html",
    "fullproof.smt.backends.z3_backend",
    "fullproof.execute.adapters",
    "fullproof.execute.play",
    "jinja2",
    "lark",
    "numpy",
    "ruamel.yaml",
    "fullproof.serve.worker",
    "fullproof.serve.work.questions",
    "fullproof.serve.work.running",
    "fullproof.serve.work.stepping",
)


def main() -> None:
    """Fork until nobody asks for more."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the workbench, which ends us
    for name in _NEEDED:
        import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for workers: what they have to say, they say
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
        worker.end(1)  # nobody listens any more
    except BaseException:  # noqa: BLE001 - a forked process must never return into the loop above
        with contextlib.suppress(OSError):
            print_exc()
        worker.end(3)
    worker.end(0)


if __name__ == "__main__":
    main()
