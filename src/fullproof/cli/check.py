"""``fullproof check``: the properties of a model, and findings on it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import typer

from fullproof.artefacts.finding import Finding, Profile, Severity
from fullproof.artefacts.questions import CheckRequest
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output
from fullproof.core.counted import counted

if TYPE_CHECKING:
    from rich.text import Text

_PROPERTIES = ("deterministic", "complete", "observable", "minimal", "connected")
_COLOURS = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def _check(model: ModelArgument, request: CheckRequest, output: Output) -> None:
    from fullproof import pipeline

    with output.working("checking"):
        profile = pipeline.check_file(model, request.observe)
    print_findings(output, profile, str(model), ExitCode.NO)


def print_findings(output: Output, profile: Profile, file: str, code: ExitCode) -> None:
    """Print the findings, and exit with a code other than 0 where a finding is an error."""
    from fullproof import pipeline

    output.answer(pipeline.check_reply(profile), *_lines(profile, file))
    if any(finding.severity is Severity.ERROR for finding in profile.findings):
        raise typer.Exit(code)


def _lines(profile: Profile, file: str) -> list[Text]:
    from rich.text import Text

    is_so = [name for name in _PROPERTIES if getattr(profile, name) is True]
    is_not = ["not " + name for name in _PROPERTIES if getattr(profile, name) is False]
    unknown = [name + "?" for name in _PROPERTIES if getattr(profile, name) is None]
    head = Text.assemble((profile.name, "bold"), f": {profile.kind}, {counted(profile.states, 'state')}, ")
    head.append(counted(profile.transitions, "transition"))
    facts = Text(", ".join(is_so + is_not) or "nothing is known of it")
    if unknown:
        facts.append("; not decided: " + ", ".join(name.rstrip("?") for name in unknown), "dim")
    if not profile.findings:
        return [head, facts, Text("no findings", "green")]
    return [head, facts, *(_finding_line(finding, file) for finding in profile.findings)]


def _finding_line(finding: Finding, file: str) -> Text:
    from rich.text import Text

    line = Text.assemble((finding.severity.value, _COLOURS[finding.severity]), f" [{finding.rule}] ")
    # A finite machine stores the line of a transition, not its file.
    place = str(
        finding.at if finding.at.file or finding.at.line is None else dataclasses.replace(finding.at, file=file)
    )
    line.append(f"{place}: " if place else "", "dim")
    line.append(f"{finding.where}: {finding.message}" if finding.where else finding.message)
    return line


COMMAND = Command(
    name="check",
    help="Say what a model is and what is wrong with it; exit code 1 where a finding is an error.",
    example="fullproof check brake.yaml --json",
    function=_check,
)
