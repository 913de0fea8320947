"""``fullproof simulate``: a model plays the system under test."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from fullproof.cli.options import JsonOption, ModelArgument, ObserveOption, QuietOption, SeedOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "simulate",
        help="Play a model as a system under test, in JSON Lines on standard input and output, or over TCP.",
        epilog='Example: echo \'{"input": "coin"}\' | fullproof simulate turnstile.yaml',
    )(_simulate)


def _simulate(
    model: ModelArgument,
    listen: Annotated[
        str | None, typer.Option("--listen", metavar="HOST:PORT", help="Serve TCP clients instead, one at a time.")
    ] = None,
    observe: ObserveOption = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    # Standard output belongs to the protocol, which is JSON Lines already.
    del json
    from fullproof import pipeline

    if listen is None:
        pipeline.simulate_streams(model, sys.stdin, sys.stdout, seed=seed, observe=observe)
    else:
        announce = None if quiet else lambda address: sys.stderr.write(f"listening on {address}\n")
        pipeline.simulate_tcp(model, listen, seed=seed, observe=observe, announce=announce)
