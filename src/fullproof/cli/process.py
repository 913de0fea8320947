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
"""As it was before a system under test could put something else in its place."""
_ADAPTERS = "fullproof.execute.adapters"
"""Where this room has been entered, code that is not ours may have run in this process."""


class _State:
    ours = False


def is_ours() -> bool:
    """Whether this process runs one command and then ends; else we are guests in it."""
    return _State.ours


def prepare() -> None:
    """Make sure that there are three streams that take any text, and that being told to end is an interruption."""
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
    """End with this code, whatever a system under test has left behind: threads that never end, what ``atexit`` calls.

    From here on a signal ends the process at once, as an interruption: the answer is out, but nobody waits for it.
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
    # What a library wants to say at the end of the interpreter is no part of the answer.
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    raise SystemExit(code)


def abandon_stdout() -> None:
    """Nobody takes what is still to be written; the interpreter must not complain of that at its end."""
    if sys.stdout is sys.stderr:  # a shield has kept standard output: why it failed can still be said
        return
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def visible(text: str) -> str:
    """The text with pictures of its control characters: what a model or a system says must not drive a terminal."""
    return text if text.isprintable() else text.translate(_PICTURES)


def make_stdout_utf8() -> None:
    """What goes there next is a file, whatever the terminal's encoding is."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")


def _signals(*, ours: bool = False) -> list[int]:
    """Those that ask us to end, of which nobody else takes care, or of which we do.

    Who started us may have asked that one be ignored (nohup).
    """
    numbers = (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP"))
    wanted = (_interrupt,) if ours else (signal.SIG_DFL, signal.default_int_handler)
    return [number for number in numbers if number is not None and signal.getsignal(number) in wanted]


def _end(_signum: int, _frame: FrameType | None) -> NoReturn:
    _exit(ExitCode.INTERRUPTED)


def _interrupt(_signum: int, _frame: FrameType | None) -> None:
    interrupt()


def _unraisable(raised: sys.UnraisableHookArgs) -> None:
    """An interruption at the end of a generator, say, which Python would only print, is one all the same."""
    if isinstance(raised.exc_value, KeyboardInterrupt):
        postpone()
    else:
        sys.__unraisablehook__(raised)


def _open_missing_streams() -> None:
    """Whoever closed a stream does not want it; but the next file opened must not take its number either."""
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(descriptor)
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123  # open as long as we are
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
