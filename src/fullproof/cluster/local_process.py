"""The process that holds a cluster of this machine: its scheduler, and the processes of its workers.

It is separate from the command so that Ctrl-C reaches only the command, scheduling costs it no time, and one signal to
a process group ends everything. Its first line on standard output is the scheduler's address; it ends when its
standard input does, which happens in every case when the command ends.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import threading
from typing import Any

_GRACE = 2.0


def _close(cluster: Any) -> None:
    with contextlib.suppress(Exception):  # workers that do not close in time are killed
        cluster.close(timeout=_GRACE)


def main() -> None:
    """Start the workers, print the address, and wait for the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answer = os.dup(1)
    os.dup2(2, 1)  # output of libraries is redirected: the answer is one line
    from distributed import LocalCluster

    logging.disable(logging.CRITICAL)
    try:
        # The HTTP server of a scheduler cannot be left out: it gets a random port that only this machine sees.
        cluster = LocalCluster(
            n_workers=int(sys.argv[1]),
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            memory_limit=0,
            dashboard_address=None,
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            silence_logs=logging.CRITICAL,
        )
    except Exception as error:  # noqa: BLE001 - the command says it in one line
        line = f"error {' '.join(str(error).split())}"
    else:
        line = f"ready {cluster.scheduler_address}"
    with contextlib.suppress(OSError), os.fdopen(answer, "w", encoding="utf-8") as out:
        out.write(line + "\n")
    if line.startswith("ready"):
        sys.stdin.buffer.read()
        closing = threading.Thread(target=_close, args=(cluster,), daemon=True)
        closing.start()
        closing.join(_GRACE)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
