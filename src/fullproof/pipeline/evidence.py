"""verdicts -> evidence: results, requirements concerned, diagnosis, and the report folder."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.journal import JournalHeader
from fullproof.artefacts.options import arguments_of
from fullproof.artefacts.run import RunContext, RunRecord, RunResult, TestRow
from fullproof.artefacts.suite import SuiteHeader
from fullproof.core.errors import UserError
from fullproof.kinds import kind_of
from fullproof.model import Model
from fullproof.pipeline.explanation import Explained, Failures, explained, faults_for
from fullproof.pipeline.rows import Listing

if TYPE_CHECKING:
    from fullproof.artefacts.request import RunRequest
    from fullproof.pipeline.journal import Recording
    from fullproof.report.diagram import Drawing

SCRIPTS = 10
"""Failures that get a script of their own: a fault often fails hundreds of tests."""


def context_of(run: JournalHeader, suite: SuiteHeader, model: Model, *, started: str) -> RunContext:
    """What a reader needs to repeat the run."""
    return RunContext(
        model_name=model.name,
        model_kind=model.kind,
        model_file=run.model_file,
        model_sha256=run.model_sha256,
        sut=run.sut,
        relation=suite.relation,
        method=suite.method,
        extra_states=suite.extra_states,
        guarantee=suite.guarantee,
        seed=run.seed,
        started=started,
        tool=run.tool,
        python=run.python,
        platform=run.platform,
    )


def repeatable(context: RunContext, path: str, request: RunRequest, recording: Recording) -> RunContext:
    """The same with the command of the run, and with the hashes of what it was about."""
    from fullproof.execute.adapters.secrets import public_spec

    words = arguments_of(replace(request, sut=public_spec(request.sut)))
    suite = json.loads(recording.header.suite).get("sha256") or None
    system = dict(recording.parts[-1].system) if recording.parts else None
    return replace(
        context,
        command=shlex.join(["fullproof", "run", path, *words]),
        hashes={"model": context.model_sha256, "suite": suite, "system": system},
    )


def record_of(
    model: Model,
    context: RunContext,
    result: RunResult,
    listing: Listing,
    everything: Callable[[], Iterable[Execution]] | None,
    explanation: Explained | None = None,
) -> RunRecord:
    """Put together what is known at the end of a run; ``everything`` are its executions, where they were all kept.

    ``explanation`` is that of its failures, where the system was at hand.
    """
    if explanation is None:
        faults = faults_for(context.relation, context.extra_states)
        failures = Failures(
            model=model, oracle=listing.oracle, listing=listing, result=result, faults=faults, everything=everything
        )
        explanation = explained(failures, None)
    rows = listing.rows(result.failures)
    # A script gives inputs one after the other: it cannot reproduce a test of a reactive system.
    by_test = {trace.test.id: trace for trace in reversed(listing.failing) if not trace.events}
    scripts = {row.id: _script(context, row, by_test[row.id]) for row in rows if row.id in by_test}
    chosen = dict(list(scripts.items())[:SCRIPTS])
    return RunRecord(
        context=replace(context, guarantee=context.guarantee.shown(result.repetitions)),
        result=result,
        tests=tuple(replace(row, script=chosen[row.id][0]) if row.id in chosen else row for row in rows),
        listed=listing.count,
        matrix=listing.tracing.matrix() if listing.tracing.wanted else None,
        diagnosis=explanation.diagnosis,
        exercised=frozenset(listing.exercised),
        groups=explanation.groups,
        scripts=dict(chosen.values()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Illustrations:
    """The illustrations of the model in a report."""

    drawing: Drawing | None = None
    classes: tuple[tuple[str, str], ...] = ()
    """The classes of inputs and outputs, each with its formula."""
    wanted: bool = False
    """Whether there is a report at all."""

    def of_classes(self, model: Model) -> Illustrations:
        """The same with the classes of a model over the whole fault domain of its suite."""
        return replace(self, classes=kind_of(model).formulas(model)) if self.wanted else self


def prepare_report(model: Model, folder: Path | None) -> Illustrations:
    """Make the folder, draw the model, and import what the report needs before modules of the system can hide it."""
    if folder is None:
        return Illustrations()
    from fullproof.report.diagram import Drawing
    from fullproof.report.folder import make_folder
    from fullproof.report.html import load_template

    make_folder(folder)
    load_template()
    try:
        drawing = Drawing(model)
        drawing.svg()
    except UserError:
        drawing = None  # the machine is too large to draw: the report has no picture
    return Illustrations(drawing=drawing, wanted=True)


def write_report(
    record: RunRecord, folder: Path | None, shown: Illustrations, *, fields: dict[str, object]
) -> Path | None:
    """Write the report folder, where one is wanted, and say where its page is."""
    if folder is None:
        return None
    from fullproof.report.folder import write_folder

    return write_folder(folder, record, fields=fields, drawing=shown.drawing, classes=shown.classes)


def _script(context: RunContext, row: TestRow, trace: Execution) -> tuple[str, str]:
    from fullproof.report.reproduce import Failure, script, script_name

    last = row.steps[-1] if row.steps else None
    failure = Failure(
        test=row.id,
        model=context.model_name,
        model_file=context.model_file,
        kind=context.model_kind,
        sut=context.sut,
        inputs=trace.test.inputs[: max(1, len(row.steps))],
        allowed=last.allowed_text if last is not None else "",
        observed=last.observed if last is not None else "",
        reason=row.reason,
    )
    return script_name(failure), script(failure)
