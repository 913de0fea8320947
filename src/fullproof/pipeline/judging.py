"""journal -> verdict: an old run judged again from scratch, without the system."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.progress import Progress
from fullproof.artefacts.request import Relation
from fullproof.core.errors import Place, UserError
from fullproof.model import Sts
from fullproof.pipeline.claimed import with_domain
from fullproof.pipeline.listing import Listing
from fullproof.pipeline.observing import observed, observed_by
from fullproof.pipeline.recording import Told, told_by
from fullproof.pipeline.reporting import prepare_report, record_of, write_report
from fullproof.pipeline.runs import RunOutcome, context_of, run_fields

if TYPE_CHECKING:
    from fullproof.formats.journal import OldJournal


def judge_journal(path: Path, *, report: Path | None, progress: Progress) -> RunOutcome:
    """Judge what a journal holds by the model that it holds; the result is that of the run, as far as it got."""
    from fullproof.formats.documents import read_document
    from fullproof.formats.journal import read_journal
    from fullproof.judge import Summary, oracle_for

    old = read_journal(path)
    model = read_document(old.header.model, Path(f"{path}.json"))
    suite, notes = told_by(old)
    if isinstance(model, Sts):
        return _judge_sts(model, old, (suite, notes), report=report, progress=progress)
    try:
        relation = Relation(old.header.relation)
    except ValueError as error:
        raise UserError(f"unknown relation {old.header.relation!r}", at=Place(file=str(path))) from error
    at = Place(file=str(path))
    model = with_domain(observed(model, observed_by(suite.observe, at=at), at=at), suite, at=at)
    stated = tuple(p for p in model.description.properties if p.name in old.header.properties)
    oracle = oracle_for(model, relation, properties=stated)
    shown = prepare_report(model, report).of_classes(model)
    summary, listing = Summary(oracle, repeat=old.header.repeat), Listing(oracle, model)
    for number, trace in enumerate(old.traces(), 1):
        judgement = oracle.judge(trace)
        summary.add(trace, judgement)
        listing.add(trace, judgement)
        progress(number, old.rows)
    result = summary.result(seconds=old.seconds)
    context = context_of(old.header, suite, model, started=old.header.started)
    record = record_of(model, context, result, listing, old.traces)
    page = write_report(record, report, shown, fields=run_fields(record))
    return RunOutcome(record=record, notes=notes, page=page)


def _judge_sts(model: Sts, old: OldJournal, told: Told, *, report: Path | None, progress: Progress) -> RunOutcome:
    from fullproof.pipeline.reactive_runs import judge_conversations

    shown = prepare_report(model, report)
    tally = judge_conversations(model, old, at=Place(file=str(old.path)), progress=progress)
    record = tally.record(context_of(old.header, told[0], model, started=old.header.started), seconds=old.seconds)
    notes = (*told[1], *tally.notes(record.result.verdict))
    return RunOutcome(record=record, notes=notes, page=write_report(record, report, shown, fields=run_fields(record)))
