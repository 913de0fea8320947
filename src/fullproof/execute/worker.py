"""One instance of the system in a process of its own: the other side of ``parallel``."""

from __future__ import annotations

import dataclasses
import signal
import sys
from multiprocessing.connection import Connection

from fullproof.core.errors import UserError
from fullproof.execute.adapters import open_sut
from fullproof.execute.parallel import Crew
from fullproof.execute.runner import run_jobs
from fullproof.execute.shield import Shield, stay


def work(connection: Connection) -> None:
    """Open the system, then run batches of tests until the other side hangs up."""
    crew: Crew = connection.recv()
    options = crew.options
    if crew.watch is not None:
        options = dataclasses.replace(options, watch=crew.watch())
    try:
        system = open_sut(crew.sut, crew.model, seed=crew.seed, step_timeout=options.step_timeout)
    except UserError as error:
        connection.send(("refused", (error.message, error.at)))
        return
    connection.send(("ready", None))
    try:
        while True:
            batch = connection.recv()
            try:
                traces = list(run_jobs(system, iter(batch), options))
            except UserError as error:
                connection.send(("refused", (error.message, error.at)))
                return
            connection.send(("traces", traces))
    except (EOFError, ConnectionError):
        return  # nobody wants more
    finally:
        system.close()


def main() -> None:
    """Keep what the system prints off standard output, and leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stay()
    with Shield():
        work(Connection(int(sys.argv[1])))


if __name__ == "__main__":
    main()
