"""``fullproof explore``: the finite machine of a Python class."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullproof.artefacts.questions import ExploreRequest
from fullproof.cli.command import Command
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output
from fullproof.core.counted import counted
from fullproof.core.interrupts import telling


def _explore(
    reference: Annotated[
        str,
        typer.Argument(metavar="CLASS", help="python:FILE.py:Name or python:package.module:Name.", show_default=False),
    ],
    request: ExploreRequest,
    output: Output,
) -> None:
    from fullproof.execute.shield import Shield
    from fullproof.formats import write_model
    from fullproof.formats.table import check_target
    from fullproof.testing.exploration import explore_class, reference_class

    target = request.output or Path(f"{reference.rpartition(':')[2].lower()}.yaml")
    check_target(target)
    advice = "--max-states N stops after N states and writes them"
    with output.progress("exploring") as progress, telling(lambda: "no model was written", advice), Shield():
        name, make = reference_class(reference)
        found = explore_class(make, name, request, progress=progress)
    write_model(found.model, target)
    reply = found.reply(str(target))
    end = f"complete: {counted(reply.states, 'state')}"
    if not reply.complete:
        end = f"bound reached: NOT complete, {counted(reply.states, 'state')}"
    edges = counted(reply.transitions, "transition")
    output.answer(reply, f"{end}, {edges}, written to {target}; {reply.equality}")
    if not reply.complete:
        raise typer.Exit(ExitCode.INCONCLUSIVE)


COMMAND = Command(
    name="explore",
    help="Explore a Python class to the finite machine that it is; exit code 6 where the bound on states is reached.",
    example="fullproof explore python:reference.py:Reference --inputs push,pop -o model.yaml",
    function=_explore,
)
