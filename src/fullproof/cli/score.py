"""``fullproof score``: which mutants a suite kills."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from fullproof.artefacts.questions import ScoreRequest
from fullproof.artefacts.replies import fields_of
from fullproof.cli.command import Command, ModelArgument, SuitesArgument, SuitesOption, given_suites
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output
from fullproof.core.counted import counted

if TYPE_CHECKING:
    from fullproof.pipeline.score import Scores


def _score(
    model: ModelArgument,
    request: ScoreRequest,
    output: Output,
    named: SuitesArgument = None,
    suite: SuitesOption = None,
) -> None:
    from fullproof import pipeline

    suites = given_suites(named, suite)
    with output.progress("scoring") as progress:
        found = [pipeline.score_files(model, one, request, progress=progress) for one in suites]
    if len(suites) == 1:
        output.answer(found[0].reply(), *_lines(found[0]))
    else:
        told = list(zip(suites, found, strict=True))
        listed = [{"suite": str(one), **fields_of(scores.reply())} for one, scores in told]
        output.answer({"suites": listed}, *(f"{one}: {line}" for one, scores in told for line in _lines(scores)))
    output.notes(dict.fromkeys(note for scores in found for note in scores.notes))
    for scores in found:
        _accuse(scores)
    if any(scores.contradictions for scores in found):
        raise typer.Exit(ExitCode.BUG)
    if any(scores.survivors for scores in found):
        raise typer.Exit(ExitCode.NO)
    if any(scores.undecided for scores in found):
        raise typer.Exit(ExitCode.INCONCLUSIVE)


def _lines(scores: Scores) -> list[str]:
    reply = scores.reply()
    return [
        f"{counted(reply.mutants, 'mutant')}: {reply.killed:,} killed, {reply.conforming:,} conforming",
        *(f"survivor: {s.file}{f' ({s.mutated})' if s.mutated else ''}" for s in scores.survivors),
        *(f"open: {s.file}: {s.undecided}" for s in scores.undecided),
    ]


def _accuse(scores: Scores) -> None:
    for score in scores.contradictions:
        sys.stderr.write(
            f"fullproof: the suite claims that {scores.method} covers {score.file}, and it does not: this is a bug in "
            "fullproof, please report it\n"
        )


COMMAND = Command(
    name="score",
    help="Judge every mutant of a folder by a suite, over all its behaviours; exit code 1 where a nonconforming "
    "mutant survives.",
    example="fullproof score gate.yaml gate.jsonl --mutants mutants",
    function=_score,
    has_notes=True,
)
