"""``fullproof simulate``: a model plays the system under test."""

from __future__ import annotations

import contextlib
import sys

from fullproof.artefacts.questions import SimulateRequest
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.output import Output


def _simulate(model: ModelArgument, request: SimulateRequest, output: Output) -> None:
    """Standard output is reserved for the protocol, which is JSON Lines, unless a person types at a terminal."""
    from fullproof import pipeline

    seed, observe, show = request.seed, request.observe, request.show_state
    if request.listen is None and sys.stdin.isatty() and sys.stdout.isatty() and not output.quiet and not show:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - input() edits lines with it
        pipeline.simulate_terminal(model, input, print, seed=seed)
    elif request.listen is None:
        seen = sys.stdin.isatty() and sys.stderr.isatty() and not output.quiet
        writer = _Terminal() if seen else sys.stdout
        pipeline.simulate_streams(model, sys.stdin, writer, seed=seed, observe=observe, show_state=show)
    else:
        announce = None if output.quiet else lambda address: sys.stderr.write(f"listening on {address}\n")
        pipeline.simulate_tcp(model, request.listen, seed=seed, observe=observe, show_state=show, announce=announce)


class _Terminal:
    """Answers on standard output, and a clock on standard error."""

    def write(self, text: str, /) -> object:
        """Write some text."""
        return sys.stdout.write(text)

    def flush(self) -> object:
        """Let people see it."""
        return sys.stdout.flush()

    def clock(self, text: str, /) -> object:
        """Show the time."""
        return sys.stderr.write(f"{text}\n")


COMMAND = Command(
    name="simulate",
    help="Play a model as a system under test, in JSON Lines on standard input and output, or over TCP; on a terminal, "
    "with inputs typed by their names.",
    example='echo \'{"input": "coin"}\' | fullproof simulate turnstile.yaml',
    function=_simulate,
)
