"""``fullproof draw``: a picture of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullproof.cli.options import JsonOption, ModelArgument, QuietOption
from fullproof.cli.output import Output


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "draw",
        help="Draw the state diagram of a model as .svg, .png, .dot or .mmd.",
        epilog="Example: fullproof draw brake.yaml -o brake.svg",
    )(_draw)


def _draw(
    model: ModelArgument,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The picture; its ending says which kind. Default: the name of MODEL with .svg, in this folder",
        ),
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    from fullproof import pipeline

    output = Output(as_json=json, quiet=quiet)
    picture = target or Path(f"{model.stem}.svg")
    with output.working("drawing"):
        pipeline.draw_file(model, picture)
    output.answer({"output": str(picture)}, f"wrote {picture}")
