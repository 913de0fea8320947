"""``fullproof run``: execute a suite against a system and judge the observations."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import typer

from fullproof.artefacts.guarantee_json import guarantee_fields
from fullproof.artefacts.notes import note_texts
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.cli.check import print_findings
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output
from fullproof.cli.process import is_ours
from fullproof.cli.run_text import rehearse, run_lines
from fullproof.core.interrupts import Interrupted

if TYPE_CHECKING:
    from fullproof.pipeline import RunOutcome

_EXIT = {
    Verdict.PASS: ExitCode.DONE,
    Verdict.FAIL: ExitCode.NO,
    Verdict.ERROR: ExitCode.NO,
    Verdict.NONDETERMINISTIC: ExitCode.NO,
    Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
}


def _run(model: ModelArgument, request: RunRequest, output: Output) -> None:
    from fullproof import pipeline
    from fullproof.execute.shield import Shield, outside, stay

    request = dataclasses.replace(request, examined=True, tells_interrupted=True)
    rehearse()
    # A system may leave threads behind that print: the shield stays active until after the answer is printed.
    if is_ours():
        stay()
    with Shield(), outside() as stdout:
        output = dataclasses.replace(output, stream=stdout)
        try:
            with output.progress(
                "running", before="generating" if request.suite_file is None else "reading"
            ) as progress:
                outcome = pipeline.run_suite(model, request, progress=progress, begun=output.announced)
        except pipeline.ModelErrors as wrong:
            print_findings(output, wrong.profile, str(model), ExitCode.USAGE)
        tell(output, outcome)
    leave(output, outcome)


def tell(output: Output, outcome: RunOutcome) -> None:
    """Print the outcome of a run."""
    from fullproof import pipeline

    told: dict[str, object] = {**guarantee_fields(outcome.record.context.guarantee), "notes": note_texts(outcome.notes)}
    if outcome.record.result.repetitions:
        told["repetitions"] = outcome.record.result.repetitions
    lines = run_lines(outcome.record, page=outcome.page)
    if outcome.chain is not None:
        verdict = outcome.record.result.verdict.value
        told["chain"] = outcome.chain.fields(verdict)
        lines += outcome.chain.lines(verdict)
    output.answer(pipeline.run_fields(outcome.record) | told, *lines)


def leave(output: Output, outcome: RunOutcome) -> None:
    """Print the notes, and exit with the code of the verdict."""
    output.notes(outcome.notes)
    code = _EXIT[outcome.record.result.verdict] if outcome.record.result.tests else ExitCode.NOTHING_TO_DO
    if not outcome.complete and code is not ExitCode.NO:
        code = ExitCode.INCONCLUSIVE
    if outcome.chain is not None and not outcome.chain.holds:
        code = ExitCode.NO
    if outcome.interrupted:
        raise Interrupted(outcome.interrupted)
    if code:
        raise typer.Exit(code)


COMMAND = Command(
    name="run",
    help="Execute a suite against a system under test and judge it; exit code 1 where a test fails, 4 where the "
    "model has errors: then they are listed as by fullproof check.",
    example="fullproof run gate.yaml --sut python:gate.py:Gate --extra-states 1 --report out",
    function=_run,
    has_notes=True,
)
