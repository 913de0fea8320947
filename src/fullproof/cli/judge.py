"""``fullproof judge``: judge an old run again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullproof.artefacts.questions import JudgeRequest
from fullproof.cli.command import Command
from fullproof.cli.output import Output
from fullproof.cli.run import leave, tell


def _judge(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="The run.sqlite of a run.", show_default=False)],
    request: JudgeRequest,
    output: Output,
) -> None:
    from fullproof import pipeline

    with output.progress("judging") as progress:
        outcome = pipeline.judge_journal(
            journal, report=request.report, progress=progress, certificate=request.certificate
        )
    tell(output, outcome)
    leave(output, outcome)


COMMAND = Command(
    name="judge",
    help="Judge the journal of an old run again, from scratch and without the system.",
    example="fullproof judge out/run.sqlite",
    function=_judge,
)
