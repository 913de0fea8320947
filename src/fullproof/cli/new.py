"""``fullproof new``: a small model, a system to replace and a test, which run at once."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from fullproof.cli.command import Command
from fullproof.cli.output import Output
from fullproof.core.errors import Place, UserError


def _new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The folder to make, and the name of the model.")],
    output: Output,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", help="fsm, sfsm, statemachine or sts. Default: asked for, or fsm."),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            metavar="WAY",
            help="How the system is reached: python, exec, tcp, http or c. Default: asked for, or python.",
        ),
    ] = None,
) -> None:
    from fullproof.core.files import write_text
    from fullproof.testing.starters import KINDS, WAYS, project_files, ways_for

    folder = Path(name)
    if not folder.name or folder.name.startswith("."):
        raise UserError(f"{name!r} is no name of a folder")
    if folder.exists():
        raise UserError("exists already", at=Place(file=name))
    chosen = kind or _asked("What does the system look like?", KINDS, "fsm")
    way = system or _asked(
        "How is it reached?", {one: said for one, said in WAYS.items() if one in ways_for(chosen)}, "python"
    )
    files = project_files(folder.name, chosen, way)
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise UserError(f"cannot make the folder: {error.strerror}", at=Place(file=name)) from error
    for file, text in files.items():
        write_text(folder / file, text)
    reply = {"folder": str(folder), "kind": chosen, "system": way, "files": sorted(files)}
    output.answer(reply, f"{folder}: {', '.join(sorted(files))}", f"now: cd {shlex.quote(str(folder))} && pytest")


def _asked(question: str, answers: Mapping[str, str], default: str) -> str:
    """Ask on a terminal; elsewhere the default."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return default
    sys.stderr.write(f"{question}\n")
    for name, said in answers.items():
        sys.stderr.write(f"  {name:<14}{said}\n")
    while True:
        sys.stderr.write(f"[{default}]> ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            raise typer.Abort
        given = line.strip() or default
        if given in answers:
            return given
        sys.stderr.write(f"one of {', '.join(answers)}\n")


COMMAND = Command(
    name="new",
    help="Start a project: write a small model, a system to replace and a file of pytest, which run at once. Asks on a "
    "terminal for what no option says.",
    example="fullproof new gate --kind fsm --system exec",
    function=_new,
)
