"""``fullproof mutate``: faulty versions of a model."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.options import (
    ExtraStatesOption,
    JsonOption,
    ModelArgument,
    MutateGuardsOption,
    MutateLimitOption,
    MutateOutputsOption,
    PropertyOption,
    QuietOption,
    RelationOption,
    SeedOption,
)
from fullproof.cli.output import Output


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "mutate",
        help="Write mutants of a model: wrong guards, outputs and targets, missing and surplus transitions, merged and "
        "split states. Mutants that conform are marked.",
        epilog="Example: fullproof mutate gate.yaml -o mutants --extra-states 1 --sample 200",
    )(_mutate)


def _mutate(
    model: ModelArgument,
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the mutants go.")],
    relation: RelationOption = None,
    extra_states: ExtraStatesOption = None,
    order: Annotated[int, typer.Option("--order", min=1, max=3, help="How many faults a mutant has.")] = 1,
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, help="So many at random instead of all.", show_default=False)
    ] = None,
    properties: PropertyOption = None,
    mutate_guards: MutateGuardsOption = False,
    mutate_outputs: MutateOutputsOption = False,
    mutate_limit: MutateLimitOption = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    from fullproof import pipeline
    from fullproof.artefacts.request import SuiteRequest

    output = Output(as_json=json, quiet=quiet)
    request = SuiteRequest(
        relation=relation,
        extra_states=extra_states,
        seed=seed,
        properties=tuple(properties or ()),
        mutate_guards=mutate_guards,
        mutate_outputs=mutate_outputs,
        mutate_limit=mutate_limit,
    )
    with output.working("mutating"):
        mutants = pipeline.write_mutants(model, folder, request, order=order, sample=sample)
    conforming = sum(mutant.conforms is True for mutant in mutants)
    open_ = sum(mutant.conforms is None for mutant in mutants)
    output.answer(
        {
            "mutants": [dataclasses.asdict(mutant) for mutant in mutants],
            **({"left_out": mutants.left_out} if mutants.left_out else {}),
        },
        f"{len(mutants):,} mutants written to {folder}, {conforming:,} of them conform"
        + (f", {open_:,} stay open" if open_ else "")
        + (f"; {mutants.left_out:,} left out: not deterministic, or not sure to rest" if mutants.left_out else ""),
    )
    if not mutants:
        raise typer.Exit(ExitCode.NOTHING_TO_DO)
