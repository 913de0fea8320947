"""``fullproof simulate``: a model plays the system under test."""

from __future__ import annotations

import sys

from fullproof.artefacts.questions import SimulateRequest
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.output import Output


def _simulate(model: ModelArgument, request: SimulateRequest, output: Output) -> None:
    """Standard output is reserved for the protocol, which is JSON Lines."""
    from fullproof import pipeline

    seed, observe = request.seed, request.observe
    if request.listen is None:
        pipeline.simulate_streams(model, sys.stdin, sys.stdout, seed=seed, observe=observe)
    else:
        announce = None if output.quiet else lambda address: sys.stderr.write(f"listening on {address}\n")
        pipeline.simulate_tcp(model, request.listen, seed=seed, observe=observe, announce=announce)


COMMAND = Command(
    name="simulate",
    help="Play a model as a system under test, in JSON Lines on standard input and output, or over TCP.",
    example='echo \'{"input": "coin"}\' | fullproof simulate turnstile.yaml',
    function=_simulate,
)
