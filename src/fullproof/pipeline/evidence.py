"""verdicts -> evidence: results, requirements concerned, diagnosis, and the report folder."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.journal import JournalHeader, Part
from fullproof.artefacts.options import arguments_of, read_meta
from fullproof.artefacts.request import RunRequest
from fullproof.artefacts.run import RunContext, RunRecord, RunResult
from fullproof.artefacts.suite import SuiteHeader
from fullproof.core.errors import UserError
from fullproof.kinds import kind_of
from fullproof.model import Model
from fullproof.pipeline.explanation import Explained
from fullproof.pipeline.reproduction import FailureScript
from fullproof.pipeline.rows import Listing

if TYPE_CHECKING:
    from fullproof.artefacts.questions import JudgeRequest
    from fullproof.report.diagram import Drawing


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
        hashes={"model": run.model_sha256, "suite": json.loads(run.suite).get("sha256") or None, "system": None},
        meta=read_meta(run.meta),
    )


def repeatable(
    context: RunContext, command: str, path: str, request: RunRequest | JudgeRequest, parts: Sequence[Part]
) -> RunContext:
    """The same with the exact command, and with the hashes of the system in the last part of the run."""
    from fullproof.execute.adapters.secrets import public_spec

    if isinstance(request, RunRequest):
        request = replace(request, sut=public_spec(request.sut))
    system = dict(parts[-1].system) if parts else None
    words = shlex.join(["fullproof", command, path, *arguments_of(request)])
    return replace(context, command=words, hashes={**context.hashes, "system": system})


def record_of(
    context: RunContext,
    result: RunResult,
    listing: Listing,
    explanation: Explained,
    scripts: Sequence[FailureScript],
) -> RunRecord:
    """Put together what is known at the end of a run."""
    rows = listing.rows(result.failures)
    named = {test: name for group, name, _ in scripts for test in group.tests}
    return RunRecord(
        context=replace(context, guarantee=context.guarantee.shown(result.repetitions)),
        result=result,
        tests=tuple(replace(row, script=named[row.id]) if row.id in named else row for row in rows),
        listed=listing.count,
        matrix=listing.tracing.matrix() if listing.tracing.wanted else None,
        diagnosis=explanation.diagnosis,
        exercised=frozenset(listing.exercised),
        groups=explanation.groups,
        scripts={name: text for _, name, text in scripts},
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
    record: RunRecord, folder: Path | None, shown: Illustrations, listing: Listing, *, fields: dict[str, object]
) -> Path | None:
    """Write the report folder, where one is wanted, and say where its page is."""
    if folder is None:
        return None
    from fullproof.report.folder import write_folder

    if record.journal is not None:
        from fullproof.formats.journal import read_journal

        record = replace(record, tests=listing.with_outputs(record.tests, read_journal(record.journal).executions()))
    return write_folder(folder, record, fields=fields, drawing=shown.drawing, classes=shown.classes)
