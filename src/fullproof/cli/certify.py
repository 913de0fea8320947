"""``fullproof certify``: is this suite complete?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.options import (
    ClusterOption,
    ExtraStatesOption,
    JsonOption,
    ModelArgument,
    QuietOption,
    RelationOption,
)
from fullproof.cli.output import Output

if TYPE_CHECKING:
    from fullproof.pipeline import Certified


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "certify",
        help="Decide whether a suite is complete, whoever generated it; exit code 1 and a surviving machine where it "
        "is not, 6 where the time was too short. The checker shares no code with the generators.",
        epilog="Example: fullproof certify coffee.dot suite.jsonl --extra-states 1 --timeout 60",
    )(_certify)


def _certify(
    model: ModelArgument,
    suites: Annotated[
        list[Path],
        typer.Argument(
            metavar="SUITE...",
            help="A suite file, or plain text: one test a line, inputs separated by blanks or commas. Several are "
            "answered one by one.",
            show_default=False,
        ),
    ],
    relation: RelationOption = None,
    extra_states: ExtraStatesOption = None,
    timeout: Annotated[float, typer.Option("--timeout", min=0, help="Seconds the exact search may take.")] = 60.0,
    target: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where a surviving machine goes. Default: SUITE with .survivor.yaml"),
    ] = None,
    cluster: ClusterOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    from fullproof import pipeline
    from fullproof.pipeline.certification import CertifyOptions, all_certified, certify_all

    output = Output(as_json=json, quiet=quiet)
    options = CertifyOptions(
        relation=relation, extra_states=extra_states, timeout=timeout, target=target, cluster=cluster
    )
    with output.working("certifying"):
        answers = certify_all(model, suites, options)
    complete = all_certified(answers)
    if len(answers) == 1:
        output.answer(pipeline.certified_fields(answers[0]), *_lines(answers[0]))
    else:
        told = list(zip(suites, answers, strict=True))
        listed = [{"suite": str(suite), **pipeline.certified_fields(answer)} for suite, answer in told]
        lines = [f"{suite}: {line}" for suite, answer in told for line in _lines(answer)]
        output.answer({"complete": complete, "suites": listed}, *lines)
    if complete is not True:
        raise typer.Exit(ExitCode.INCONCLUSIVE if complete is None else ExitCode.NO)


def _lines(answer: Certified) -> list[str]:
    size = f"{answer.tests:,} tests, {answer.inputs:,} inputs"
    if answer.complete is None:
        return [f"UNKNOWN  {size}: {answer.reason}"]
    if answer.complete:
        return [f"COMPLETE  {size}, by {answer.method}: {answer.reason}"]
    from fullproof.certify.checker import word_text

    return [
        f"INCOMPLETE  {size}: {answer.reason}",
        f"a faulty machine that passes: {answer.survivor}",
        f"it differs on: {word_text(answer.witness)}",
    ]
