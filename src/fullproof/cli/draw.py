"""``fullproof draw``: a picture of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullproof.artefacts.replies import FileReply
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.output import Output


def _draw(
    model: ModelArgument,
    output: Output,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The picture; its ending says which kind. Default: the name of MODEL with .svg, in this folder",
        ),
    ] = None,
) -> None:
    from fullproof import pipeline

    picture = target or Path(f"{model.stem}.svg")
    with output.working("drawing"):
        pipeline.draw_file(model, picture)
    output.answer(FileReply(output=str(picture)), f"wrote {picture}")


COMMAND = Command(
    name="draw",
    help="Draw the state diagram of a model as .svg, .png, .dot or .mmd.",
    example="fullproof draw brake.yaml -o brake.svg",
    function=_draw,
)
