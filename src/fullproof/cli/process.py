"""The process around a command: its signals, its three streams, its end."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

from fullproof.cli.exit_codes import ExitCode
from fullproof.core.interrupts import interrupt, is_pending, postpone

_PICTURES = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421}
_PICTURES |= dict.fromkeys((*range(0x80, 0xA0), *range(0xD800, 0xE000)), 0xFFFD)
del _PICTURES[ord("\n")]


_exit = os._exit
"""The original standard output, before a system under test could replace it."""
_ADAPTERS = "fullproof.execute.adapters"
"""Where this package has been imported, code of a system under test may have run in this process."""


class _State:
    ours = False


def is_ours() -> bool:
    """Whether this process runs one command and then ends; else fullproof runs inside another program."""
    return _State.ours


def prepare() -> None:
    """Make sure that three streams exist that accept any text, and that a termination signal is an interruption."""
    _State.ours = True
    _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Names of models are any text, and a terminal may not be able to show them all.
            stream.reconfigure(errors="backslashreplace")
    for number in _signals():
        signal.signal(number, _interrupt)
    sys.unraisablehook = _unraisable


def leave(code: int) -> NoReturn:
    """End with this code, regardless of what a system under test has left: threads that never end, ``atexit`` handlers.

    From here on a signal ends the process at once, as an interruption: the answer is already printed.
    """
    for number in _signals(ours=True):
        signal.signal(number, _end)
    if is_pending():
        code = ExitCode.INTERRUPTED
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    left = [t for t in threading.enumerate() if t is not threading.main_thread() and not t.daemon]
    if left or _ADAPTERS in sys.modules:
        _exit(code)
    # Output of a library at the end of the interpreter is not part of the answer.
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    raise SystemExit(code)


def abandon_stdout() -> None:
    """Standard output has no reader any more; the interpreter must not report that at its end."""
    if sys.stdout is sys.stderr:  # a shield has kept standard output: the reason of the failure can still be printed
        return
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def visible(text: str) -> str:
    """The text with visible symbols for control characters: text of a model or a system must not control a terminal."""
    return text if text.isprintable() else text.translate(_PICTURES)


def make_stdout_utf8() -> None:
    """What goes there next is a file, whatever the terminal's encoding is."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")


def _signals(*, ours: bool = False) -> list[int]:
    """The termination signals that have no other handler, or ours.

    The parent process may have set one to be ignored (nohup).
    """
    numbers = (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP"))
    wanted = (_interrupt,) if ours else (signal.SIG_DFL, signal.default_int_handler)
    return [number for number in numbers if number is not None and signal.getsignal(number) in wanted]


def _end(_signum: int, _frame: FrameType | None) -> NoReturn:
    _exit(ExitCode.INTERRUPTED)


def _interrupt(_signum: int, _frame: FrameType | None) -> None:
    interrupt()


def _unraisable(raised: sys.UnraisableHookArgs) -> None:
    """An interruption in a place where Python would only print it, such as the end of a generator, is recorded."""
    if isinstance(raised.exc_value, KeyboardInterrupt):
        postpone()
    else:
        sys.__unraisablehook__(raised)


def _open_missing_streams() -> None:
    """A closed stream is replaced by the null device, so that the next opened file does not get its number."""
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(descriptor)
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123  # open as long as we are
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
