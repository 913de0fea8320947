"""Native code of the user's, loaded by a child process that says whether that went well."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from fullproof.core.deadline import Deadline
from fullproof.core.errors import UserError
from fullproof.execute.adapters.exec_sut import Process
from fullproof.execute.adapters.lines import Closed
from fullproof.execute.json_protocol import parse_object
from fullproof.execute.sut import SutError

_LOADING = 30.0
"""Seconds that a library may take to load."""


def worker_command(worker: str, described: Mapping[str, Any]) -> list[str]:
    """The command of a child process of this package, with what it has to know."""
    return [sys.executable, "-P", "-m", f"fullproof.execute.adapters.{worker}", json.dumps(described)]


def loaded(command: list[str], library: str) -> tuple[Process, Mapping[str, Any]]:
    """A process that has loaded the library, and what it said; a UserError where it could not."""
    first = Process(command)
    try:
        answer = parse_object(first.exchange(b'{"load": true}\n', Deadline(_LOADING)))
    except Closed as closed:
        why = first.exit_error(closed)
        raise UserError(f"loading {library}: {why.reason}") from closed
    except SutError as error:
        first.kill()
        raise UserError(f"loading {library}: {error.reason}") from error
    if "error" in answer:
        first.kill()
        raise UserError(f"{library}: {answer['error']}")
    return first, answer
