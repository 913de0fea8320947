"""``fullproof serve``: the workbench."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from fullproof.cli.command import Command
from fullproof.cli.output import Output
from fullproof.core.errors import UserError

_PORT = 8600
_NEEDED = ("fastapi", "uvicorn")


def _serve(
    models: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="MODEL|DIR",
            help="Models to begin with; a folder, whose models pages may open and save.",
            show_default=False,
        ),
    ] = None,
    suts: Annotated[
        list[str] | None,
        typer.Option(
            "--sut",
            metavar="NAME=SUT",
            help="A system that pages may run, as fullproof run takes it; may be repeated. Pages know its name only.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes a free one.")] = _PORT,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    workers: Annotated[int, typer.Option("--workers", min=2, max=64, help="Questions answered at the same time.")] = 2,
    seconds: Annotated[float, typer.Option("--seconds", min=1, help="Seconds that one question may take.")] = 60.0,
    run_seconds: Annotated[float, typer.Option("--run-seconds", min=1, help="Seconds that one run may take.")] = 1800.0,
    memory: Annotated[int, typer.Option("--memory", min=256, help="MiB of memory that one worker may take.")] = 2048,
    *,
    output: Output,
) -> None:
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        raise UserError(f"the workbench needs the package {missing[0]}: pip install 'fullproof[serve]'")
    if not hasattr(os, "fork"):
        raise UserError("the workbench needs a system whose processes can fork, such as Linux")
    from fullproof.serve.doorway import doorway, page_to
    from fullproof.serve.named_systems import given_folder, given_models, named_systems
    from fullproof.serve.server import serve
    from fullproof.serve.settings import MEBIBYTE, Limits, Settings

    settings = Settings(
        systems=named_systems(suts or ()),
        models=given_models(path for path in models or () if not path.is_dir()),
        folder=given_folder([path for path in models or () if path.is_dir()]),
        limits=Limits(workers=workers, seconds=seconds, run_seconds=run_seconds, memory=memory * MEBIBYTE),
    )

    with doorway() as folder:

        def announce(address: str) -> None:
            _tell(address, output)
            if not no_open:
                import threading
                import webbrowser

                # Starting some browsers blocks until they end.
                threading.Thread(target=webbrowser.open, args=(page_to(address, folder),), daemon=True).start()

        serve(settings, port=port, announce=announce)


def _tell(address: str, output: Output) -> None:
    """The address is the answer: it is needed to open the page, so it is printed even with --quiet."""
    import json

    if output.as_json:
        sys.stdout.write(json.dumps({"url": address}) + "\n")
    else:
        sys.stdout.write(address + "\n" if output.quiet else f"the workbench is at {address}\nCtrl-C ends it\n")
    sys.stdout.flush()


COMMAND = Command(
    name="serve",
    help="Open the workbench: a page on this machine to edit, check, draw, generate, run, compare and certify.",
    example="fullproof serve brake.yaml --sut good=python:brake.py:Brake",
    function=_serve,
)
