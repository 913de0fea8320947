"""``fullproof compare``: model against model, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullproof.artefacts.questions import CompareRequest
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output


def _compare(
    model: ModelArgument,
    other: Annotated[Path, typer.Argument(metavar="OTHER", help="The machine to judge.", show_default=False)],
    request: CompareRequest,
    output: Output,
) -> None:
    from fullproof import pipeline

    with output.working("comparing"):
        comparison = pipeline.compare_files(model, other, request)
    output.answer(comparison.reply(), *comparison.lines(model.name, other.name))
    if comparison.conforms is None:
        raise typer.Exit(ExitCode.INCONCLUSIVE)
    if not comparison.conforms:
        raise typer.Exit(ExitCode.NO)


COMMAND = Command(
    name="compare",
    help="Decide whether OTHER conforms to MODEL, exactly; exit code 1 and a shortest counterexample where not.",
    example="fullproof compare model.yaml implementation.dot --relation reduction",
    function=_compare,
)
