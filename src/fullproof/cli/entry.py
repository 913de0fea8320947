"""Every outcome becomes an exit code: a user's error is one line, a bug has a traceback."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import typer

from fullproof.artefacts.options import unknown_option
from fullproof.cli.app import app
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.process import abandon_stdout, visible
from fullproof.core.errors import NothingToDo, UserError
from fullproof.core.interrupts import Interrupted

# typer bundles its own copy of click; this is the only public access to the base class of usage errors.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LONGEST = 200
_NAME = "fullproof"
_COMPLETION = "_FULLPROOF_COMPLETE"
"""The environment variable by which a shell requests completions."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    try:
        code = _invoke(list(arguments))
        sys.stdout.flush()
    except NothingToDo as error:
        return _complain(str(error), ExitCode.NOTHING_TO_DO)
    except UserError as error:
        return _complain(str(error))
    except _UsageError as error:
        return _complain(_usage_message(error))
    except (KeyboardInterrupt, typer.Abort) as end:
        _write(
            f"fullproof: interrupted: {visible(str(end))}" if isinstance(end, Interrupted) else "fullproof: interrupted"
        )
        return ExitCode.INTERRUPTED
    except BrokenPipeError:  # the reader of standard output has ended: fullproof ... | head
        abandon_stdout()
        return ExitCode.INTERRUPTED
    except OSError as error:
        return _refused(error)
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            return _bug()
        abandon_stdout()  # rich has already detected that standard output has no reader
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last line of defence: whatever is left is a bug of ours, and said to be one
        if _is_lost(error):
            return _complain(f"a library failed without a reason, most likely for lack of memory ({error})")
        return _complain("there is not enough memory for this") if _is_out_of_memory(error) else _bug()
    else:
        return code


def _refused(error: OSError) -> int:
    """The operating system refused an operation: a full disk, too many open files, a name too long."""
    if error.errno is None:
        return _bug()
    if error.errno in _FULL:
        abandon_stdout()
        return _complain(f"cannot write: {error.strerror}")
    named = isinstance(error.filename, str | bytes | os.PathLike) and bool(error.filename)
    where = f"{_shortened(os.fsdecode(error.filename))}: " if named else ""
    return _complain(f"{where}{error.strerror or os.strerror(error.errno)}")


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."


def _is_out_of_memory(error: BaseException) -> bool:
    """Whether an error means that memory ran out: a library may report that by its own exception, or fail because of
    it.
    """
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, MemoryError) or "out of memory" in str(seen):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _is_lost(error: BaseException) -> bool:
    """Whether a library in C failed without an exception: it could not even allocate the reason."""
    return isinstance(error, SystemError) and ("without exception" in str(error) or "without setting" in str(error))


def _invoke(arguments: list[str]) -> int:
    """Like calling the app, which has exit codes of its own for interruptions and broken pipes."""
    if _COMPLETION in os.environ:
        try:
            app(args=arguments, prog_name=_NAME, standalone_mode=False)
        except SystemExit as end:  # typer ends the process when it has answered a shell
            return end.code if isinstance(end.code, int) else ExitCode.DONE
        return ExitCode.DONE
    command = _command()
    try:
        with command.make_context(_NAME, arguments) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return ExitCode.DONE


@functools.cache
def _command() -> Any:
    """The tree of commands: made once in a process, since reading all signatures takes longer than a small command.

    Typer's type for it is of its own copy of click, and not public.
    """
    return typer.main.get_command(app)


def _bug() -> int:
    _write("fullproof: this is a bug in fullproof, please report it with the lines below\n" + traceback.format_exc())
    return ExitCode.BUG


def _complain(message: str, code: ExitCode = ExitCode.USAGE) -> int:
    _write("fullproof: " + visible(" ".join(message.split())))
    return code


def _usage_message(error: Exception) -> str:
    show = getattr(error, "format_message", None)
    message = (show() if callable(show) else str(error)) or "expected a command"
    context = getattr(error, "ctx", None)
    if hasattr(error, "possibilities") and context is not None:  # no option has this name
        flags = {flag.removeprefix("--") for one in context.command.params for flag in one.opts if flag[:2] == "--"}
        return str(unknown_option(str(getattr(error, "option_name", "")), flags))
    command = getattr(context, "command_path", "fullproof")
    return f"{message} (see {command} --help)"


def _write(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # a system under test may have closed it
        sys.stderr.write(text + "\n")
