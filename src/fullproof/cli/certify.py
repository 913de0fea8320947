"""``fullproof certify``: is this suite complete?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from fullproof.artefacts.questions import CertifyRequest
from fullproof.artefacts.replies import fields_of
from fullproof.cli.command import Command, ModelArgument, SuitesArgument, SuitesOption, given_suites
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output
from fullproof.core.counted import counted

if TYPE_CHECKING:
    from fullproof.pipeline import Certified
    from fullproof.pipeline.certificates import CertificateFile


def _certify(
    model: ModelArgument,
    request: CertifyRequest,
    output: Output,
    named: SuitesArgument = None,
    suite: SuitesOption = None,
) -> None:
    from fullproof import pipeline
    from fullproof.pipeline.certification import all_certified

    suites = given_suites(named, suite)
    with output.progress("certifying") as progress:
        answers = pipeline.certify_files(model, suites, request, progress=progress)
    complete = all_certified(answers)
    if request.given is not None:
        reply = replace(pipeline.certify_reply(answers[0]), accepted=complete is True)
        output.answer(reply, *_checked(answers[0]))
        output.notes(answers[0].notes)
        raise typer.Exit(ExitCode.DONE if complete else ExitCode.NO)
    if len(answers) == 1:
        output.answer(pipeline.certify_reply(answers[0]), *_lines(answers[0]))
    else:
        told = list(zip(suites, answers, strict=True))
        listed = [{"suite": str(suite), **fields_of(pipeline.certify_reply(answer))} for suite, answer in told]
        lines = [f"{suite}: {line}" for suite, answer in told for line in _lines(answer)]
        output.answer({"complete": complete, "suites": listed}, *lines)
    output.notes(dict.fromkeys(note for answer in answers for note in answer.notes))
    if complete is not True:
        raise typer.Exit(ExitCode.INCONCLUSIVE if complete is None else ExitCode.NO)
    if any(answer.lacking for answer in answers):
        raise typer.Exit(ExitCode.INCONCLUSIVE)


def _size(answer: Certified) -> str:
    return f"{counted(answer.tests, 'test')}, {counted(answer.inputs, 'input')}"


def _checked(answer: Certified) -> list[str]:
    size, found = _size(answer), answer.certificate
    if found is None or found.refused is not None:
        return [f"REFUSED  {size}: {answer.reason}"]
    return [f"ACCEPTED  {size}, by {answer.method}: {answer.reason}", certificate_line(found)]


def _lines(answer: Certified) -> list[str]:
    size = _size(answer)
    if answer.complete is None:
        return [f"UNKNOWN  {size}: {answer.reason}"]
    if answer.complete:
        lines = [f"COMPLETE  {size}, by {answer.method}: {answer.reason}"]
        lines += [certificate_line(answer.certificate)] if answer.certificate else []
        return [*lines, f"no certificate: {answer.lacking}"] if answer.lacking else lines
    from fullproof.certify.answers import word_text

    written = [f"a faulty machine that passes: {answer.survivor}"] if answer.survivor else []
    offered = ["-o MODEL writes a machine that passes"] if answer.machine and not written else []
    return [f"INCOMPLETE  {size}: {answer.reason}", *written, *offered, f"it differs on: {word_text(answer.witness)}"]


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
    has_notes=True,
)
