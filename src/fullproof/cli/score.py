"""``fullproof score``: which mutants a suite kills."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.options import (
    ClusterOption,
    JsonOption,
    ModelArgument,
    PropertyOption,
    QuietOption,
    RelationOption,
)
from fullproof.cli.output import Output


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "score",
        help="Judge every mutant of a folder by a suite, over all its behaviours; exit code 1 where a nonconforming "
        "mutant survives.",
        epilog="Example: fullproof score gate.yaml --suite gate.jsonl --mutants mutants",
    )(_score)


def _score(
    model: ModelArgument,
    suite: Annotated[Path, typer.Option("--suite", help="A suite file of fullproof generate.")],
    mutants: Annotated[Path, typer.Option("--mutants", metavar="DIR", help="A folder of machines.")],
    relation: RelationOption = None,
    properties: PropertyOption = None,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout", min=0, help="Seconds for one question to the solver (sfsm) or one comparison (statemachine)."
        ),
    ] = 10.0,
    cluster: ClusterOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    from fullproof import pipeline
    from fullproof.pipeline.score import ScoreOptions

    output = Output(as_json=json, quiet=quiet)
    with output.working("scoring"):
        scoring = ScoreOptions(properties=tuple(properties or ()), timeout=timeout, cluster=cluster)
        scores = pipeline.score_files(model, suite, mutants, relation, scoring=scoring)
    killed = sum(score.killed_by is not None for score in scores.scores)
    conforming = sum(score.conforms is True for score in scores.scores)
    fields = {
        "mutants": len(scores.scores),
        "killed": killed,
        "conforming": conforming,
        "survivors": [{"file": score.file, "in_fault_domain": score.inside} for score in scores.survivors],
        "kills": {score.file: score.killed_by for score in scores.scores},
        **(
            {"undecided": [{"file": s.file, "question": s.undecided} for s in scores.undecided]}
            if scores.undecided
            else {}
        ),
    }
    lines = [f"{len(scores.scores):,} mutants: {killed:,} killed, {conforming:,} conforming"]
    lines += [f"survivor: {score.file}" for score in scores.survivors]
    lines += [f"open: {score.file}: {score.undecided}" for score in scores.undecided]
    output.answer(fields, *lines)
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
