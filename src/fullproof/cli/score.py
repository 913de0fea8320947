"""``fullproof score``: which mutants a suite kills."""

from __future__ import annotations

import sys

import typer

from fullproof.artefacts.questions import ScoreRequest
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output


def _score(model: ModelArgument, request: ScoreRequest, output: Output) -> None:
    from fullproof import pipeline

    with output.working("scoring"):
        scores = pipeline.score_files(model, request)
    reply = scores.reply()
    lines = [f"{reply.mutants:,} mutants: {reply.killed:,} killed, {reply.conforming:,} conforming"]
    lines += [f"survivor: {score.file}" for score in scores.survivors]
    lines += [f"open: {score.file}: {score.undecided}" for score in scores.undecided]
    output.answer(reply, *lines)
    output.notes(scores.notes)
    for score in scores.contradictions:
        sys.stderr.write(
            f"fullproof: the suite claims that {scores.method} covers {score.file}, and it does not: this is a bug in "
            "fullproof, please report it\n"
        )
    if scores.contradictions:
        raise typer.Exit(ExitCode.BUG)
    if scores.survivors:
        raise typer.Exit(ExitCode.NO)
    if scores.undecided:
        raise typer.Exit(ExitCode.INCONCLUSIVE)


COMMAND = Command(
    name="score",
    help="Judge every mutant of a folder by a suite, over all its behaviours; exit code 1 where a nonconforming "
    "mutant survives.",
    example="fullproof score gate.yaml --suite gate.jsonl --mutants mutants",
    function=_score,
)
