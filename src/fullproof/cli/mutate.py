"""``fullproof mutate``: faulty versions of a model."""

from __future__ import annotations

import typer

from fullproof.artefacts.questions import MutateRequest
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output
from fullproof.core.counted import counted, plural_of


def _mutate(model: ModelArgument, request: MutateRequest, output: Output) -> None:
    from fullproof import pipeline

    with output.progress("mutating") as progress:
        reply = pipeline.write_mutants(model, request, progress=progress)
    mutants, left_out = reply.mutants, reply.left_out
    conforming = sum(mutant.conforms is True for mutant in mutants)
    open_ = sum(mutant.conforms is None for mutant in mutants)
    output.answer(
        reply,
        f"{counted(len(mutants), 'mutant')} written to {request.folder}, {conforming:,} of them "
        f"{plural_of(conforming, 'conforms', 'conform')}"
        + (f", {open_:,} stay open" if open_ else "")
        + (f"; {left_out:,} left out: not deterministic, or not sure to rest" if left_out else ""),
    )
    if not mutants:
        raise typer.Exit(ExitCode.NOTHING_TO_DO)


COMMAND = Command(
    name="mutate",
    help="Write mutants of a model: wrong guards, outputs and targets, missing and surplus transitions, merged and "
    "split states. Mutants that conform are marked.",
    example="fullproof mutate gate.yaml -o mutants --extra-states 1 --sample 200",
    function=_mutate,
)
