"""Arguments and printing. ``main`` turns every outcome into an exit code of the contract."""

from __future__ import annotations

import sys

from fullproof.core.version import __version__

__all__ = ["main"]


def main() -> None:
    """Run the command line. The version is printed before anything heavy is imported."""
    if sys.argv[1:] in (["--version"], ["-V"]) and sys.stdout is not None:
        sys.stdout.write(f"fullproof {__version__}\n")
        sys.exit(0)
    from fullproof.cli.process import leave, prepare

    prepare()
    try:
        from fullproof.cli.entry import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # an interruption before the command started, or after its answer
        sys.stderr.write("fullproof: interrupted\n")
        code = 2
    except MemoryError:
        sys.stderr.write("fullproof: there is not enough memory for this\n")
        code = 4
    try:
        leave(code)
    except KeyboardInterrupt:  # in the moment before a signal ends the process at once
        leave(2)
