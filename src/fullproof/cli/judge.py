"""``fullproof judge``: judge an old run again, or traces that others recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullproof.artefacts.execution import SILENCE
from fullproof.artefacts.questions import JudgeRequest, LogRequest
from fullproof.cli.command import Command
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output
from fullproof.cli.run import leave, tell
from fullproof.core.counted import counted
from fullproof.core.errors import UserError

if TYPE_CHECKING:
    from fullproof.pipeline.logs import LogVerdict

_SHOWN = 20
"""How many failing traces are printed; ``--json`` has all of them."""


def _judge(
    journal: Annotated[
        Path,
        typer.Argument(metavar="JOURNAL", help="The run.sqlite of a run; with --log, a model.", show_default=False),
    ],
    request: JudgeRequest,
    output: Output,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log",
            metavar="FILE",
            help="Judge traces that were recorded elsewhere, by the model: JSON Lines with trace, input and output; of "
            "an sts with trace and send, emit or silence.",
            show_default=False,
        ),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--mapping",
            metavar="FILE",
            help="Where lines of the log have these: a YAML file with trace, reset, only, input, output, inputs, "
            "outputs; for an sts also values, silence, time, gap, crossing.",
            show_default=False,
        ),
    ] = None,
) -> None:
    from fullproof import pipeline

    if log is not None:
        if request != JudgeRequest():
            raise UserError("--report, --baseline and --certificate are for the journal of a run, not for --log")
        with output.working("judging"):
            found = pipeline.judge_log(journal, LogRequest(log=log, mapping=mapping))
        output.answer(found.fields(), *_lines(found, log))
        if found.failures:
            raise typer.Exit(ExitCode.NO)
        if found.left:
            raise typer.Exit(ExitCode.INCONCLUSIVE)
        return
    if mapping is not None:
        raise UserError("--mapping goes with --log")
    with output.progress("judging") as progress:
        outcome = pipeline.judge_journal(journal, request, progress=progress)
    tell(output, outcome)
    leave(output, outcome)


def _lines(found: LogVerdict, log: Path) -> list[str]:
    passed = found.traces - len(found.failures) - found.left
    verdict = "FAIL" if found.failures else "INCONCLUSIVE" if found.left else "PASS"
    in_part = f", {found.left:,} in part" if found.left else ""
    lines = [
        f"{verdict}  {counted(found.traces, 'trace')}, {passed:,} allowed by the model, {len(found.failures):,} not"
        f"{in_part}; {counted(found.steps, 'step')}; {found.exercised} of {counted(found.transitions, 'transition')} "
        "exercised"
    ]
    if found.gap is not None:
        lines.append(
            f"Silence is what the mapping says, {found.gap:g} s or more between two lines: an output that may come "
            "later is none."
        )
    for failure in found.failures[:_SHOWN]:
        shown = failure.fields()
        allowed = shown["allowed"]
        instead = f" instead of {' or '.join(allowed)}" if isinstance(allowed, list) and allowed else ""
        where = f"trace {failure.trace}, " if failure.trace else ""
        seen = "stays silent" if shown["observed"] == SILENCE else f"answers {shown['observed']}"
        lines.append(f"{log}, line {failure.line}: {where}step {shown['step']}: {seen}{instead}")
    if len(found.failures) > _SHOWN:
        lines.append(f"{len(found.failures) - _SHOWN:,} more; --json lists all of them")
    if found.left:
        lines.append(f"In part: the model says nothing of what follows ({found.reason}).")
    elif not found.failures:
        lines.append("The model allows all of it. A log proves nothing about what it does not hold.")
    return lines


COMMAND = Command(
    name="judge",
    help="Judge the journal of an old run again, from scratch and without the system; with --log, traces that were "
    "recorded elsewhere, by a model.",
    example="fullproof judge out/run.sqlite",
    function=_judge,
    has_notes=True,
)
