"""``fullproof demo``: the main job on a bundled example, end to end."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullproof.cli.command import Command
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output
from fullproof.cli.run_text import run_lines
from fullproof.core.counted import counted

if TYPE_CHECKING:
    from fullproof.pipeline import RunOutcome

EXTRA_STATES = 1


def _demo(
    output: Output,
    report: Annotated[
        Path, typer.Option("--report", metavar="DIR", help="Where the reports go, one folder for each system.")
    ] = Path("demo-report"),
) -> None:
    from fullproof import pipeline

    with as_file(files("fullproof.cli") / "demo_data") as folder:
        model = folder / "model.yaml"
        good = _run(model, folder, "Controller", report / "good")
        faulty = _run(model, folder, "FaultyController", report / "faulty")
        profile = pipeline.check_file(model)
    # The demo is itself a test: it succeeds only if it distinguishes the two systems.
    told_apart = good.record.result.verdict.value == "pass" and faulty.record.result.verdict.value == "fail"
    output.answer(
        {
            "good": pipeline.run_fields(good.record),
            "faulty": pipeline.run_fields(faulty.record),
            "report": str(faulty.page),
        },
        f"model: {profile.name}, {counted(profile.states, 'state')}, {counted(profile.transitions, 'transition')}",
        "\nThe correct controller:",
        *run_lines(good.record, page=good.page),
        "\nThe faulty controller, which has one state too many:",
        *run_lines(faulty.record, page=faulty.page),
    )
    if not told_apart:
        raise typer.Exit(ExitCode.NO)


def _run(model: Path, folder: Path, name: str, report: Path) -> RunOutcome:
    from fullproof import pipeline
    from fullproof.artefacts.progress import unheard
    from fullproof.artefacts.request import RunRequest, SuiteRequest

    request = RunRequest(
        suite=SuiteRequest(extra_states=EXTRA_STATES), sut=f"python:{folder / 'controller.py'}:{name}", report=report
    )
    return pipeline.run_suite(model, request, progress=unheard)


COMMAND = Command(
    name="demo",
    help="Generate a suite for a bundled controller, run it against a good and a faulty version, write the report.",
    example="fullproof demo --report demo-report",
    function=_demo,
)
