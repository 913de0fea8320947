"""Errors in Python code of a system under test, as one line, with the traceback as evidence."""

from __future__ import annotations

import os
import signal
import traceback
from pathlib import Path
from types import TracebackType

from fullproof.core.errors import NOWHERE, Place
from fullproof.execute.sut import SutError

_OURS = str(Path(__file__).resolve().parent) + os.sep
_PACKAGE = str(Path(__file__).resolve().parent.parent) + os.sep
_FROZEN = "<frozen "
_LONGEST = 4000


def is_interruption(error: BaseException) -> bool:
    """Whether a KeyboardInterrupt comes from a signal, and not from the system itself."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        return True  # that handler leaves no frame by which it could be recognised
    frames = traceback.extract_tb(error.__traceback__)
    return not frames or frames[-1].filename.startswith(_PACKAGE)


def blame(error: BaseException) -> SutError:
    """The error as the fault of the system under test."""
    place = place_of(error)
    where = f" ({place})" if str(place) else ""
    return SutError(f"raised {describe(error)}{where}", evidence=evidence(error))


def describe(error: BaseException) -> str:
    """Type and message in one line, whatever the message is made of."""
    if isinstance(error, SystemExit):
        return f"SystemExit: called sys.exit({error.code!r})"
    name = type(error).__name__
    try:
        message = str(error.msg) if isinstance(error, SyntaxError) else str(error)
    except Exception:  # noqa: BLE001  # an exception of the user's may fail to print
        message = ""
    message = " ".join(message.split())[:300]
    return f"{name}: {message}" if message else name


def place_of(error: BaseException) -> Place:
    """The innermost line of code of the system."""
    if isinstance(error, SyntaxError) and error.filename:
        return Place(file=_short(error.filename), line=error.lineno, column=error.offset)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not _ours(frame.filename)]
    return Place(file=_short(frames[-1].filename), line=frames[-1].lineno) if frames else NOWHERE


def evidence(error: BaseException) -> str:
    """The traceback from the first frame of the system, its end where it is long."""
    trail: TracebackType | None = error.__traceback__
    while trail is not None and _ours(trail.tb_frame.f_code.co_filename):
        trail = trail.tb_next
    try:
        text = "".join(traceback.format_exception(type(error), error, trail))
    except Exception:  # noqa: BLE001  # an exception of the user's may fail to print
        text = type(error).__name__
    return text[-_LONGEST:]


def _ours(filename: str) -> bool:
    return filename.startswith((_OURS, _FROZEN))


def _short(filename: str) -> str:
    """Relative to the working directory where the file is below it."""
    try:
        return str(Path(filename).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return filename
