"""Error outcomes as messages and as status codes of HTTP."""

from __future__ import annotations

import json

from fullproof.serve.answers import BrokenAnswer, Cancelled, Crowded, Limit, RefusedAnswer, Stopped
from fullproof.serve.messages import Complaint

_LIMITS = {
    Limit.TIME: (504, "this took longer than the workbench allows: use the command line, or fullproof serve --seconds"),
    Limit.MEMORY: (507, "this needs more memory than the workbench allows: see fullproof serve --memory"),
    Limit.DEATH: (
        507,
        "the worker died: it needed more memory than the workbench allows (see fullproof serve --memory), or a system "
        "under test ended the process that it ran in",
    ),
    Limit.SIZE: (507, "the answer is larger than the workbench hands out: use the command line"),
}


def complaint_of(outcome: RefusedAnswer | Stopped | Cancelled | Crowded | BrokenAnswer) -> tuple[int, Complaint]:
    """The status and the message."""
    match outcome:
        case RefusedAnswer(body=body):
            return 422, Complaint(error="refused", **json.loads(body))
        case Stopped(limit=limit):
            status, message = _LIMITS[limit]
            return status, Complaint(error=limit.value, message=message)
        case Cancelled():
            return 499, Complaint(error="cancelled", message="the request was cancelled")
        case Crowded():
            return busy()
        case BrokenAnswer(report=report):
            message = f"this is a bug in fullproof, please report it: {report}"
            return 500, Complaint(error="bug", message=message)


def busy() -> tuple[int, Complaint]:
    """Too many questions at once."""
    return 503, Complaint(error="busy", message="all workers are busy: try again in a moment")
