"""``fullproof certify``: is this suite complete?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullproof.artefacts.questions import CertifyRequest
from fullproof.artefacts.replies import fields_of
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output

if TYPE_CHECKING:
    from fullproof.pipeline import Certified
    from fullproof.pipeline.certificates import CertificateFile


def _certify(
    model: ModelArgument,
    suites: Annotated[
        list[Path],
        typer.Argument(
            metavar="SUITE...",
            help="A suite file, or plain text: one test a line, inputs separated by blanks or commas. Several are "
            "answered one by one.",
            show_default=False,
        ),
    ],
    request: CertifyRequest,
    output: Output,
) -> None:
    from fullproof import pipeline
    from fullproof.pipeline.certification import all_certified

    with output.working("certifying"):
        answers = pipeline.certify_files(model, suites, request)
    complete = all_certified(answers)
    if request.given is not None:
        reply = replace(pipeline.certify_reply(answers[0]), accepted=complete is True)
        output.answer(reply, *_checked(answers[0]))
        raise typer.Exit(ExitCode.DONE if complete else ExitCode.NO)
    if len(answers) == 1:
        output.answer(pipeline.certify_reply(answers[0]), *_lines(answers[0]))
    else:
        told = list(zip(suites, answers, strict=True))
        listed = [{"suite": str(suite), **fields_of(pipeline.certify_reply(answer))} for suite, answer in told]
        lines = [f"{suite}: {line}" for suite, answer in told for line in _lines(answer)]
        output.answer({"complete": complete, "suites": listed}, *lines)
    if complete is not True:
        raise typer.Exit(ExitCode.INCONCLUSIVE if complete is None else ExitCode.NO)
    if any(answer.lacking for answer in answers):
        raise typer.Exit(ExitCode.INCONCLUSIVE)


def _checked(answer: Certified) -> list[str]:
    size, found = f"{answer.tests:,} tests, {answer.inputs:,} inputs", answer.certificate
    if found is None or found.refused is not None:
        return [f"REFUSED  {size}: {answer.reason}"]
    return [f"ACCEPTED  {size}, by {answer.method}: {answer.reason}", certificate_line(found)]


def _lines(answer: Certified) -> list[str]:
    size = f"{answer.tests:,} tests, {answer.inputs:,} inputs"
    if answer.complete is None:
        return [f"UNKNOWN  {size}: {answer.reason}"]
    if answer.complete:
        lines = [f"COMPLETE  {size}, by {answer.method}: {answer.reason}"]
        lines += [certificate_line(answer.certificate)] if answer.certificate else []
        return [*lines, f"no certificate: {answer.lacking}"] if answer.lacking else lines
    from fullproof.certify.checker import word_text

    return [
        f"INCOMPLETE  {size}: {answer.reason}",
        f"a faulty machine that passes: {answer.survivor}",
        f"it differs on: {word_text(answer.witness)}",
    ]


def certificate_line(found: CertificateFile) -> str:
    """What is said of a certificate."""
    return f"certificate {found.path}, {found.evidence}, sha256 {found.sha256}"


COMMAND = Command(
    name="certify",
    help="Decide whether a suite from any source is complete; exit code 1 and a surviving machine where it "
    "is not, 6 where the time was too short. The checker shares no code with the generators. --certificate writes "
    "down the proof, --with checks one.",
    example="fullproof certify coffee.dot suite.jsonl --extra-states 1 --timeout 60",
    function=_certify,
)
