"""``fullproof compare``: model against model, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.options import JsonOption, ModelArgument, QuietOption, RelationOption
from fullproof.cli.output import Output

if TYPE_CHECKING:
    from fullproof.pipeline import Comparison


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
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    from fullproof import pipeline

    output = Output(as_json=json, quiet=quiet)
    with output.working("comparing"):
        comparison = pipeline.compare_files(model, other, relation)
    output.answer(pipeline.comparison_fields(comparison), *_lines(comparison, model, other))
    if not comparison.conforms:
        raise typer.Exit(ExitCode.NO)


def _lines(comparison: Comparison, model: Path, other: Path) -> list[str]:
    difference = comparison.difference
    if difference is None:
        return [f"{other.name} conforms to {model.name} ({comparison.relation.value})"]
    return [
        f"{other.name} does not conform to {model.name} ({comparison.relation.value}): {difference.reason}",
        f"inputs:   {' '.join(difference.inputs)}",
        f"outputs:  {' '.join((*difference.outputs, difference.observed or '-'))}",
        f"allowed at the last input: {' or '.join(difference.allowed) or 'nothing'}",
    ]
