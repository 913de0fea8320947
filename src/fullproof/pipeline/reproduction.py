"""failure -> reproduction: the sequence of a group as a suite of one test, and as a script that runs it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from fullproof.artefacts.guarantee import no_guarantee
from fullproof.artefacts.options import arguments_of
from fullproof.artefacts.request import ALL_ANSWERS, Relation, RunRequest, SuiteRequest
from fullproof.artefacts.run import FailureGroup, RunContext
from fullproof.artefacts.suite import SuiteHeader, Test, make_test

SCRIPTS = 50
"""Groups that get a script."""
_ONE_EXECUTION = frozenset((*ALL_ANSWERS, Relation.PROPERTY))
"""Relations for which a run may be inconclusive although no execution was wrong: an answer was not seen."""


class FailureScript(NamedTuple):
    """A script that reproduces the failures of a group, and the name of its file."""

    group: FailureGroup
    name: str
    text: str


def sequence_suite(header: SuiteHeader, group: FailureGroup) -> tuple[SuiteHeader, list[Test]]:
    """A suite of the sequence of a group, after the tests that it depends on; judged as the suite of the run is."""
    assert group.word is not None
    words = [*(() if group.confirmation is None else group.confirmation.words), group.word]
    domain = None if header.domain is None else replace(header.domain, undecided=())
    made = replace(
        header,
        method="shortest",
        guarantee=no_guarantee("one test that fails"),
        domain=domain,
        tests=len(words),
        inputs=sum(map(len, words)),
        digest=None,
    )
    return made, [*map(make_test, words)]


def write_sequences(folder: Path | None, header: SuiteHeader, groups: Sequence[FailureGroup]) -> None:
    """Write each sequence that was found on the system as a suite beside the report."""
    from fullproof.formats.suite import write_suite

    for group in groups:
        if folder is not None and group.has_file:
            made, tests = sequence_suite(header, group)
            write_suite(folder / group.file, made, tests)


def repeated(request: RunRequest, properties: Sequence[str]) -> RunRequest:
    """The options that one test of a run needs to be run and judged as in the run."""
    return RunRequest(
        sut=request.sut,
        suite=SuiteRequest(properties=tuple(properties), seed=request.suite.seed),
        repeat=request.repeat,
        clock=request.clock,
        step_timeout=request.step_timeout,
        test_timeout=request.test_timeout,
        isolate=request.isolate,
        silence=request.silence,
        shrink_failures=0.0,
    )


def scripts_for(
    context: RunContext, header: SuiteHeader, request: RunRequest, groups: Sequence[FailureGroup]
) -> Iterator[FailureScript]:
    """The scripts of the groups whose sequences are known; ``request`` are the options for one test."""
    from fullproof.formats.suite.writer import print_lines, suite_lines
    from fullproof.report.reproduce import Reproduction, script, script_name

    for group in [group for group in groups if group.word is not None][:SCRIPTS]:
        made, tests = sequence_suite(header, group)
        suite = io.StringIO()
        print_lines(suite, suite_lines(made, tests))
        often = max(request.repeat, group.of if group.failed < group.of else 1)
        words = [*arguments_of(replace(request, repeat=often, sut=""))]
        failure = Reproduction(
            test=group.proves,
            model=context.model_name,
            reason=group.reason,
            command=("run", context.model_file, *_without_sut(words), "--sut", context.sut),
            suite=suite.getvalue().splitlines(keepends=True),
            hidden=context.sut != request.sut or not context.sut,
            doubt=_doubt(group),
            any_answer=Relation(header.relation) in _ONE_EXECUTION and not group.is_absence,
        )
        yield FailureScript(group, script_name(group.proves), script(failure))


def _without_sut(words: Sequence[str]) -> Iterator[str]:
    place = words.index("--sut")
    yield from words[:place]
    yield from words[place + 2 :]


def _doubt(group: FailureGroup) -> str:
    if group.confirmation is not None and group.confirmation.order is not None:
        return ""
    if not group.was_searched or group.failed:
        return ""
    return (
        f"it cannot be reproduced alone: run from a reset {group.of} times after the run, it did not fail; either a "
        "reset does not bring the system back to its beginning, or the system does not always answer alike"
    )
