"""Every outcome becomes an exit code: the user's errors in one line, ours with a traceback."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import traceback
from collections.abc import Sequence

import typer

from fullproof.cli.app import app
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.process import abandon_stdout, visible
from fullproof.core.errors import NothingToDo, UserError

# typer carries its own copy of click; this is the one public way to the class of all usage errors.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NAME = "fullproof"
_COMPLETION = "_FULLPROOF_COMPLETE"
"""The variable by which a shell asks for completions."""


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
    except (KeyboardInterrupt, typer.Abort):
        _write("fullproof: interrupted")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:  # whoever read our output went away: fullproof ... | head
        abandon_stdout()
        return ExitCode.INTERRUPTED
    except PermissionError as error:  # even to ask whether a file exists, its folder must be searchable
        if not isinstance(error.filename, str | bytes | os.PathLike):
            return _bug()
        return _complain(f"{os.fsdecode(error.filename)}: {error.strerror}")
    except MemoryError:
        return _complain("there is not enough memory for this")
    except Exception as error:  # noqa: BLE001 - the last line of defence: whatever is left is a bug of ours, and said to be one
        if isinstance(error, OSError) and error.errno in _FULL:
            abandon_stdout()
            return _complain(f"cannot write: {error.strerror}")
        return _bug()
    else:
        return code


def _invoke(arguments: list[str]) -> int:
    """Like calling the app, which has exit codes of its own for interruptions and broken pipes."""
    if _COMPLETION in os.environ:
        return int(app(args=arguments, prog_name=_NAME, standalone_mode=False) or ExitCode.DONE)
    command = typer.main.get_command(app)
    try:
        with command.make_context(_NAME, arguments) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return ExitCode.DONE


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
    command = getattr(context, "command_path", "fullproof")
    return f"{message} (see {command} --help)"


def _write(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # a system under test may have closed it
        sys.stderr.write(text + "\n")
