"""``fullproof compare``: model against model, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.options import JsonOption, ModelArgument, PropertyOption, QuietOption, RelationOption
from fullproof.cli.output import Output


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "compare",
        help="Decide whether OTHER conforms to MODEL, exactly; exit code 1 and a shortest counterexample where not.",
        epilog="Example: fullproof compare model.yaml implementation.dot --relation reduction",
    )(_compare)


def _compare(
    model: ModelArgument,
    other: Annotated[Path, typer.Argument(metavar="OTHER", help="The machine to judge.", show_default=False)],
    relation: RelationOption = None,
    properties: PropertyOption = None,
    depth: Annotated[
        int, typer.Option("--depth", min=1, help="How many events a trace may have (sts, statemachine).")
    ] = 20,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            min=0,
            help="Seconds for one question to the solver (sfsm, default 10) or for the whole search "
            "(sts and statemachine, default 60).",
            show_default=False,
        ),
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    from fullproof import pipeline

    output = Output(as_json=json, quiet=quiet)
    with output.working("comparing"):
        comparison = pipeline.compare_files(
            model, other, relation, properties=properties or (), timeout=timeout, depth=depth
        )
    output.answer(comparison.fields(), *comparison.lines(model.name, other.name))
    if comparison.conforms is None:
        raise typer.Exit(ExitCode.INCONCLUSIVE)
    if not comparison.conforms:
        raise typer.Exit(ExitCode.NO)
