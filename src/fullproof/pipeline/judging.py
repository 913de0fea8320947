"""journal -> verdict: an old run judged again from scratch, without the system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.progress import Progress
from fullproof.artefacts.request import Relation
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import Place, UserError
from fullproof.model import Sts
from fullproof.pipeline.claimed import settled, with_domain
from fullproof.pipeline.completeness import RowCount, Told, honest_about
from fullproof.pipeline.listing import Listing
from fullproof.pipeline.observing import observed, observed_by
from fullproof.pipeline.recording import told_by
from fullproof.pipeline.reporting import context_of, prepare_report, record_of, write_report
from fullproof.pipeline.runs import RunOutcome, run_fields
from fullproof.pipeline.tally import BAD

if TYPE_CHECKING:
    from fullproof.formats.journal import OldJournal


def judge_journal(path: Path, *, report: Path | None, progress: Progress) -> RunOutcome:
    """Judge what a journal holds by the model that it holds; the result is that of the run, as far as it got."""
    from fullproof.formats import read_model_text
    from fullproof.formats.journal import read_journal
    from fullproof.judge import Summary
    from fullproof.kinds import oracle_for

    old = read_journal(path)
    model = read_model_text(old.header.model, Path(f"{path}.json"))
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
    count = RowCount(old.header, Place(file=str(path)))
    for number, trace in enumerate(old.executions(), 1):
        count.add(trace)
        with _sensible(old, trace.number):
            judgement = oracle.judge(trace)
            summary.add(trace, judgement)
            listing.add(trace, judgement)
        progress(number, old.rows)
    result = settled(summary.result(seconds=old.seconds), suite)
    complete = old.told is not None and not count.doubts()
    if result.verdict not in BAD:
        doubts = [*_unfinished(old, count.doubts()), *count.misnamed()]
        (suite, notes), result = honest_about((suite, notes), doubts, None), _capped(result, complete=complete)
    context = context_of(old.header, suite, model, started=old.header.started)
    record = record_of(model, context, result, listing, old.executions)
    page = write_report(record, report, shown, fields=run_fields(record))
    return RunOutcome(record=record, notes=notes, page=page, complete=complete)


@contextmanager
def _sensible(old: OldJournal, number: int) -> Iterator[None]:
    """Values that no system of this model can have given are damage, though their hash was made to fit."""
    try:
        yield
    except (TypeError, ValueError, KeyError, AttributeError, AssertionError) as error:
        message = f"is damaged: row {number} has values that the model does not know"
        raise UserError(message, at=Place(file=str(old.path))) from error


def _unfinished(old: OldJournal, missing: Sequence[str]) -> list[str]:
    if old.told is not None:
        return list(missing)
    return [*missing] or ["the run was interrupted before its end"]


def _capped(result: RunResult, *, complete: bool) -> RunResult:
    """A part of a run cannot pass."""
    passed = result.verdict is Verdict.PASS
    return replace(result, verdict=Verdict.INCONCLUSIVE) if passed and not complete else result


def _judge_sts(model: Sts, old: OldJournal, told: Told, *, report: Path | None, progress: Progress) -> RunOutcome:
    from fullproof.pipeline.reactive_runs import judge_conversations

    shown = prepare_report(model, report)
    tally = judge_conversations(model, old, at=Place(file=str(old.path)), progress=progress)
    complete, result = old.told is not None, tally.result(seconds=old.seconds)
    if result.verdict not in BAD:
        told, result = honest_about(told, _unfinished(old, ()), None), _capped(result, complete=complete)
    context = context_of(old.header, told[0], model, started=old.header.started)
    record = record_of(model, context, result, tally.listing, old.executions)
    notes = (*told[1], *tally.notes(record.result.verdict))
    page = write_report(record, report, shown, fields=run_fields(record))
    return RunOutcome(record=record, notes=notes, page=page, complete=complete)
