"""Every outcome becomes an exit code: the user's errors in one line, ours with a traceback."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Sequence

import typer

from fullproof.cli.app import app
from fullproof.cli.exit_codes import ExitCode
from fullproof.core.errors import UserError

# typer carries its own copy of click; this is the one public way to the class of all usage errors.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    try:
        return int(app(args=list(arguments), prog_name="fullproof", standalone_mode=False) or ExitCode.DONE)
    except typer.Exit as end:
        return end.exit_code
    except UserError as error:
        return _complain(str(error))
    except _UsageError as error:
        return _complain(_usage_message(error))
    except (KeyboardInterrupt, typer.Abort):
        _write("fullproof: interrupted")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output went away (`fullproof ... | head`); the interpreter must not complain at exit.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.INTERRUPTED
    except Exception:  # noqa: BLE001 - the last line of defence: whatever is left is a bug of ours, and said to be one
        _write(
            "fullproof: this is a bug in fullproof, please report it with the lines below\n" + traceback.format_exc()
        )
        return ExitCode.BUG


def _complain(message: str) -> int:
    _write("fullproof: " + " ".join(message.split()))
    return ExitCode.USAGE


def _usage_message(error: Exception) -> str:
    show = getattr(error, "format_message", None)
    message = show() if callable(show) else str(error)
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", "fullproof")
    return f"{message} (see {command} --help)"


def _write(text: str) -> None:
    with contextlib.suppress(OSError):
        sys.stderr.write(text + "\n")
