"""``fullproof convert``: the same model in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullproof.cli.options import JsonOption, QuietOption
from fullproof.cli.output import Output


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "convert",
        help="Read a model in one format and write it in another; the endings say which.",
        epilog="Example: fullproof convert tcp.dot tcp.yaml",
    )(_convert)


def _convert(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="The model to read.", show_default=False)],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="The file to write.", show_default=False)],
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    from fullproof import pipeline

    output = Output(as_json=json, quiet=quiet)
    with output.working("converting"):
        pipeline.convert_file(source, target)
    output.answer({"output": str(target)}, f"wrote {target}")
