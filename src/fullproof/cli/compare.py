"""``fullproof compare``: model against model, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullproof.artefacts.request import Relation
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.options import JsonOption, ModelArgument, PropertyOption, QuietOption, RelationOption
from fullproof.cli.output import Output

if TYPE_CHECKING:
    from fullproof.pipeline import Comparison
    from fullproof.pipeline.comparison import Seen
    from fullproof.pipeline.ioco_comparison import IocoComparison


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
    output.answer(pipeline.comparison_fields(comparison), *_lines(comparison, model, other))
    if comparison.conforms is None:
        raise typer.Exit(ExitCode.INCONCLUSIVE)
    if not comparison.conforms:
        raise typer.Exit(ExitCode.NO)


def _lines(comparison: Comparison | IocoComparison, model: Path, other: Path) -> list[str]:
    from fullproof.pipeline.ioco_comparison import IocoComparison, ioco_lines

    if isinstance(comparison, IocoComparison):
        return ioco_lines(comparison, model.name, other.name)
    relation = comparison.relation.value
    if comparison.conforms is None:
        return [f"whether {other.name} conforms to {model.name} ({relation}) stays open: {comparison.undecided}"]
    difference = comparison.difference
    if difference is None:
        shown = f", shown by {comparison.proof}" if comparison.proof else ""
        return [f"{other.name} conforms to {model.name} ({relation}){shown}"]
    answers = [*map(_symbol, difference.outputs), "-" if difference.observed is None else _symbol(difference.observed)]
    between = " " if all(isinstance(symbol, str) for symbol in difference.inputs) else "; "
    violation = comparison.relation is Relation.PROPERTY
    missing = [] if difference.missing is None else [f"missing:  {_symbol(difference.missing)}"]
    return [
        f"{other.name} does not conform to {model.name} ({relation}): {difference.reason}",
        f"inputs:   {between.join(map(_symbol, difference.inputs))}",
        f"outputs:  {between.join(answers)}",
        *missing,
        *([] if violation else [f"allowed at the last input: {' or '.join(difference.allowed) or 'nothing'}"]),
    ]


def _symbol(symbol: Seen) -> str:
    from fullproof.judge.oracle import text_of

    return text_of(symbol)
