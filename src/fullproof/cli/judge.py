"""``fullproof judge``: judge an old run again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullproof.cli.options import JsonOption, QuietOption
from fullproof.cli.output import Output
from fullproof.cli.run import leave, tell


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "judge",
        help="Judge the journal of an old run again, from scratch and without the system.",
        epilog="Example: fullproof judge out/run.sqlite",
    )(_judge)


def _judge(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="The run.sqlite of a run.", show_default=False)],
    report: Annotated[
        Path | None, typer.Option("--report", metavar="DIR", help="Write the report of the run there once more.")
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    from fullproof import pipeline

    output = Output(as_json=json, quiet=quiet)
    with output.progress("judging") as progress:
        outcome = pipeline.judge_journal(journal, report=report, progress=progress)
    tell(output, outcome)
    leave(output, outcome)
