"""The child's side of ``child``: starts some work, then does batches of it until the connection ends."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from multiprocessing.connection import Connection
from typing import Any

from fullproof.cluster.record import RecordWriter, record_in
from fullproof.cluster.work import Answer, BrokenBatch, DoneBatch, Ready, RefusedBatch, Work
from fullproof.core.errors import Place, UserError
from fullproof.core.lifeline import hold

_NO_MEMORY = RefusedBatch("there is not enough memory for this", Place())


def serve(connection: Connection, recorder: RecordWriter | None = None) -> None:
    """Answer until the other side closes the connection."""
    # The parent may end at any moment; then errors of the connection are ignored.
    with contextlib.suppress(EOFError, ConnectionError):
        try:
            work: Work[Any, Any, Any] = pickle.loads(connection.recv_bytes())
            with work.begin(work.common) as do:
                _send(connection, Ready())
                while True:
                    batch = pickle.loads(connection.recv_bytes())
                    if recorder is not None:
                        recorder.begin()
                    _send(connection, _done(do, batch))
        except (EOFError, ConnectionError):
            raise
        except UserError as error:
            _send(connection, RefusedBatch(error.message, error.at))
        except MemoryError:
            _send(connection, _NO_MEMORY)
        except OSError as error:
            _send(connection, _denied(error))
        except Exception:  # noqa: BLE001 - a bug of ours: it belongs into the message of the process that started us
            _send(connection, BrokenBatch(traceback.format_exc()))


def _done(do: Callable[[Sequence[Any]], Iterable[Any]], batch: Sequence[Any]) -> DoneBatch:
    results: list[Any] = []
    begin = time.perf_counter()
    refused = None
    try:
        results.extend(do(batch))
    except UserError as error:
        refused = RefusedBatch(error.message, error.at)
    except MemoryError:
        refused = _NO_MEMORY
    except OSError as error:
        refused = _denied(error)
    return DoneBatch(results, time.perf_counter() - begin, refused)


def _denied(error: OSError) -> RefusedBatch:
    """The operating system refused an operation: a folder without permission, too many open files."""
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    return RefusedBatch(f"{where}{error.strerror or error}", Place())


def _send(connection: Connection, answer: Answer) -> None:
    connection.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))


def main() -> None:
    """Ignore Ctrl-C, which is for the parent; end with the parent; report the stack when it asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    numbers = list(map(int, sys.argv[1:]))
    hold(numbers[1])
    recorder = None
    if len(numbers) > 2:
        recorder = record_in(numbers[2])
        faulthandler.register(signal.SIGQUIT, file=numbers[3], all_threads=True)
    serve(Connection(numbers[0]), recorder)


if __name__ == "__main__":
    main()
