"""The list of commands."""

from __future__ import annotations

from typing import Annotated

import typer

from fullproof.cli import (
    certify,
    check,
    classes,
    compare,
    convert,
    demo,
    draw,
    explore,
    generate,
    judge,
    learn,
    mutate,
    new,
    run,
    score,
    serve,
    simulate,
)
from fullproof.core.version import __version__

app = typer.Typer(
    name="fullproof",
    help="Turn a model into a finite test suite that proves conformance within a stated fault domain, and run it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: fullproof generate model.yaml --extra-states 1 -o suite.jsonl",
)


def _version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"fullproof {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", help="Print the version.", is_eager=True, callback=lambda v: _version(wanted=v)
        ),
    ] = False,
) -> None:
    """Give every command its place under ``fullproof``."""


COMMANDS = (
    new.COMMAND,
    check.COMMAND,
    classes.COMMAND,
    draw.COMMAND,
    convert.COMMAND,
    explore.COMMAND,
    learn.COMMAND,
    generate.COMMAND,
    run.COMMAND,
    judge.COMMAND,
    compare.COMMAND,
    certify.COMMAND,
    mutate.COMMAND,
    score.COMMAND,
    simulate.COMMAND,
    serve.COMMAND,
    demo.COMMAND,
)
for command in COMMANDS:
    command.register(app)
