"""``fullproof convert``: the same model in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullproof.artefacts.replies import FileReply
from fullproof.cli.command import Command
from fullproof.cli.output import Output
from fullproof.formats.table import FORMATS, readable_endings


def _targets() -> str:
    """What can be written, by the kinds of models that it can hold: ``.dot .csv (fsm)``."""
    groups: dict[tuple[str, ...] | None, list[str]] = {}
    for format_ in FORMATS:
        if format_.writes:
            groups.setdefault(format_.kinds, []).extend(format_.endings)
    parts = [" ".join(endings) + (f" ({', '.join(kinds)})" if kinds else "") for kinds, endings in groups.items()]
    return ", ".join(parts) + "."


def _convert(
    source: Annotated[
        Path,
        typer.Argument(metavar="SOURCE", help=f"The model to read: {' '.join(readable_endings())}", show_default=False),
    ],
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help=f"The file to write: {_targets()}", show_default=False)
    ],
    output: Output,
) -> None:
    from fullproof import pipeline

    with output.working("converting"):
        pipeline.convert_file(source, target)
    output.answer(FileReply(output=str(target)), f"wrote {target}")


COMMAND = Command(
    name="convert",
    help="Read a model in one format and write it in another; the endings say which.",
    example="fullproof convert tcp.dot tcp.yaml",
    function=_convert,
)
