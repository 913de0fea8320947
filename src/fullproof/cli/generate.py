"""``fullproof generate``: a suite with a guarantee."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from fullproof.artefacts.notes import note_lines
from fullproof.artefacts.request import GenerateRequest
from fullproof.cli.certify import certificate_line
from fullproof.cli.command import Command, ModelArgument
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.output import Output
from fullproof.cli.process import make_stdout_utf8
from fullproof.core.counted import counted
from fullproof.core.interrupts import telling

if TYPE_CHECKING:
    from fullproof.pipeline import SuiteSummary
    from fullproof.pipeline.certificates import CertificateFile


_ADVICE = "to go on, give the command again; a --method of its own, or fewer --extra-states, takes less time"
_ADVICE_FOR_FAULTS = "to go on, give the command again; with --timeout S, the suite that is there by then is written"


def _generate(model: ModelArgument, request: GenerateRequest, output: Output) -> None:
    from fullproof import pipeline
    from fullproof.core.files import check_writable
    from fullproof.pipeline.certificates import certify_generated, refuse_uncertified
    from fullproof.pipeline.clusters import cluster_of
    from fullproof.pipeline.spread_suites import refuse_unspread

    target = request.output
    if request.cluster is not None:
        refuse_unspread(request.suite)
    named = request.suite.faults is not None or request.suite.since is not None
    advice = _ADVICE_FOR_FAULTS if named else _ADVICE
    with cluster_of(request.cluster) as pool:
        with output.working("generating"), telling(lambda: "no suite was written", advice):
            if request.certificate is not None:
                check_writable(request.certificate)
            suite = pipeline.generate_for(model, request.suite, target=target)
            if request.certificate is not None:
                refuse_uncertified(suite, model)
            summary = pipeline.write_generated(suite, target, to_stdout=False, pool=pool) if target else None
        if summary is None:
            to_stdout = not output.as_json and not output.quiet
            if to_stdout:
                make_stdout_utf8()
            summary = pipeline.write_generated(suite, None, to_stdout=to_stdout, pool=pool)
            sys.stdout.flush()
    made = None
    if request.certificate is not None:
        with output.working("certifying"):
            made = certify_generated(suite, request.certificate)
    proof = _proof(made)
    if target is None and not output.as_json:
        # The suite itself went to standard output: the summary goes to standard error.
        if not output.quiet:
            sys.stderr.write("\n".join([*_lines(summary, None, output), *proof]) + "\n")
    else:
        reply = pipeline.suite_reply(summary)
        found = reply if made is None or isinstance(made, str) else replace(reply, **made.fields())
        output.answer(found, *_lines(summary, target, output), *proof)
    if summary.undecided or isinstance(made, str):
        raise typer.Exit(ExitCode.INCONCLUSIVE)


def _lines(summary: SuiteSummary, target: Path | None, output: Output) -> list[str]:
    lines = note_lines(summary.notes, verbose=output.verbose)
    lines.append(
        f"{counted(summary.tests, 'test')}, {counted(summary.inputs, 'input')} by {summary.method} in "
        f"{summary.seconds:.2f} s" + (f", written to {target}" if target else "")
    )
    lines.append(summary.guarantee.sentence)
    return lines


def _proof(made: CertificateFile | str | None) -> list[str]:
    """What is said of a certificate that was asked for."""
    if made is None:
        return []
    return [f"no certificate: {made}"] if isinstance(made, str) else [certificate_line(made)]


COMMAND = Command(
    name="generate",
    help="Write a test suite that proves conformance within the fault domain. Exit code 6 where its guarantee "
    "rests on what the solver left open, or a certificate could not be made.",
    example="fullproof generate coffee.dot --method w --extra-states 1 -o coffee.jsonl",
    function=_generate,
    has_notes=True,
)
